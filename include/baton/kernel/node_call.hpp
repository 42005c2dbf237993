// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel's `run` is given: a node whose facts are constants, and where its memory lies.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/least_distance.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// One node of a static program, as a kernel sees it while the program is compiled: everything is known but the memory.
/// `MemoryMap` says where values lie: `MemoryMap::template address<Id>(arena)` is the address of a value.
template <class Program, std::uint32_t Index, class MemoryMap>
struct node_call {
  char* arena;

  /// The node's place in the program.
  static constexpr std::uint32_t index = Index;

  static constexpr auto program() -> program_view { return Program::value(); }
  static constexpr auto record() -> const node& { return Program::value().nodes[Index]; }
  static constexpr auto input_id(std::size_t i) -> value_id { return program().inputs(record())[i]; }
  static constexpr auto output_id(std::size_t i) -> value_id { return program().outputs_of(record())[i]; }
  /// Whether the operand is there.
  static constexpr auto has_input(std::size_t i) -> bool { return i < record().inputs.size && input_id(i) != none<value_id>; }

  /// The bytes of operand I: in the arena, or, of a constant, in read-only memory, aligned to 4 bytes at least (of 8 bytes and more to 8).
  /// What no kernel asks for is not in the image.
  template <std::size_t I>
  auto input() const -> const char* {
    return MemoryMap::template address<input_id(I)>(arena);
  }
  /// The bytes of operand I, which is scratch: the node may write them, and finds in them what it may.
  template <std::size_t I>
    requires(program()[input_id(I)].kind == value_kind::scratch)
  auto scratch() const -> char* {
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// The bytes of operand I, which is a mutable buffer: what the node writes there stays to the next run.
  template <std::size_t I>
    requires(program()[input_id(I)].kind == value_kind::mutable_buffer)
  auto state() const -> char* {
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// What the kernel has prepared of the node (`prepare`), in read-only memory; of a kernel that prepares nothing, nothing.
  static constexpr auto prepared() { return MemoryMap::template prepared<Index>(); }
  /// The order of addresses in which the output must be written, where the kernel declares distances (`distance_of`) and the plan lets the
  /// output lie on an operand.
  static constexpr auto order() -> write_order { return MemoryMap::order_of(Index); }

  /// Memory of the node's own while it runs, aligned as values are: of a kernel that needs scratch (`scratch_bytes`), a span of so many
  /// bytes as it said; of another, of none.
  auto scratch() const { return MemoryMap::template scratch<Index>(arena); }
  /// The bytes of output I.
  template <std::size_t I>
  auto output() const -> char* {
    return MemoryMap::template writable<output_id(I)>(arena);
  }
};

}  // namespace baton
