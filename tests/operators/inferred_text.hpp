// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inferred output types of a program with one node, as text.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace inferred_text {

using namespace baton;

/// An operand: a user input, a constant list of numbers, or none.
struct operand {
  tensor_type type{};
  std::array<std::uint64_t, 10> numbers{};  ///< the bits of the elements of a constant
  std::size_t count = 0;
  bool is_constant = false;
  bool is_present = true;
};
template <class... Sizes>
constexpr auto in(dtype type, Sizes... sizes) -> operand {
  return {tensor(type, sizes...)};
}
constexpr auto constant(const tensor_type& type, std::initializer_list<std::int64_t> numbers) -> operand {
  operand result{.type = type, .is_constant = true};
  for (const auto number : numbers) result.numbers[result.count++] = static_cast<std::uint64_t>(number);
  return result;
}
constexpr auto fixed(std::initializer_list<std::int64_t> numbers) -> operand {
  return constant(tensor(dtype::int32, numbers.size()), numbers);
}
constexpr auto fixed64(std::initializer_list<std::int64_t> numbers) -> operand {
  return constant(tensor(dtype::int64, numbers.size()), numbers);
}
constexpr auto reals(std::initializer_list<float> numbers) -> operand {
  operand result{.type = tensor(dtype::float32, numbers.size()), .is_constant = true};
  for (const auto number : numbers) result.numbers[result.count++] = std::bit_cast<std::uint32_t>(number);
  return result;
}
constexpr auto one(std::int64_t number) -> operand { return constant(tensor(dtype::int32), {number}); }
inline constexpr operand omitted{.is_present = false};

using operands = std::initializer_list<operand>;
using attribute_list = std::initializer_list<named_literal>;

constexpr auto program_of(std::string_view op, operands inputs, std::size_t outputs, attribute_list attributes) -> exported_program {
  program_builder b;
  vector<value_id> ids;
  for (const auto& input : inputs) {
    text_buffer bytes;
    for (std::size_t i = 0; i < input.count; ++i) {
      for (unsigned shift = 0; shift < facts(input.type.type).bits; shift += 8)
        bytes.push_back(static_cast<char>(input.numbers[i] >> shift & 0xff));
    }
    auto id = none<value_id>;
    if (input.is_present && input.is_constant) id = b.constant("c", input.type, bytes);
    if (input.is_present && !input.is_constant) id = b.user_input("x", input.type);
    ids.push_back(id);
  }
  vector<value_id> output_ids;
  for (std::size_t o = 0; o < outputs; ++o)
    output_ids.push_back(b.add_value(b.make_value("y", tensor(dtype::float32), value_kind::intermediate)));
  b.add_node(b.make_node("node", op), ids, output_ids, {attributes.begin(), attributes.size()});
  return b.finish();
}

/// Returns the inferred type of each output of node 0, for example `int8 [1 ?]`; `?` is unknown. If the operands do not fit, returns the
/// reason. If the operator has no rule, returns "no rule".
constexpr auto text_of(const program_view& program) -> text_buffer {
  const auto types = infer(program, program.nodes[0]);
  if (!types) return types.error.reason;
  if (types.value.empty() && program.nodes[0].outputs.size != 0) return join("no rule");
  text_buffer text;
  for (const auto& type : types.value) {
    if (!text.empty()) append(text, ", ");
    append(text, type.has_type ? facts(type.type).name : std::string_view{"?"});
    if (!type.has_shape) append(text, " ?");
    if (type.has_shape) append(text, " [");
    for (std::size_t d = 0; type.has_shape && d < type.shape.rank; ++d) {
      if (d != 0) append(text, " ");
      if (type.shape.sizes[d] < 0) append(text, "?");
      if (type.shape.sizes[d] >= 0) append(text, type.shape.sizes[d]);
    }
    if (type.has_shape) append(text, "]");
  }
  return text;
}
constexpr auto inferred(std::string_view op, operands inputs, attribute_list attributes = {}, std::size_t outputs = 1,
                        operator_list custom = {}, const operator_dialect* dialect = nullptr) -> text_buffer {
  auto program = program_of(op, inputs, outputs, attributes);
  program.operators = custom;
  program.dialect = dialect;
  return text_of(program);
}
constexpr auto is(const text_buffer& text, std::string_view expected) -> bool { return view(text) == expected; }

/// The function `inferred` for the operators of a dialect.
struct inferred_in {
  const operator_dialect& dialect;

  constexpr auto operator()(std::string_view op, operands inputs, attribute_list attributes = {}, std::size_t outputs = 1) const
      -> text_buffer {
    return inferred(op, inputs, attributes, outputs, {}, &dialect);
  }
};
/// Returns the number of definitions of a dialect, or 0 if it does not find one of them, or if one has no rule, keeps a state or has side
/// effects.
constexpr auto count_of_functions(span<const operator_list> families, const operator_dialect& dialect) -> std::size_t {
  std::size_t count = 0;
  for (const auto family : families) {
    for (const auto& definition : family) {
      ++count;
      if (dialect.find(definition.name.hash) != &definition) return 0;
      if (definition.infer == nullptr || definition.keeps_state || !definition.is_functional) return 0;
    }
  }
  return count;
}

/// A list of integers with static storage, as the value of an attribute.
template <std::int64_t... Numbers>
constexpr std::int64_t numbers[] = {Numbers...};
template <std::int64_t... Numbers>
constexpr span<const std::int64_t> list{numbers<Numbers...>};

}  // namespace inferred_text
