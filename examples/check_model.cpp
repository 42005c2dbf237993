// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the recorded cases of a bundled program (.bpte) and compares the outputs: program [--rtol NUMBER] [--atol NUMBER]. Prints a line for
// each case. The exit status is 1 if an output differs. The cases of a method run in order and keep its state, because the recorded outputs
// are usually those of one module. As in ExecuTorch, floating point numbers differ if |actual - expected| > atol + rtol * |expected|; all
// others must be equal. A bundled program states no tolerances. The default values are those of ExecuTorch's verify_method_outputs.
// If the sizes of inputs have upper bounds, the method is also compiled for the other sizes of its cases; the executors pass the state on.
// `run_model.sh --check` builds the program. The macros are those of compiled_model.hpp. ENTRY selects a method; if it is empty, the
// program runs the cases of all methods.
#include "all_kernels.hpp"
#include "model.hpp"
#include "tools.hpp"

#include CHOICE_HEADER

#include <baton/import/pte.hpp>
#include <baton/import/pte_bundle.hpp>
#include <baton/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#if !defined(ENTRY)
#define ENTRY ""  // all methods
#endif
#if !defined(IMPORTERS)
#define IMPORTERS baton::default_importers
#endif

namespace {

using baton::pte::recorded_value;

constexpr baton::span<const char> file{model, sizeof model - 1};
constexpr auto count_of_methods() -> std::size_t {
  const auto methods = baton::pte::importer::entry_points(file);
  return methods.size();
}
constexpr auto size_of_name(std::size_t method) -> std::size_t {
  const auto methods = baton::pte::importer::entry_points(file);
  return methods[method].name.size();
}

/// The name of a method of the file.
template <std::size_t I>
constexpr auto method_name = [] {
  baton::fixed_string<size_of_name(I) + 1> text;
  const auto methods = baton::pte::importer::entry_points(file);
  for (std::size_t c = 0; c < methods[I].name.size(); ++c) text.characters[c] = methods[I].name[c];
  return text;
}();
template <std::size_t I>
constexpr auto has_cases = [] {
  const auto cases = baton::pte::recorded_cases_of(file, method_name<I>);
  return !cases || !cases.value.empty();
}();

struct tolerances {
  double relative = 1e-5;
  double absolute = 1e-8;
};

/// Returns the value of a float16 number: a sign, 5 bits of exponent, 10 bits of fraction.
auto value_of_half(std::uint16_t bits) -> double {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double size = std::ldexp(exponent == 0 ? fraction : fraction + 1024, (exponent == 0 ? 1 : exponent) - 25);
  if (exponent == 31) size = fraction == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class T>
auto number_at(const char* from) -> T {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
/// Returns an element of a tensor. Only its bits count for types that are not listed here.
auto element_at(baton::dtype type, const char* from) -> double {
  switch (type) {
    case baton::dtype::float16:
      return value_of_half(number_at<std::uint16_t>(from));
    case baton::dtype::float32:
      return static_cast<double>(number_at<float>(from));
    case baton::dtype::float64:
      return number_at<double>(from);
    case baton::dtype::int8:
      return number_at<std::int8_t>(from);
    case baton::dtype::int16:
    case baton::dtype::bfloat16:
      return number_at<std::int16_t>(from);
    case baton::dtype::uint16:
      return number_at<std::uint16_t>(from);
    case baton::dtype::int32:
      return number_at<std::int32_t>(from);
    case baton::dtype::int64:
      return static_cast<double>(number_at<std::int64_t>(from));
    default:
      return number_at<std::uint8_t>(from);
  }
}

/// Returns whether two floating point numbers differ.
auto is_different(double actual, double expected, const tolerances& allowed) -> bool {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) != std::isnan(expected);
  if (std::isinf(actual) || std::isinf(expected)) return actual != expected;
  return std::abs(actual - expected) > allowed.absolute + allowed.relative * std::abs(expected);
}

/// Compares an output with the recorded one. Returns the number of elements that differ. If there are any, appends it and the largest
/// difference to `line`.
auto compare(baton::text_buffer& line, std::size_t output, baton::dtype type, baton::span<const char> actual,
             baton::span<const char> expected, const tolerances& allowed) -> std::size_t {
  const auto size = std::size_t{baton::facts(type).bits} / 8;
  const bool is_real = type == baton::dtype::float32 || type == baton::dtype::float64 || type == baton::dtype::float16;
  std::size_t count = 0, worst = 0;
  double largest = -1;
  for (std::size_t at = 0; at + size <= expected.size(); at += size) {
    const auto a = element_at(type, actual.data() + at), e = element_at(type, expected.data() + at);
    if (is_real ? !is_different(a, e, allowed) : std::memcmp(actual.data() + at, expected.data() + at, size) == 0) continue;
    ++count;
    const auto distance = std::isfinite(a - e) ? std::abs(a - e) : HUGE_VAL;
    if (distance <= largest) continue;
    largest = distance;
    worst = at;
  }
  if (count == 0) return 0;
  char text[160];
  std::snprintf(text, sizeof text, "; output %zu: %zu of %zu elements differ, at most element %zu: %.9g instead of %.9g", output, count,
                expected.size() / size, worst / size, element_at(type, actual.data() + worst), element_at(type, expected.data() + worst));
  baton::append(line, std::string_view{text});
  return count;
}

/// Returns the bytes of a recorded value. A number has those of an element of its type.
auto bytes_of(const recorded_value& value) -> baton::span<const char> {
  if (!value.sizes.empty() || value.data.size() != 0) return value.data;
  const auto bits = std::size_t{baton::facts(value.type).bits};
  return {reinterpret_cast<const char*>(&value.number), bits / 8};  // little-endian, as the programs
}

/// Returns why a recorded value is not a value of the program; empty if it is one. The sizes of both are those in memory.
template <class Info>
auto fail(const char* what, std::size_t position, const recorded_value& value, const Info& info) -> baton::text_buffer {
  bool fits = value.type == info.type && value.sizes.size() == info.shape.size() && value.dim_order.size() == value.sizes.size();
  for (std::size_t i = 0; fits && i < value.sizes.size(); ++i) {
    const auto dimension = static_cast<std::size_t>(value.dim_order[i]);
    fits = dimension < value.sizes.size() && value.sizes[dimension] == info.shape[i];
  }
  if (fits) return {};
  auto text = baton::join(what, position, " is ", baton::facts(value.type).name, "[");
  for (std::size_t i = 0; i < value.sizes.size(); ++i) baton::append(baton::append(text, i == 0 ? "" : ","), value.sizes[i]);
  baton::append(baton::append(text, "]; the program has "), baton::view(baton::join(baton::facts(info.type).name, "[")));
  for (std::size_t i = 0; i < info.shape.size(); ++i) baton::append(baton::append(text, i == 0 ? "" : ","), info.shape[i]);
  return baton::append(text, "] in memory");
}

/// Returns whether an input is a tensor. The inputs that are numbers keep their values of the export, as in ExecuTorch.
constexpr auto is_tensor(const recorded_value& input) -> bool { return !input.dim_order.empty() || input.data.size() != 0; }

/// Returns the input `position` of a recorded case of a method.
template <std::size_t I>
constexpr auto recorded_input(std::size_t number, std::size_t position) -> recorded_value {
  auto cases = baton::pte::recorded_cases_of(file, method_name<I>);
  return cases.value[number].inputs[position];
}
template <std::size_t I>
constexpr auto count_of_cases = baton::pte::recorded_cases_of(file, method_name<I>).value.size();
template <std::size_t I, std::size_t Case>
constexpr auto count_of_inputs = baton::pte::recorded_cases_of(file, method_name<I>).value[Case].inputs.size();

/// The sizes of an input of a recorded case, as a read option.
template <std::size_t I, std::size_t Case, std::size_t Position>
struct input_sizes {
  static constexpr auto rank = recorded_input<I>(Case, Position).sizes.size();
  static constexpr auto sizes = [] {
    std::array<std::int64_t, rank + 1> list{};
    const auto input = recorded_input<I>(Case, Position);
    for (std::size_t i = 0; i < rank; ++i) list[i] = input.sizes[i];
    return list;
  }();
  static constexpr auto name = [] {
    baton::fixed_string<sizeof "input_" + (Position < 10 ? 1 : Position < 100 ? 2 : 3)> text;
    const auto digits = baton::join("input_", Position);
    for (std::size_t c = 0; c < digits.size(); ++c) text.characters[c] = digits[c];
    return text;
  }();
  static constexpr void add_to(baton::pte::read_option_lists& lists) {
    if constexpr (rank != 0) lists.shapes.push_back({name, {sizes.data(), rank}});
  }
};

constexpr std::size_t bounds = static_cast<std::size_t>(-1);  ///< instead of a case: the sizes are the upper bounds

/// The importer of a method with the sizes of the case `Case`. Keeps the read options of IMPORTERS.
template <class Importers, std::size_t I, std::size_t Case, class = std::make_index_sequence<count_of_inputs<I, Case>>>
struct sized;
template <class Importers, std::size_t I, std::size_t Case, std::size_t... K>
struct sized<Importers, I, Case, std::index_sequence<K...>> {
  using importer = baton::pte::importer_with<input_sizes<I, Case, K>...>;
};
template <template <class...> class List, class... Choices, std::size_t I, std::size_t Case, std::size_t... K>
struct sized<List<baton::pte::importer_with<Choices...>>, I, Case, std::index_sequence<K...>> {
  using importer = baton::pte::importer_with<Choices..., input_sizes<I, Case, K>...>;
};
template <std::size_t I, std::size_t Case>
using importer_of_case = sized<std::remove_cvref_t<decltype(IMPORTERS)>, I, Case>::importer;

/// A method of the file, lowered with the choice. Its inputs have the sizes of a case, or the upper bounds.
template <std::size_t I, std::size_t Case>
constexpr auto imported() {
  if constexpr (Case == bounds) {
    return baton::read_model<model, IMPORTERS, method_name<I>>;
  } else {
    return baton::read_model<model, baton::importers<importer_of_case<I, Case>>, method_name<I>>;
  }
}
template <std::size_t I, std::size_t Case>
constexpr auto lowered = choices::CHOICE::lower(imported<I, Case>());
template <std::size_t I, std::size_t Case>
baton::executor<lowered<I, Case>, baton::with_kernels<choices::kernels>> net;

/// Returns the first case whose inputs have the sizes of the case `number`.
template <std::size_t I>
constexpr auto case_of_sizes(std::size_t number) -> std::size_t {
  const auto cases = baton::pte::recorded_cases_of(file, method_name<I>);
  const auto is_same = [&](std::size_t a, std::size_t b) {
    const auto &left = cases.value[a].inputs, &right = cases.value[b].inputs;
    bool same = left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i)
      same = std::equal(left[i].sizes.begin(), left[i].sizes.end(), right[i].sizes.begin(), right[i].sizes.end());
    return same;
  };
  std::size_t first = 0;
  while (!is_same(first, number)) ++first;
  return first;
}
/// True if no input of the case is smaller than its upper bound, or if the inputs do not fit the method.
template <std::size_t I, std::size_t Case>
constexpr auto has_bounds() -> bool {
  using executor = decltype(net<I, bounds>);
  std::size_t position = 0;
  bool fits = true, is_smaller = false;
  const auto compare = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    while (position < count_of_inputs<I, Case> && !is_tensor(recorded_input<I>(Case, position))) ++position;
    if (position == count_of_inputs<I, Case>) return void(fits = false);
    const auto input = recorded_input<I>(Case, position++);
    const auto info = baton::input_info<lowered<I, bounds>, K>();
    fits = fits && input.type == info.type && input.sizes.size() == info.shape.size() && input.dim_order.size() == input.sizes.size();
    for (std::size_t i = 0; fits && i < input.sizes.size(); ++i) {
      const auto dimension = static_cast<std::size_t>(input.dim_order[i]);
      fits = dimension < input.sizes.size() && input.sizes[dimension] <= info.shape[i];
      is_smaller = is_smaller || (fits && input.sizes[dimension] < info.shape[i]);
    }
  };
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (compare(std::integral_constant<std::size_t, K>{}), ...);
  }(std::make_index_sequence<executor::input_count>{});
  return !fits || !is_smaller;
}
/// Returns the mutable buffers of a program as text: the name and the size of each, in the order of the program.
constexpr auto states_of(const baton::program_view& view) -> baton::text_buffer {
  baton::text_buffer text;
  for (const auto id : view.inputs(view.root())) {
    if (view[id].kind != baton::value_kind::mutable_buffer) continue;
    baton::append(baton::append(text, view.text(view[id].target)), " ");
    baton::append(baton::append(text, baton::byte_count(view[id].type, view.shape(id))), " ");
  }
  return text;
}
/// True if the executors of a case and of the upper bounds have the states of the method, so that one can continue with those of the other.
/// False if a state has another size, or if a backend owns it.
template <std::size_t I, std::size_t Case>
constexpr auto has_same_states() -> bool {
  const auto all = states_of(imported<I, bounds>().value());
  const auto is_same = [&](const baton::program_view& program) { return baton::view(states_of(program)) == baton::view(all); };
  return is_same(lowered<I, bounds>.value()) && is_same(lowered<I, Case>.value());
}
/// Whether the method can be read with the sizes of a case.
template <std::size_t I, std::size_t Case>
constexpr auto is_possible() -> bool {
  const auto program = importer_of_case<I, Case>::read(file, std::string_view{method_name<I>});
  return static_cast<bool>(program);
}
/// The first case with the sizes of the case `Case`; `bounds` if they are the upper bounds, if the method cannot have these sizes, or if
/// its states depend on them.
template <std::size_t I, std::size_t Case>
constexpr auto chosen_case = [] {
  constexpr auto first = case_of_sizes<I>(Case);
  if constexpr (first != Case) {
    return chosen_case<I, first>;
  } else if constexpr (has_bounds<I, Case>()) {
    return bounds;
  } else if constexpr (!is_possible<I, Case>()) {
    return bounds;
  } else if constexpr (has_same_states<I, Case>()) {
    return Case;
  } else {
    return bounds;
  }
}();

