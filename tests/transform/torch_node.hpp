// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program of one node of torch.export, which is brought to the operators of the kernels and run.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/torch.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/legalize.hpp>

#include "nodes/interpreter.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torch_tests {

using namespace baton;
using enum dtype;
using numbers = std::vector<double>;

template <class... Sizes>
constexpr auto floats(Sizes... each) -> tensor_type {
  return tensor(float32, each...);
}
template <std::int64_t... Numbers>
constexpr std::int64_t listed[] = {Numbers...};
template <std::int64_t... Numbers>
constexpr span<const std::int64_t> list{listed<Numbers...>};

/// Element `i` of operand `at`: a number in [-2, 2].
constexpr auto element(std::size_t at, std::size_t i) -> float {
  return static_cast<float>((i * 37 + at * 23 + i / 7 * 11) % 33) / 8.0f - 2.0f;
}

/// An operand of a node: a user input, a constant, or none.
struct operand {
  tensor_type type{};
  bool is_constant = false;
  bool is_present = true;
  numbers elements{};  ///< if it is empty, the elements are those of `element`
};
inline auto fixed(const tensor_type& type, numbers elements = {}) -> operand { return {type, true, true, std::move(elements)}; }
inline auto stored(const tensor_type& type, numbers elements) -> operand { return {type, false, true, std::move(elements)}; }
inline const operand omitted{{}, false, false, {}};

inline auto width_of(dtype type) -> std::size_t { return facts(type).bits / 8u; }
inline void put(std::vector<char>& to, dtype type, double number) {
  const auto real = static_cast<float>(number);
  const auto whole = static_cast<std::int64_t>(number);
  const auto* const from = type == float32 ? reinterpret_cast<const char*>(&real) : reinterpret_cast<const char*>(&whole);
  to.insert(to.end(), from, from + width_of(type));
}
inline auto get(const char* from, dtype type) -> double {
  float real = 0;
  std::int64_t whole = 0;
  std::memcpy(type == float32 ? static_cast<void*>(&real) : static_cast<void*>(&whole), from, width_of(type));
  if (type == int32) whole = static_cast<std::int32_t>(whole);
  return type == float32 ? static_cast<double>(real) : static_cast<double>(whole);
}

/// A program of one node.
class one_node {
 public:
  one_node(std::string_view op, const std::vector<operand>& operands, std::vector<tensor_type> outputs,
           std::initializer_list<named_literal> literals = {}) {
    b_.set_dialect(torch::dialect);
    std::vector<value_id> ids;
    for (const auto& each : operands) {
      ids.push_back(none<value_id>);
      operands_.emplace_back();
      if (!each.is_present) continue;
      std::vector<char> bytes;
      for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(each.type.shape())); ++i) {
        const auto number = each.elements.empty() ? static_cast<double>(element(ids.size(), i)) : each.elements[i];
        operands_.back().push_back(number);
        put(bytes, each.type.type, number);
      }
      const auto name = "x" + std::to_string(ids.size());
      ids.back() = each.is_constant ? b_.constant(name, each.type, bytes) : b_.user_input(name, each.type);
      if (!each.is_constant) input_.insert(input_.end(), bytes.begin(), bytes.end());
    }
    std::vector<value_id> results;
    for (const auto& type : outputs) results.push_back(b_.add_value(b_.make_value("y", type, value_kind::intermediate)));
    b_.add_node(b_.make_node("node", op), ids, results, {literals.begin(), literals.size()});
    for (const auto id : results) b_.output(id);
    outputs_ = std::move(outputs);
  }

  /// Replaces the argument with the text "factors" by a list of real numbers.
  void set_factors(numbers factors) { factors_ = std::move(factors); }
  /// Returns the elements of operand `at`.
  auto x(std::size_t at) const -> const numbers& { return operands_[at]; }
  /// Returns the elements of all outputs, one after another.
  auto run() -> numbers {
    const auto program = finished();
    CHECK(!verify(program));
    const auto wrong = check_inference(program);
    CHECK_MESSAGE(!wrong, std::string(view(wrong.reason)));
    const auto legal = legalize::run(program);
    if (!legal) FAIL(std::string(view(legal.error.reason)));
    CHECK(!verify(legal.value));
    CHECK(!check_inference(legal.value));
    nodes::bytes output;
    nodes::interpreter runner{legal.value};
    const auto why = runner.run(portable_kernels, input_, output);
    CAPTURE(std::string(view(qdq::operators_in(legal.value))));
    REQUIRE(why == "");
    numbers result;
    const char* at = output.data();
    for (const auto& type : outputs_) {
      for (std::int64_t i = 0; i < element_count(type.shape()); ++i, at += width_of(type.type)) result.push_back(get(at, type.type));
    }
    return result;
  }
  auto reason() -> std::string {
    const auto result = legalize_torch::run(finished());
    return result ? "" : std::string(view(result.error.reason));
  }

 private:
  auto finished() -> exported_program {
    auto program = b_.finish();
    for (auto& each : program.attributes) {
      if (each.kind != attribute_kind::text || program_view(program).text(each.bytes) != "factors") continue;
      each.kind = attribute_kind::reals;
      each.list = {static_cast<std::uint32_t>(program.reals.size()), static_cast<std::uint32_t>(factors_.size())};
      program.reals.insert(program.reals.end(), factors_.begin(), factors_.end());
    }
    return program;
  }

  program_builder b_;
  std::vector<numbers> operands_;
  nodes::bytes input_;
  numbers factors_;
  std::vector<tensor_type> outputs_;
};

inline void check(const numbers& actual, const numbers& expected, double tolerance = 1e-5) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(actual[i] - expected[i]) <= tolerance * (1 + std::fabs(expected[i])));
  }
}
inline auto each(const numbers& from, const std::function<double(double)>& f) -> numbers {
  numbers result;
  for (const auto x : from) result.push_back(f(x));
  return result;
}
inline auto pairs(const numbers& a, const numbers& b, const std::function<double(double, double)>& f) -> numbers {
  numbers result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(f(a[i], b[i % b.size()]));
  return result;
}

}  // namespace torch_tests
