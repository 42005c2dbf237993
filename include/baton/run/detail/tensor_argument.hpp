// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tensor arguments of `run`: arrays and spans of static extent, with elements of the tensor's type or raw bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/tensor.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

// Facts of diagnostics: the number of tensors, the position of the rejected tensor, and the given and expected elements of this tensor.
template <std::size_t Count>
struct given_tensors;
template <std::size_t Count>
struct wanted_inputs;
template <std::size_t Count>
struct wanted_outputs;
template <std::size_t Index>
struct for_input;
template <std::size_t Index>
struct for_output;
template <class Type, std::size_t... Count>
struct given;
template <class Type, std::size_t Count>
struct wanted;

namespace detail {

/// Returns the C++ type of the elements of a dtype. For any dtype without such a type, such as `int4` or `complex64`, returns `std::byte`,
/// because `run` then accepts only raw bytes.
template <dtype Type>
constexpr auto element_type_of() {
  if constexpr (Type == dtype::float32) {
    return std::type_identity<float>{};
  } else if constexpr (Type == dtype::float64) {
    return std::type_identity<double>{};
  } else if constexpr (Type == dtype::int8) {
    return std::type_identity<std::int8_t>{};
  } else if constexpr (Type == dtype::int16) {
    return std::type_identity<std::int16_t>{};
  } else if constexpr (Type == dtype::int32) {
    return std::type_identity<std::int32_t>{};
  } else if constexpr (Type == dtype::int64) {
    return std::type_identity<std::int64_t>{};
  } else if constexpr (Type == dtype::uint8 || Type == dtype::float8_e4m3 || Type == dtype::float8_e5m2) {
    return std::type_identity<std::uint8_t>{};
  } else if constexpr (Type == dtype::uint16 || Type == dtype::float16 || Type == dtype::bfloat16) {
    return std::type_identity<std::uint16_t>{};
  } else if constexpr (Type == dtype::uint32) {
    return std::type_identity<std::uint32_t>{};
  } else if constexpr (Type == dtype::uint64) {
    return std::type_identity<std::uint64_t>{};
  } else if constexpr (Type == dtype::boolean) {
    return std::type_identity<bool>{};
  } else {
    return std::type_identity<std::byte>{};
  }
}

template <class T>
inline constexpr bool is_raw_byte = std::same_as<T, char> || std::same_as<T, std::byte>;
/// True for integer types except `bool`, `char`, `wchar_t`, `char8_t`, `char16_t` and `char32_t`. `run` treats two such integer
/// types as equal if their size and signedness are equal, such as `int` and `long` with 32 bits.
template <class T>
inline constexpr bool is_whole_number = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, char8_t> &&
                                        !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && !std::same_as<T, wchar_t>;
template <class T, class Element>
inline constexpr bool is_element_type = std::same_as<T, Element>;
template <class T, class Element>
  requires(is_whole_number<T> && is_whole_number<Element>)
inline constexpr bool is_element_type<T, Element> = sizeof(T) == sizeof(Element) && std::is_signed_v<T> == std::is_signed_v<Element>;

/// The element type of a tensor argument, and the number of elements. The element type is const if `run` may not write the elements.
/// `is_known` is false if the argument's type does not determine the number of elements.
template <class T>
struct tensor_argument {
  static constexpr bool is_known = false;
};
template <class T>
struct nested_elements {
  using element = T;
  static constexpr std::size_t count = 1;
};
template <class T, std::size_t N>
struct elements_of_array {
  using element = typename T::element;
  static constexpr std::size_t count = N * T::count;
  static constexpr bool is_known = true;
};
template <class T, std::size_t N>
struct nested_elements<T[N]> : elements_of_array<nested_elements<T>, N> {};
template <class T, std::size_t N>
struct nested_elements<std::array<T, N>> : elements_of_array<nested_elements<T>, N> {};
template <class T, std::size_t N>
struct nested_elements<const std::array<T, N>> : elements_of_array<nested_elements<const T>, N> {};
template <class T, std::size_t N>
struct tensor_argument<T[N]> : elements_of_array<nested_elements<T>, N> {};
template <class T, std::size_t N>
struct tensor_argument<std::array<T, N>> : elements_of_array<nested_elements<T>, N> {};
template <class T, std::size_t N>
struct tensor_argument<const std::array<T, N>> : elements_of_array<nested_elements<const T>, N> {};
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
struct tensor_argument<std::span<T, N>> : elements_of_array<nested_elements<T>, N> {};
template <class T, std::size_t N>
  requires(N != std::dynamic_extent)
struct tensor_argument<const std::span<T, N>> : elements_of_array<nested_elements<T>, N> {};

template <class T>
concept sized_at_run_time = requires(const T& range) {
  range.data();
  range.size();
};

/// The reason to reject an argument of `run`.
enum class argument_problem : std::uint8_t { none, pointer, size_at_run_time, no_tensor, constant_output, other_elements, other_count };

/// A check of an argument of `run` against its tensor.
template <class Argument, dtype Type, std::size_t Count, std::size_t Bytes, bool IsOutput>
struct argument_check {
  using argument = tensor_argument<Argument>;
  using element = typename decltype(element_type_of<Type>())::type;
  using wanted_elements = wanted<element, std::same_as<element, std::byte> ? Bytes : Count>;