/// The states of a method between its cases, which may run in different executors.
template <std::size_t I>
struct saved_states {
  std::array<char, decltype(net<I, bounds>)::state_bytes> bytes{};
  bool is_saved = false;
};
template <std::size_t I>
saved_states<I> saved;

/// Runs one recorded case of a method with the executor of the case `Sizes`, and prints a line. Returns true if all outputs are as
/// recorded.
template <std::size_t I, std::size_t Sizes>
auto check(const baton::pte::recorded_case& recorded, std::size_t number, const tolerances& allowed) -> bool {
  using executor = decltype(net<I, Sizes>);
  auto line = baton::join(std::string_view{method_name<I>}, " ", number, ": ");
  const auto finish = [&line](bool is_same) {
    line.push_back('\n');
    show(line);
    return is_same;
  };
  baton::vector<const recorded_value*> tensors;
  for (const auto& input : recorded.inputs) {
    if (is_tensor(input)) tensors.push_back(&input);
  }
  baton::text_buffer why;
  if (tensors.size() != executor::input_count)
    why = baton::join(tensors.size(), " tensors are recorded as inputs, not ", executor::input_count);
  if (recorded.outputs.size() != executor::output_count)
    why = baton::join(recorded.outputs.size(), " outputs are recorded, not ", executor::output_count);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((why.empty() ? void(why = fail("input ", K, *tensors[K], baton::input_info<lowered<I, Sizes>, K>())) : void()), ...);
  }(std::make_index_sequence<executor::input_count>{});
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((why.empty() ? void(why = fail("output ", K, recorded.outputs[K], baton::output_info<lowered<I, Sizes>, K>())) : void()), ...);
  }(std::make_index_sequence<executor::output_count>{});
  if (!why.empty()) {
    baton::append(baton::append(line, "not run; "), baton::view(why));
    return finish(false);
  }
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (std::memcpy(net<I, Sizes>.template input<K>().data(), tensors[K]->data.data(), tensors[K]->data.size()), ...);
  }(std::make_index_sequence<executor::input_count>{});
  if (saved<I>.is_saved) net<I, Sizes>.restore(saved<I>.bytes);
  if constexpr (!std::is_void_v<decltype(net<I, Sizes>.run())>) {
    if (net<I, Sizes>.run() != baton::status::ok) {
      baton::append(line, "not run; a delegate failed");
      return finish(false);
    }
  } else {
    net<I, Sizes>.run();
  }
  net<I, Sizes>.save(saved<I>.bytes);
  saved<I>.is_saved = true;
  std::size_t count = 0, elements = 0;
  baton::text_buffer different;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((count += compare(different, K, recorded.outputs[K].type, net<I, Sizes>.template output<K>(), bytes_of(recorded.outputs[K]), allowed),
      elements += bytes_of(recorded.outputs[K]).size() * 8 / std::size_t{baton::facts(recorded.outputs[K].type).bits}),
     ...);
  }(std::make_index_sequence<executor::output_count>{});
  baton::append(baton::append(line, count == 0 ? "as recorded, " : "different, "), static_cast<std::int64_t>(elements));
  baton::append(baton::append(line, elements == 1 ? " element" : " elements"), baton::view(different));
  return finish(count == 0);
}

