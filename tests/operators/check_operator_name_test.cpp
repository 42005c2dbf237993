// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/onnx.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/operators/shared/require_operator_name.hpp>
#include <baton/operators/torch.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
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
  return is_accepted("aten.conv2d") && is_accepted("my_company.fft") && is_accepted("tflm.conv2d") && is_accepted("my.conv_2d") &&
         is_accepted("") && is_accepted(".") && is_accepted("executorch_call_delegate");
}
static_assert(other_namespaces_are_accepted());

constexpr auto is_corrected(std::string_view name, std::string_view meant) -> bool {
  const auto why = check_operator_name(name);
  const std::string_view reason = view(why.reason);
  const std::string_view verb = why.is<"operator_without_namespace">() ? "write " : "the nearest name is ";
  return why && view(why.op) == name && reason.starts_with(verb) && reason.substr(verb.size()) == meant;
}

// Such as `CONV_2D` of the file format. Short names that are not equal to a known name may be user-defined operators.
constexpr auto names_without_namespace_are_rejected() -> bool {
  return is_corrected("CONV_2D", "tfl.conv_2d") && is_corrected("RELU6", "tfl.relu6") && is_corrected("conv_2d", "tfl.conv_2d") &&
         is_corrected("Conv_2d", "tfl.conv_2d") && is_corrected("conv2d", "tfl.conv_2d") && is_corrected("neg", "tfl.neg") &&
         is_corrected("FULLY_CONECTED", "tfl.fully_connected");
}
static_assert(names_without_namespace_are_rejected());

constexpr auto names_without_namespace_of_other_formats_are_rejected() -> bool {
  return is_corrected("Conv", "onnx.Conv") && is_corrected("Relu", "tfl.relu or onnx.Relu");
}
static_assert(names_without_namespace_of_other_formats_are_rejected());

constexpr auto other_names_without_namespace_are_accepted() -> bool {
  return is_accepted("MY_FFT") && is_accepted("CUSTOM") && is_accepted("CUSTOM.X") && is_accepted("2") && is_accepted("sort") &&
         is_accepted("pool") && is_accepted("mm.default");
}
static_assert(other_names_without_namespace_are_accepted());

constexpr auto misspelled_namespaces_are_rejected() -> bool {
  return is_corrected("tlf.conv_2d", "tfl.conv_2d") && is_corrected("TFL.conv_2d", "tfl.conv_2d") &&
         is_corrected("tf.Conv2D", "tfl.conv_2d") && is_corrected("Aten.mm.default", "aten.mm.default") &&
         is_corrected("tflite.conv_2d", "tfl.conv_2d") && is_corrected("onxn.Conv", "onnx.Conv") && is_accepted("tlf.fft") &&
         is_accepted("tflite.fft") && is_accepted("ate.fft") && is_accepted("onn.Fft");
}
static_assert(misspelled_namespaces_are_rejected());

constexpr auto misspelled_names_of_other_formats_are_rejected() -> bool {
  return is_corrected("aten.convolution.defaul", "aten.convolution.default") && is_corrected("aten.covolution", "aten.convolution") &&
         is_corrected("aten.covolution.default", "aten.convolution.default") &&
         is_corrected("aten.Conv2d.default", "aten.conv2d.default") && is_corrected("aten.add.tensor", "aten.add.Tensor") &&
         is_corrected("onnx.Convv", "onnx.Conv") && is_corrected("onnx.matmul", "onnx.MatMul");
}
static_assert(misspelled_names_of_other_formats_are_rejected());

// PyTorch and ONNX have operators that the library does not know. Some of them are similar to operators that it knows.
constexpr auto other_names_of_other_formats_are_accepted() -> bool {
  for (const std::string_view name :
       {"aten.acos.default", "aten.max_pool3d.default", "aten.softmax.int", "aten.hardtanh_.default", "aten._log_softmax.out",
        "aten.any.dims", "aten.bitwise_or.Tensor", "aten.logical_xor.default", "aten.sym_size.int", "aten.split.Tensor_out",
        "aten.unsqueeze_.default", "onnx.Einsum", "onnx.Det", "onnx.com.microsoft.Convv", "onnx.TopK"}) {
    if (!is_accepted(name)) return false;
  }
  return true;
}
static_assert(other_names_of_other_formats_are_accepted());

// A list of kernels passes the dialect of the program, which may be null.
constexpr auto only_given_dialects_are_known() -> bool {
  const operator_dialect* const no_dialect[] = {nullptr};
  const operator_dialect* const dialects[] = {nullptr, &onnx::dialect};
  const auto corrected = check_operator_name("onnx.Convv", dialects);
  return !check_operator_name("onnx.Convv", {}) && !check_operator_name("onnx.Convv", no_dialect) &&
         view(corrected.reason) == "the nearest name is onnx.Conv" && !check_operator_name("aten.covolution", dialects) &&
         check_operator_name("tfl.conv2d", {});
}
static_assert(only_given_dialects_are_known());

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
TEST_CASE("check_operator_name rejects names without a namespace that are similar to a known name") {
  CHECK(names_without_namespace_are_rejected());
  CHECK(names_without_namespace_of_other_formats_are_rejected());
  CHECK(other_names_without_namespace_are_accepted());
}
TEST_CASE("check_operator_name rejects misspelled namespaces") { CHECK(misspelled_namespaces_are_rejected()); }
TEST_CASE("check_operator_name rejects misspelled names of ONNX and PyTorch") {
  CHECK(misspelled_names_of_other_formats_are_rejected());
  CHECK(other_names_of_other_formats_are_accepted());
}
TEST_CASE("check_operator_name knows every operator of the dialects, without a list of names") {
  onnx::dialect.for_each([&](const operator_definition& definition) {
    const auto name = definition.name.text;
    CHECK_MESSAGE(is_accepted(name), name);
    CHECK_MESSAGE(is_corrected("onxn" + std::string(name.substr(4)), name), name);
  });
  const auto check_aten = [&](const operator_definition& definition) {
    const auto name = definition.name.text;
    CHECK_MESSAGE(is_accepted(name), name);
    if (name.starts_with("aten.")) CHECK_MESSAGE(is_corrected("Aten" + std::string(name.substr(4)), name), name);
  };
  torch::dialect.for_each(check_aten);
  executorch::dialect.for_each(check_aten);
}
TEST_CASE("check_operator_name knows only the operators of the dialects that it receives") { CHECK(only_given_dialects_are_known()); }

#if BATON_EXCEPTIONS
TEST_CASE("check_operator_name throws the sentence of the compile-time error") {
  CHECK_THROWS_WITH_AS(
      raise(check_operator_name("tfl.conv2d")),
      "baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own "
      "namespace [operator: tfl.conv2d] [the nearest name is tfl.conv_2d; a custom operator is named "
      "tfl.custom.conv2d]",
      error);
}
#endif
