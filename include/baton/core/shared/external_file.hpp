// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The layout of the file that contains the external constants of a program (weights that are set at run time). A hash in the file
// identifies the program.
//
// The file begins with a header of 16 bytes: "BTNW", the version 1 as a 32-bit number, and the structure hash as a 64-bit number. The
// aligned external constants follow the header in the order of their ids. All numbers are little-endian. The layout is the same on all
// targets.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// A 64-bit hash of numbers. Adding a number takes few evaluation steps in a constant expression. The hash detects accidental differences,
/// but an attacker can find two inputs with the same hash.
class structure_hasher {
 public:
  constexpr void add(std::uint64_t number) {
    hash_ = (hash_ ^ number) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 29;
  }
  constexpr void add(span<const char> bytes) {
    add(bytes.size());
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word = word << 8 | static_cast<unsigned char>(bytes[i]);
      if (i % 8 == 7 || i + 1 == bytes.size()) add(word);
    }
  }
  template <class Ids>
  constexpr void add_ids(const Ids& ids) {
    add(ids.size());
    for (const auto id : ids) add(index(id));
  }
  constexpr auto result() const -> std::uint64_t { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

constexpr void add_attribute(structure_hasher& hash, const program_view& program, const attribute& literal) {
  hash.add(literal.key);
  hash.add(static_cast<std::uint64_t>(literal.kind));
  switch (literal.kind) {
    case attribute_kind::integer:
    case attribute_kind::boolean:
      return hash.add(static_cast<std::uint64_t>(literal.integer));
    case attribute_kind::real:
      return hash.add(std::bit_cast<std::uint64_t>(literal.real));
    case attribute_kind::text:
    case attribute_kind::bytes:
      return hash.add(program.data(literal.bytes));
    case attribute_kind::integers:
      hash.add(literal.list.size);
      for (const auto each : program.integer_list(literal.list)) hash.add(static_cast<std::uint64_t>(each));
      return;
    case attribute_kind::reals:
      hash.add(literal.list.size);
      for (const auto each : program.real_list(literal.list)) hash.add(std::bit_cast<std::uint64_t>(each));
      return;
  }
}

}  // namespace detail

/// The file that contains the external constants of a program.
struct external_file {
  /// The required alignment of the file in memory, in bytes.
  static constexpr std::size_t alignment = 8;
  static constexpr std::size_t header_bytes = 16;
  static constexpr char magic[8] = {'B', 'T', 'N', 'W', 1, 0, 0, 0};

  /// The end of the external constants that have been added to the file. Constants must be added in the order of their ids.
  struct position {
    std::size_t end = header_bytes;

    /// Adds the constant `id`, and returns its offset in the file. The alignment is 8 bytes for constants of at least 8 bytes, and 4 bytes
    /// for smaller constants. Kernels rely on this alignment (`node_call::input`).
    constexpr auto add(const program_view& program, value_id id) -> std::size_t {
      const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, byte_count(program[id].type, program.shape(id))));
      const std::size_t multiple = bytes < 8 ? 4 : 8;
      const auto offset = (end + multiple - 1) / multiple * multiple;
      end = offset + bytes;
      return offset;
    }
  };

  /// Returns the offset of an external constant in the file.
  static constexpr auto offset_of(const program_view& program, value_id id) -> std::size_t {
    position at;
    for (std::uint32_t v = 0; v < index(id); ++v) {
      if (program.values[v].kind == value_kind::external_constant) at.add(program, static_cast<value_id>(v));
    }
    return at.add(program, id);
  }

  /// Returns the size of the file, or 0 if the program has no external constants.
  static constexpr auto bytes_of(const program_view& program) -> std::size_t {
    position at;
    bool has_any = false;
    for (std::uint32_t v = 0; v < program.values.size(); ++v) {
      if (program.values[v].kind != value_kind::external_constant) continue;
      at.add(program, static_cast<value_id>(v));
      has_any = true;
    }
    return has_any ? at.end : 0;
  }

  /// True if a file begins with `magic`. The file must have at least `header_bytes` bytes.
  static constexpr auto has_magic(const char* file) -> bool {
    for (std::size_t i = 0; i < sizeof magic; ++i) {
      if (file[i] != magic[i]) return false;
    }
    return true;
  }
  /// Returns the structure hash in the header of a file.
  static constexpr auto stated_hash(const char* file) -> std::uint64_t {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < 8; ++i) hash |= std::uint64_t{static_cast<unsigned char>(file[sizeof magic + i])} << 8 * i;
    return hash;
  }

  /// Returns a hash of the structure of a program: operators, attributes, edges, types, shapes, quantization, and the data that the program
  /// owns. Names (including names of mutated buffers), debug handles, delegates and the bytes of external constants are ignored. The hash
  /// does not protect against attackers.
  static constexpr auto structure_hash(const program_view& program) -> std::uint64_t {
    detail::structure_hasher hash;
    for (const auto& graph : program.graphs) {
      hash.add(graph.nodes.size);
      hash.add_ids(program.inputs(graph));
      hash.add(graph.outputs.size);
      for (const auto& spec : program.outputs_of(graph)) {
        hash.add(static_cast<std::uint64_t>(spec.kind));
        hash.add(index(spec.value));
        if (spec.kind == output_kind::buffer_mutation) hash.add(mutated_input(program, graph, spec));
      }
    }
    for (const auto& node : program.nodes) {
      hash.add(node.op);
      hash.add_ids(program.inputs(node));
      hash.add_ids(program.outputs_of(node));
      hash.add_ids(program.subgraphs_of(node));
      hash.add(node.attributes.size);
      for (const auto& literal : program.attributes_of(node)) detail::add_attribute(hash, program, literal);
    }
    for (const auto& value : program.values) {
      hash.add(static_cast<std::uint64_t>(value.type) << 8 | static_cast<std::uint64_t>(value.kind));
      hash.add(value.shape.size);
      for (const auto size : program.integer_list(value.shape)) hash.add(static_cast<std::uint64_t>(size));
      hash.add(value.quant.channels);
      if (value.quant.channels != 0) {
        hash.add(static_cast<std::uint64_t>(value.quant.axis));
        hash.add(program.data(value.quant.scales));
        hash.add(program.data(value.quant.zero_points));
      }
      hash.add(program.data(value.data));
    }
    return hash.result();
  }

 private:
  /// Returns the position, among the inputs of the graph, of the buffer that `spec` mutates. Returns the number of inputs if none of them
  /// is this buffer.
  static constexpr auto mutated_input(const program_view& program, const graph& record, const output_spec& spec) -> std::uint64_t {
    const auto inputs = program.inputs(record);
    const auto is_mutated = [&](value_id id) { return program.is_mutated_by(id, spec); };
    return static_cast<std::uint64_t>(std::find_if(inputs.begin(), inputs.end(), is_mutated) - inputs.begin());
  }
};

}  // namespace baton