/// The recorded cases that were run, and those whose outputs are as recorded.
struct counts {
  std::size_t all = 0;
  std::size_t same = 0;
};

template <std::size_t I>
void check_method(counts& to, const tolerances& allowed) {
  if constexpr (has_cases<I> && (std::string_view{ENTRY}.empty() || std::string_view{method_name<I>} == ENTRY)) {
    const auto cases = baton::pte::recorded_cases_of(file, method_name<I>);
    if (!cases) show(baton::join(baton::view(baton::message(cases.error)), "\n"));
    if (!cases) ++to.all;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      to.all += sizeof...(K);
      ((to.same += check<I, chosen_case<I, K>>(cases.value[K], K, allowed) ? 1 : 0), ...);
    }(std::make_index_sequence<count_of_cases<I>>{});
  }
}

/// Reads an option with a number. Returns false if the number is invalid.
auto read_number(const char* text, double& number) -> bool {
  char* end = nullptr;
  number = std::strtod(text, &end);
  return end != text && *end == '\0' && number >= 0;
}

}  // namespace

auto main(int count, char** words) -> int {
  tolerances allowed;
  for (int i = 1; i < count; i += 2) {
    const std::string_view option = words[i];
    const bool is_known = option == "--rtol" || option == "--atol";
    if (!is_known || i + 1 == count || !read_number(words[i + 1], option == "--rtol" ? allowed.relative : allowed.absolute)) {
      std::fprintf(stderr, "usage: %s [--rtol NUMBER] [--atol NUMBER]\n", words[0]);
      return 2;
    }
  }
  counts result;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_method<I>(result, allowed), ...);
  }(std::make_index_sequence<count_of_methods()>{});
  if (result.all == 0) {
    std::fprintf(stderr, "the model has no recorded cases%s; they are in bundled programs of ExecuTorch (.bpte)\n",
                 std::string_view{ENTRY}.empty() ? "" : " of this method");
    return 1;
  }
  std::printf("%zu of %zu recorded cases have the recorded outputs (rtol %g, atol %g)\n", result.same, result.all, allowed.relative,
              allowed.absolute);
  return result.same == result.all ? 0 : 1;
}