  static consteval auto given_fact() {
    if constexpr (argument::is_known) {
      return std::type_identity<given<std::remove_const_t<typename argument::element>, argument::count>>{};
    } else {
      return std::type_identity<given<std::remove_const_t<Argument>>>{};
    }
  }
  static consteval auto problem() -> argument_problem {
    if constexpr (std::is_pointer_v<Argument>) {
      return argument_problem::pointer;
    } else if constexpr (!argument::is_known) {
      return sized_at_run_time<Argument> ? argument_problem::size_at_run_time : argument_problem::no_tensor;
    } else {
      using given_type = std::remove_const_t<typename argument::element>;
      constexpr auto wanted_count = is_raw_byte<given_type> ? Bytes : Count;
      if (IsOutput && std::is_const_v<typename argument::element>) return argument_problem::constant_output;
      if (!is_raw_byte<given_type> && !is_element_type<given_type, element>) return argument_problem::other_elements;
      return argument::count == wanted_count ? argument_problem::none : argument_problem::other_count;
    }
  }
};

/// Fails at compile time with the message of `Problem`, followed by `Facts`.
template <argument_problem Problem, class Facts>
consteval void report_argument() {
  using enum argument_problem;
  static_assert(Problem != pointer || always_false<Facts>,
                "baton executor: a pointer is passed to run, but its type does not include the number of elements; pass an array, or "
                "std::span<T, N>(pointer, N)");
  static_assert(Problem != size_at_run_time || always_false<Facts>,
                "baton executor: the size of a tensor that is passed to run is not part of its type; pass an array, or "
                "std::span<T, N>(tensor)");
  static_assert(Problem != no_tensor || always_false<Facts>,
                "baton executor: an argument of run is neither an array nor a span of fixed extent; pass one of them");
  static_assert(
      Problem != constant_output || always_false<Facts>,
      "baton executor: an argument of run at the position of an output is const; pass the inputs first, then outputs that are not const");
  static_assert(Problem != other_elements || always_false<Facts>,
                "baton executor: the elements that are passed to run have another type than the tensor; pass the tensor's type, or "
                "std::byte for raw bytes");
  static_assert(
      Problem != other_count || always_false<Facts>,
      "baton executor: the number of elements that are passed to run differs from the tensor's; pass exactly the elements of the tensor");
}

/// A check of the arguments of `run` against the signature of a program.
template <class Signature, class Indices, class... Arguments>
struct arguments_check;
template <class Signature, std::size_t... I, class... Arguments>
struct arguments_check<Signature, std::index_sequence<I...>, Arguments...> {
  static constexpr std::size_t input_count = Signature::input_count();

  static constexpr auto id_of(std::size_t i) -> value_id {
    return i < input_count ? Signature::user_input(i) : Signature::user_output(i - input_count);
  }
  template <std::size_t N, class Argument>
  using check =
      argument_check<Argument, Signature::view()[id_of(N)].type, static_cast<std::size_t>(element_count(Signature::view().shape(id_of(N)))),
                     Signature::bytes_of(id_of(N)), (N >= input_count)>;

  static constexpr std::array<argument_problem, sizeof...(I)> problems{check<I, Arguments>::problem()...};
  static constexpr auto first_problem() -> std::size_t {
    std::size_t at = 0;
    while (at < problems.size() && problems[at] == argument_problem::none) ++at;
    return at;
  }
  template <std::size_t N>
  using argument_at = std::conditional_t<(N < input_count), for_input<N>, for_output<N - (N < input_count ? N : input_count)>>;
  template <std::size_t N>
  using check_at = check<N, std::remove_reference_t<std::tuple_element_t<N, std::tuple<Arguments&...>>>>;
  template <std::size_t N>
  using facts = error_facts<argument_at<N>, typename decltype(check_at<N>::given_fact())::type, typename check_at<N>::wanted_elements>;
};

/// Returns true if the arguments match the inputs of a program, followed by its outputs. Otherwise fails at compile time. The message is
/// about the number of arguments, or about the first argument that does not match.
template <class Signature, class... Arguments>
consteval auto check_arguments() -> bool {
  constexpr std::size_t inputs = Signature::input_count();
  constexpr std::size_t outputs = Signature::output_count();
  constexpr bool are_all = sizeof...(Arguments) == inputs + outputs;
  static_assert(are_all || always_false<error_facts<given_tensors<sizeof...(Arguments)>, wanted_inputs<inputs>, wanted_outputs<outputs>>>,
                "baton executor: the number of arguments of run is wrong; pass every input and then every output, or no tensors: "
                "run() or run(observer)");
  if constexpr (are_all) {
    using check = arguments_check<Signature, std::index_sequence_for<Arguments...>, Arguments...>;
    constexpr auto first = check::first_problem();
    if constexpr (first < sizeof...(Arguments)) report_argument<check::problems[first], typename check::template facts<first>>();
    return first == sizeof...(Arguments);
  }
  return false;
}

/// Returns the address of the first element of an argument.
template <class Argument>
auto begin_of_elements(Argument& argument) {
  if constexpr (std::is_array_v<Argument>) {
    return &argument;
  } else {
    return argument.data();
  }
}

template <std::size_t Bytes>
void copy_tensor(void* to, const void* from) {
  if constexpr (Bytes != 0) std::memcpy(to, from, Bytes);
}

/// Copies the first `input_count` arguments to the inputs of an executor.
template <class Signature, class Net, class All, std::size_t... I>
void copy_in(Net& net, const All& all, std::index_sequence<I...>) {
  (copy_tensor<Signature::bytes_of(Signature::user_input(I))>(net.template input<I>().data(), begin_of_elements(std::get<I>(all))), ...);
}

/// Copies the outputs of an executor to the arguments at position `input_count` and above.
template <class Signature, class Net, class All, std::size_t... O>
void copy_out(const Net& net, const All& all, std::index_sequence<O...>) {
  (copy_tensor<Signature::bytes_of(Signature::user_output(O))>(begin_of_elements(std::get<Net::input_count + O>(all)),
                                                               net.template output<O>().data()),
   ...);
}

}  // namespace detail

}  // namespace baton
