// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A node of a static program: its record as a constant, and the addresses of its values at run time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/shared/static_view.hpp>
#include <baton/kernel/shared/visible_accesses.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// A node of a static program. Everything but the addresses is a constant.
/// \tparam MemoryMap maps values to addresses: `MemoryMap::template address<Id>(arena)` is the address of value `Id`, and
/// `writable<Id>(arena)` is the address of a value that the node may write. `scratch<Index>(arena)`, `prepared<Index>()` and
/// `order_of(Index)` are the working memory, the prepared constant and the write order of node `Index`
template <class Program, std::uint32_t Index, class MemoryMap>
struct node_call {
  char* arena;

  using program_type = Program;
  /// The node's index in the program.
  static constexpr std::uint32_t index = Index;
  /// Whether the planner requested that each call of `compute_rows` computes a single row. False outside of segments; in a segment, the
  /// derived class `row_call` redefines the constant. If it is true, the scratch has `kernel_facts::single_row_scratch_bytes` bytes.
  static constexpr bool computes_single_rows = false;

  // Each node of a program instantiates these functions. They read the shared `static_view`, because the compiler would need a long time to
  // compute one view for each node.
  static constexpr auto program() -> program_view { return static_view<Program>; }
  static constexpr auto record() -> const node& { return static_view<Program>.nodes[Index]; }
  static constexpr auto input_id(std::size_t i) -> value_id { return static_view<Program>.inputs(record())[i]; }
  static constexpr auto output_id(std::size_t i) -> value_id { return static_view<Program>.outputs_of(record())[i]; }
  /// True if operand `i` is present.
  static constexpr auto has_input(std::size_t i) -> bool { return i < record().inputs.size && input_id(i) != none<value_id>; }
  /// True if operand `i` is a mutable buffer.
  static constexpr auto is_state(std::size_t i) -> bool {
    return has_input(i) && static_view<Program>[input_id(i)].kind == value_kind::mutable_buffer;
  }

  /// Returns the address of operand I: in the arena, in a buffer of the caller, or in read-only memory if the operand is a constant. The
  /// service `copied_weights` may copy the constant to a buffer. A constant is aligned to at least 4 bytes, and to at least 8 bytes if its
  /// size is at least 8 bytes. Constants whose address no kernel requests are not part of the executable image.
  template <std::size_t I>
  auto input() const -> const char* {
    detail::visible_accesses::keep();
    return MemoryMap::template address<input_id(I)>(arena);
  }
  /// Returns the address of operand I, which must be scratch: uninitialized memory that the node may write.
  template <std::size_t I>
    requires(program()[input_id(I)].kind == value_kind::scratch)
  auto scratch() const -> char* {
    detail::visible_accesses::keep();
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// Returns the address of operand I, which must be a mutable buffer: its bytes persist from one run to the next.
  template <std::size_t I>
    requires(is_state(I))
  auto state() const -> char* {
    detail::visible_accesses::keep();
    return MemoryMap::template writable<input_id(I)>(arena);
  }
  /// Returns the constant that the kernel's `prepare` computed: a span in read-only memory or in the buffer of `copied_weights`, aligned to
  /// at least 4 bytes. The span is empty if the kernel has no `prepare`.
  static constexpr auto prepared() { return MemoryMap::template prepared<Index>(); }
  /// Returns the order in which the output must be written. The order has a meaning only if the kernel declares a distance (how far an
  /// operand and an output may overlap, see `min_distance`).
  static constexpr auto order() -> write_order { return MemoryMap::order_of(Index); }

  /// Returns the node's working memory, a span of `kernel_facts::scratch_bytes` bytes. If the node is in a segment (`stream_segment`), the
  /// span has `kernel_facts::row_scratch_bytes()` bytes, or `single_row_scratch_bytes` bytes if `computes_single_rows` is true.
  auto scratch() const {
    detail::visible_accesses::keep();
    return MemoryMap::template scratch<Index>(arena);
  }
  /// Returns the address of output I.
  template <std::size_t I>
  auto output() const -> char* {
    detail::visible_accesses::keep();
    return MemoryMap::template writable<output_id(I)>(arena);
  }
};

}  // namespace baton
