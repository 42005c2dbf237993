// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The name, dtype, shape and quantization of the inputs and outputs of a program, as constants.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/shared/rules.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// The name, type, shape and quantization of a tensor, with real = scale · (integer − zero point). `scales` is empty if the tensor is not
/// quantized. Otherwise, `scales` has one element for the whole tensor, or one for each channel along `axis`. `zero_points` has as many
/// elements as `scales`.
struct tensor_info {
  std::string_view name;
  dtype type = dtype::float32;
  span<const std::int64_t> shape;
  span<const float> scales;
  span<const std::int64_t> zero_points;
  std::size_t axis = 0;
  std::size_t elements = 0;
  std::size_t bytes = 0;
};

namespace detail {

/// The facts of a value of a static program, as constants. The executable contains only the facts that are used. This class has no data
/// members. An object of this class converts to `tensor_info`, for example to put the facts of several tensors into one array.
template <class Program, value_id Id>
struct static_tensor_info {
 private:
  static constexpr auto view() -> program_view { return Program::value(); }
  static constexpr auto record() -> const value& { return Program::value()[Id]; }

  static constexpr auto name_bytes = [] {
    std::array<char, record().name.size> copy{};
    copy_bytes(view().text(record().name), copy.data());
    return copy;
  }();

 public:
  static constexpr std::string_view name{name_bytes.data(), name_bytes.size()};
  static constexpr dtype type = record().type;
  static constexpr auto shape = [] {
    std::array<std::int64_t, record().shape.size> copy{};
    for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = view().shape(Id)[i];
    return copy;
  }();
  static constexpr auto scales = [] {
    std::array<float, record().quant.channels> copy{};
    for (std::uint32_t c = 0; c < copy.size(); ++c) copy[c] = view().scale(record().quant, c);
    return copy;
  }();
  static constexpr auto zero_points = [] {
    std::array<std::int64_t, record().quant.channels> copy{};
    for (std::uint32_t c = 0; c < copy.size(); ++c) copy[c] = view().zero_point(record().quant, c);
    return copy;
  }();
  static constexpr auto axis = static_cast<std::size_t>(record().quant.axis);
  static constexpr auto elements = static_cast<std::size_t>(element_count(shape));
  static constexpr auto bytes = static_cast<std::size_t>(byte_count(type, shape));

  constexpr operator tensor_info() const {  // NOLINT(google-explicit-constructor): for arrays of `tensor_info`
    return {name, type, shape, scales, zero_points, axis, elements, bytes};
  }
};

}  // namespace detail

/// Returns the facts of user input `I` of a static program: `baton::input_info<model, 0>().scales[0]`.
template <auto Program, std::size_t I = 0>
constexpr auto input_info() {
  using signature = detail::program_signature<std::remove_const_t<decltype(Program)>>;
  static_assert(I < signature::input_count(), "baton tensor_info: the program has no input with this index; indices begin at 0");
  if constexpr (I < signature::input_count()) {
    return detail::static_tensor_info<std::remove_const_t<decltype(Program)>, signature::user_input(I)>{};
  } else {
    return tensor_info{};
  }
}

/// Returns the facts of user output `I` of a static program.
template <auto Program, std::size_t I = 0>
constexpr auto output_info() {
  using signature = detail::program_signature<std::remove_const_t<decltype(Program)>>;
  static_assert(I < signature::output_count(), "baton tensor_info: the program has no output with this index; indices begin at 0");
  if constexpr (I < signature::output_count()) {
    return detail::static_tensor_info<std::remove_const_t<decltype(Program)>, signature::user_output(I)>{};
  } else {
    return tensor_info{};
  }
}

namespace detail {

template <class List>
constexpr auto values_of_root(const program_view& program, List list) -> vector<value_id> {
  if (program.graphs.empty()) return {};
  return list(program, graph_id{0});
}

/// Returns the position in `among` of the value with the name `name`. Fails with `unknown_tensor` if no value, or more than one, has this
/// name. The reason lists the names of all values in `among`.
constexpr auto position_of_name(const program_view& program, span<const value_id> among, std::string_view role, std::string_view name)
    -> result<std::size_t> {
  std::size_t position = among.size();
  std::size_t times = 0;
  for (std::size_t i = among.size(); i-- > 0;) {
    if (program.text(program[among[i]].name) != name) continue;
    position = i;
    ++times;
  }
  if (times == 1) return position;
  auto why = broken<"unknown_tensor">(times == 0 ? "no " : "more than one ", role, " is named ", view(shortened(name)), "; names:");
  for (const auto id : among) append(append(why.reason, " "), view(shortened(program.text(program[id].name))));
  return why;
}

/// Returns the position of the user input with the name `name`. This position is an index for `input_info` and for the executor's `input`.
/// Fails with `unknown_tensor` if no user input, or more than one, has this name. The reason lists the names of all user inputs.
constexpr auto find_input(const program_view& program, std::string_view name) -> result<std::size_t> {
  return position_of_name(program, values_of_root(program, user_inputs_of), "input", name);
}

/// Returns the position of the user output with the name `name`, and fails like `find_input`.
constexpr auto find_output(const program_view& program, std::string_view name) -> result<std::size_t> {
  return position_of_name(program, values_of_root(program, user_outputs_of), "output", name);
}

template <class Find>
consteval auto index_or_failure(const program_view& program, Find find, std::string_view name) -> std::pair<std::size_t, static_failure> {
  const auto position = find(program, name);
  return {position.value, static_failure{position.error}};
}

/// `input_index` returns the position of the user input with the name `Name`, `output_index` that of the user output. Both fail at compile
/// time with `unknown_tensor` if there is no such tensor, or more than one.
template <auto Program, fixed_string Name>
consteval auto input_index() -> std::size_t {
  constexpr auto position = index_or_failure(Program, find_input, Name);
  require_no_failure<position.second>();
  return position.first;
}
template <auto Program, fixed_string Name>
consteval auto output_index() -> std::size_t {
  constexpr auto position = index_or_failure(Program, find_output, Name);
  require_no_failure<position.second>();
  return position.first;
}

}  // namespace detail

}  // namespace baton
