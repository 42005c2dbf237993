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

constexpr auto is_accepted(std::string_view name) -> bool { return !check_operator_name(name); }
constexpr auto is_rejected(std::string_view name, std::string_view reason) -> bool {
  const auto why = check_operator_name(name);
  return why.is<"unknown_operator">() && view(why.op) == name && view(why.reason) == reason;
}

constexpr auto every_name_of_the_table_is_accepted() -> bool {
  return std::ranges::all_of(tflite::operator_names, [](const auto& name) { return name.text == "tfl.custom" || is_accepted(name.text); });
}
static_assert(every_name_of_the_table_is_accepted());

constexpr auto other_namespaces_are_accepted() -> bool {
  return is_accepted("aten.conv2d") && is_accepted("my_company.fft") && is_accepted("tflite.conv2d") && is_accepted("conv2d") &&
         is_accepted("") && is_accepted("executorch_call_delegate");
}
static_assert(other_namespaces_are_accepted());

/// `CONV_2D` of the file format is named `tfl.conv_2d` here. Other names in capitals may be user-defined operators.
constexpr auto spellings_of_the_file_format_are_rejected() -> bool {
  const auto is_suggested = [](std::string_view spelling, std::string_view reason) {
    const auto why = check_operator_name(spelling);
    return why.is<"operator_without_namespace">() && view(why.op) == spelling && view(why.reason) == reason;
  };
  return is_suggested("CONV_2D", "write tfl.conv_2d") && is_suggested("RELU6", "write tfl.relu6") && is_accepted("MY_FFT") &&
         is_accepted("CUSTOM") && is_accepted("CUSTOM.X") && is_accepted("Conv_2d") && is_accepted("2");
}
static_assert(spellings_of_the_file_format_are_rejected());

// The importer uses these names.
constexpr auto custom_and_newer_operators_are_accepted() -> bool {
  return is_accepted("tfl.custom.ethos-u") && is_accepted("tfl.custom.c") && is_accepted("tfl.builtin_210") &&
         is_accepted("tfl.builtin_2147483647");
}
static_assert(custom_and_newer_operators_are_accepted());

constexpr auto misspelled_names_are_rejected_with_the_nearest() -> bool {
  return is_rejected("tfl.conv2d", "the nearest name is tfl.conv_2d; a custom operator is named tfl.custom.conv2d") &&
         is_rejected("tfl.Conv2D", "the nearest name is tfl.conv_2d; a custom operator is named tfl.custom.Conv2D") &&
         is_rejected("tfl.averagepool2d", "the nearest name is tfl.average_pool_2d; a custom operator is named tfl.custom.averagepool2d") &&
         is_rejected("tfl.relu_6", "the nearest name is tfl.relu6; a custom operator is named tfl.custom.relu_6") &&
         is_rejected("tfl.ethos-u", "a custom operator is named tfl.custom.ethos-u") &&
         is_rejected("tfl.x", "a custom operator is named tfl.custom.x");
}
static_assert(misspelled_names_are_rejected_with_the_nearest());

constexpr auto incomplete_names_are_rejected() -> bool {
  return is_rejected("tfl.", "a custom operator is named tfl.custom.CODE") &&
         is_rejected("tfl.custom", "a custom operator is named tfl.custom.CODE") &&
         is_rejected("tfl.custom.", "a custom operator is named tfl.custom.CODE");
}
static_assert(incomplete_names_are_rejected());

// Separate constants: each name is compared with the whole table, and the compiler limits the steps per constant.
static_assert(!is_accepted("tfl.builtin_"));
static_assert(!is_accepted("tfl.builtin_3"));
static_assert(!is_accepted("tfl.builtin_2147483648"));
static_assert(!is_accepted("tfl.builtin_x"));

/// Returns the edit distance by its recursive definition.
auto recursive_distance(std::string_view a, std::string_view b) -> std::size_t {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return recursive_distance(a.substr(1), b.substr(1));
  return 1 +
         std::min({recursive_distance(a.substr(1), b), recursive_distance(a, b.substr(1)), recursive_distance(a.substr(1), b.substr(1))});
}

}  // namespace

TEST_CASE("check_operator_name accepts known operators, custom operators, newer operators and other namespaces") {
  CHECK(every_name_of_the_table_is_accepted());
  CHECK(other_namespaces_are_accepted());
  CHECK(custom_and_newer_operators_are_accepted());
}
TEST_CASE("check_operator_name rejects a misspelled name and suggests the nearest") {
  CHECK(misspelled_names_are_rejected_with_the_nearest());
  CHECK(incomplete_names_are_rejected());
  for (const auto* text :
       {"tfl.builtin_", "tfl.builtin_3", "tfl.builtin_2147483648", "tfl.builtin_99999999999999999999999999", "tfl.builtin_x"}) {
    CHECK_FALSE(is_accepted(text));
  }
}
TEST_CASE("edit_distance returns the edit distance, up to a bound") {
  constexpr std::string_view texts[] = {"", "a", "b", "ab", "ba", "abab", "baba", "bbb", "aabba", "abcab", "cabac"};
  for (const auto a : texts) {
    baton::detail::edit_distance distances(a);
    for (const auto b : texts) {
      for (std::size_t bound = 0; bound < 7; ++bound) CHECK(distances.to(b, bound) == std::min(recursive_distance(a, b), bound));
    }
  }
}
TEST_CASE("check_operator_name rejects spellings of the file format") { CHECK(spellings_of_the_file_format_are_rejected()); }

#if BATON_EXCEPTIONS
TEST_CASE("check_operator_name throws the sentence of the compile-time error") {
  CHECK_THROWS_WITH_AS(raise(check_operator_name("tfl.conv2d")),
                       "baton unknown_operator: TensorFlow Lite has no operator of this name; correct the name, or use your own "
                       "namespace [operator: tfl.conv2d] [the nearest name is tfl.conv_2d; a custom operator is named "
                       "tfl.custom.conv2d]",
                       error);
}
#endif
