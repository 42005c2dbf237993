// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes small processed bytes of ExecuTorch's XNNPACK backend, and programs whose only delegate has them.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>

#include "import/flatbuffer_writer.hpp"
#include "import/pte_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// A value of a graph. Its id is its position.
struct xnnpack_value {
  std::initializer_list<std::uint32_t> dims{};
  int type = 1;               ///< fp32
  std::int32_t constant = 0;  ///< the number of its constant
  std::int32_t input = -1;    ///< the position among the inputs of the call
  std::int32_t output = -1;   ///< the position among the outputs
  float scale = 0;            ///< not 0: quantized per tensor
  std::int32_t zero_point = 0;
  int parameters = 2;  ///< per tensor; 1: per channel, with constant `zero_point` or `scale` for each of two channels; 4: per group
  std::int32_t channel_dim = 0;
  std::int32_t group_size = 0;  ///< of scales in constant `zero_point`, or of two groups with `scale`
  std::int32_t id = -1;         ///< -1: the number of values before it
};

class xnnpack_writer : public flatbuffer_writer {
 public:
  using numbers = std::initializer_list<std::int32_t>;
  using sizes = std::initializer_list<std::uint32_t>;

  /// Constant 0 is reserved.
  constexpr xnnpack_writer() { constant(0, 0); }

  constexpr void value(const xnnpack_value& facts) {
    using slot = baton::pte::xnnpack::slot::tensor;
    const auto dims = vector(facts.dims);
    const auto external = facts.input >= 0 ? facts.input : facts.output >= 0 ? 100 + facts.output : -1;
    auto stored = table({field{slot::datatype, 2, static_cast<std::uint64_t>(facts.type), 0}, offset_field(slot::dims, dims),
                         int_field(slot::constant_buffer_idx, facts.constant), int_field(slot::external_id, external),
                         int_field(slot::flags, facts.input >= 0    ? 1
                                                : facts.output >= 0 ? 2
                                                                    : 0),
                         int_field(slot::id_out, facts.id < 0 ? static_cast<std::int32_t>(values_.size()) : facts.id)});
    if (facts.scale != 0) {
      const auto scales = vector({facts.scale, facts.scale});
      const auto parameters = facts.parameters == 2 ? table({float_field(0, facts.scale), int_field(1, facts.zero_point)})
                              : facts.parameters == 4
                                  ? table({offset_field(0, scales), int_field(2, facts.group_size), int_field(4, facts.zero_point)})
                                  : table({offset_field(0, scales), int_field(1, facts.channel_dim), int_field(2, facts.zero_point)});
      stored = table({offset_field(0, stored), byte_field(1, facts.parameters), offset_field(2, parameters)});
    }
    values_.push_back(table({byte_field(0, facts.scale != 0 ? 2 : 1), offset_field(1, stored)}));
  }
  std::int32_t first_handle = 7;  ///< the debug handle of the first node; each further node has the next number

  /// Adds a node whose fields are 32-bit numbers.
  constexpr void node(int op, numbers fields, float lower = 0, float upper = 0) {
    baton::vector<field> all;
    for (const auto number : fields) all.push_back(int_field(static_cast<std::uint16_t>(all.size()), number));
    add_node(op, table(baton::span<const field>{all}), lower, upper);
  }
  /// Adds a node with a list in field 1, and perhaps another one in the field before or after it.
  constexpr void node_with_lists(int op, std::uint16_t slot, sizes first, sizes second, numbers others) {
    const auto one = vector(first), two = vector(second);
    baton::vector<field> all;
    for (std::uint16_t i = 0; i < slot; ++i) all.push_back(int_field(i, 4));
    all.push_back(offset_field(slot, one));
    if (second.size() != 0) all.push_back(offset_field(static_cast<std::uint16_t>(slot + 1), two));
    auto next = static_cast<std::uint16_t>(slot + (second.size() != 0 ? 2 : 1));
    for (const auto number : others) all.push_back(int_field(next++, number));
    add_node(op, table(baton::span<const field>{all}), 0, 0);
  }
  /// Adds constant data at an offset, or with a key. The first is number 1.
  constexpr void constant(std::int64_t offset, std::int64_t size, std::string_view key = {}) {
    const auto name = key.empty() ? 0 : text(key);
    constants_.push_back(table({long_field(0, key.empty() ? offset : -1), long_field(1, size), offset_field(2, name)}));
  }

  /// Returns the processed bytes, with constants at the end.
  constexpr auto bytes(std::string_view constants = {}, std::string_view identifier = "XN01") -> baton::vector<char> {
    using slot = baton::pte::xnnpack::slot::graph;
    const auto version = text("0");
    const auto data = offsets(constants_), all = offsets(values_), nodes = offsets(nodes_);
    auto graph = finish(table({offset_field(slot::version, version), offset_field(slot::nodes, nodes), offset_field(slot::values, all),
                               offset_field(slot::constant_data, data)}),
                        identifier);
    baton::vector<char> result;
    const auto put_number = [&](std::uint64_t number, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) result.push_back(static_cast<char>(number >> (8 * i) & 255u));
    };
    put_number(0, 4);
    for (const char c : std::string_view{"XH00"}) result.push_back(c);
    put_number(30, 2);
    put_number(32, 4);
    put_number(graph.size(), 4);
    put_number(32 + graph.size(), 4);
    put_number(constants.size(), 8);
    put_number(0, 2);
    for (const char c : graph) result.push_back(c);
    for (const char c : constants) result.push_back(c);
    return result;
  }

 private:
  constexpr void add_node(int op, reference fields, float lower, float upper) {
    const auto bounds = lower < upper ? table({float_field(0, lower), float_field(1, upper)}) : 0;
    nodes_.push_back(table({byte_field(0, op), offset_field(1, fields),
                            int_field(2, first_handle + static_cast<std::int32_t>(nodes_.size())), offset_field(3, bounds)}));
  }

  baton::vector<reference> values_, nodes_, constants_;
};

/// Returns a program that calls a delegate with these processed bytes, in segment 0. The inputs have the sizes `in`, the output `out`, and
/// all have the scalar type `type`, unless the inputs have another one.
constexpr auto xnnpack_program(baton::span<const char> bytes, std::initializer_list<std::initializer_list<std::int32_t>> in,
                               std::initializer_list<std::int32_t> out, int type = 6, int input_type = -1) -> baton::vector<char> {
  pte_writer write;
  baton::vector<std::int32_t> arguments;
  std::int32_t place = 0;
  for (const auto& sizes : in) {
    arguments.push_back(write.tensor({.sizes = sizes, .offset = place, .type = input_type < 0 ? type : input_type}));
    place += 1024;
  }
  const auto y = write.tensor({.sizes = out, .offset = place, .type = type});
  write.delegate("XnnpackBackend", 1, 0);
  if (arguments.size() == 1) {
    write.delegate_call(0, {0, y});
    write.method({0}, {y});
  } else {
    write.delegate_call(0, {0, 1, y});
    write.method({0, 1}, {y});
  }
  return write.file({bytes.data(), bytes.size()});
}

}  // namespace tests
