// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/operators/shared/operator_names.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

constexpr auto is_good(std::string_view name) -> bool { return !check_operator_name(name); }
constexpr auto is_refused(std::string_view name, std::string_view reason) -> bool {
  const auto why = check_operator_name(name);
  return why.is<"unknown_operator">() && view(why.op) == name && view(why.reason) == reason;
}

constexpr auto every_name_of_the_table_is_good() -> bool {
  return std::ranges::all_of(tflite::operator_names, [](const auto& name) { return name.text == "tfl.custom" || is_good(name.text); });
}
static_assert(every_name_of_the_table_is_good());

constexpr auto other_namespaces_are_open() -> bool {
  return is_good("aten.conv2d") && is_good("my_company.fft") && is_good("tflite.conv2d") && is_good("conv2d") && is_good("") &&
         is_good("executorch_call_delegate");
}
static_assert(other_namespaces_are_open());

/// `CONV_2D` of the file format is `tfl.conv_2d` here. Other names in capitals may be operators.
constexpr auto spellings_of_the_file_format_are_refused() -> bool {
  const auto is_meant = [](std::string_view spelling, std::string_view reason) {
    const auto why = check_operator_name(spelling);
    return why.is<"operator_without_namespace">() && view(why.op) == spelling && view(why.reason) == reason;
  };
  return is_meant("CONV_2D", "write tfl.conv_2d") && is_meant("RELU6", "write tfl.relu6") && is_good("MY_FFT") && is_good("CUSTOM") &&
         is_good("CUSTOM.X") && is_good("Conv_2d") && is_good("2");
}
static_assert(spellings_of_the_file_format_are_refused());

// As the importer names them.
constexpr auto custom_and_young_operators_are_good() -> bool {
  return is_good("tfl.custom.ethos-u") && is_good("tfl.custom.c") && is_good("tfl.builtin_210") && is_good("tfl.builtin_2147483647");
}
static_assert(custom_and_young_operators_are_good());

constexpr auto misspelt_names_are_refused_with_the_nearest() -> bool {
  return is_refused("tfl.conv2d", "the nearest is tfl.conv_2d; a custom operator is named tfl.custom.conv2d") &&
         is_refused("tfl.Conv2D", "the nearest is tfl.conv_2d; a custom operator is named tfl.custom.Conv2D") &&
         is_refused("tfl.averagepool2d", "the nearest is tfl.average_pool_2d; a custom operator is named tfl.custom.averagepool2d") &&
         is_refused("tfl.relu_6", "the nearest is tfl.relu6; a custom operator is named tfl.custom.relu_6") &&
         is_refused("tfl.ethos-u", "a custom operator is named tfl.custom.ethos-u") &&
         is_refused("tfl.x", "a custom operator is named tfl.custom.x");
}
static_assert(misspelt_names_are_refused_with_the_nearest());

constexpr auto names_that_are_no_whole_ones_are_refused() -> bool {
  return is_refused("tfl.", "a custom operator is named tfl.custom.CODE") &&
         is_refused("tfl.custom", "a custom operator is named tfl.custom.CODE") &&
         is_refused("tfl.custom.", "a custom operator is named tfl.custom.CODE");
}
static_assert(names_that_are_no_whole_ones_are_refused());

// Each looks at the whole table, and a constant has its limit.
static_assert(!is_good("tfl.builtin_"));
static_assert(!is_good("tfl.builtin_3"));
static_assert(!is_good("tfl.builtin_2147483648"));
static_assert(!is_good("tfl.builtin_x"));

/// The edit distance by its definition.
auto distance(std::string_view a, std::string_view b) -> std::size_t {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return distance(a.substr(1), b.substr(1));
  return 1 + std::min({distance(a.substr(1), b), distance(a, b.substr(1)), distance(a.substr(1), b.substr(1))});
}

}  // namespace

TEST_CASE("operator names: the table, custom and young ones, open namespaces") {
  CHECK(every_name_of_the_table_is_good());
  CHECK(other_namespaces_are_open());
  CHECK(custom_and_young_operators_are_good());
}
TEST_CASE("operator names: what is misspelt is refused with the nearest") {
  CHECK(misspelt_names_are_refused_with_the_nearest());
  CHECK(names_that_are_no_whole_ones_are_refused());
  for (const auto* text :
       {"tfl.builtin_", "tfl.builtin_3", "tfl.builtin_2147483648", "tfl.builtin_99999999999999999999999999", "tfl.builtin_x"}) {
    CHECK_FALSE(is_good(text));
  }
}
TEST_CASE("operator names: distances below the bound are edit distances") {
  constexpr std::string_view texts[] = {"", "a", "b", "ab", "ba", "abab", "baba", "bbb", "aabba", "abcab", "cabac"};
  for (const auto a : texts) {
    baton::detail::edit_distance to(a);
    for (const auto b : texts) {
      for (std::size_t bound = 0; bound < 7; ++bound) CHECK(to.to(b, bound) == std::min(distance(a, b), bound));
    }
  }
}
TEST_CASE("operator names: spellings of the file format") { CHECK(spellings_of_the_file_format_are_refused()); }

#if BATON_EXCEPTIONS
TEST_CASE("operator names: the sentence at run time is that of the compiler") {
  CHECK_THROWS_WITH_AS(raise(check_operator_name("tfl.conv2d")),
                       "baton unknown_operator: TensorFlow Lite has no operator of this name; correct the name, or use your own "
                       "namespace [operator: tfl.conv2d] [the nearest is tfl.conv_2d; a custom operator is named "
                       "tfl.custom.conv2d]",
                       error);
}
#endif
