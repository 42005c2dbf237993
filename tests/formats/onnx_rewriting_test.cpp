// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rewritten ONNX files: files with other names, orders and representations, and the same meaning, have equal outputs. BATON_VARIANTS is the
// number of files of each model, 3 by default.
#include <baton/core/program.hpp>

#include "formats/onnx_case.hpp"
#include "formats/onnx_rewriter.hpp"
#include "formats/onnx_tree.hpp"
#include "formats/portable_run.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using formats::onnx_case;

auto text_view(const baton::vector<char>& bytes) -> std::string_view { return {bytes.data(), bytes.size()}; }

auto variant_count() -> int {
  const char* const set = std::getenv("BATON_VARIANTS");
  return set == nullptr ? 3 : std::atoi(set);
}

/// Runs a file with `input(k)`. Returns the outputs, or the message of the rule that it breaks.
auto run_file(const onnx_case& model, std::string_view file, int k) -> std::string {
  const auto imported = model.read_bytes({file.data(), file.size()}, k);
  if (!imported) return formats::text_of(message(imported.error));
  const auto legal = formats::legalized(imported.value);
  if (!legal) return std::string(legal.error.rule_name);
  std::vector<char> output;
  const auto why = formats::run_portable(legal.value, model.input(k), output);
  return why.empty() ? std::string(output.begin(), output.end()) : "no kernel";
}

void check_variants(const onnx_case& model, unsigned changes, int variants) {
  std::string expected[4];
  for (int k = 0; k < std::min(variants, 4); ++k) expected[k] = run_file(model, text_view(model.model()), k);
  formats::onnx_rewriter rewriter(text_view(model.model()), changes + model.model().size());
  for (int variant = 0; variant < variants; ++variant) {
    CAPTURE(variant);
    const auto file = rewriter.next(changes);
    const auto output = run_file(model, file, variant % 4);
    if (output != expected[variant % 4]) CHECK(output == "the same");
  }
}

}  // namespace

TEST_CASE("a file is written as it was read" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    CHECK(formats::bytes_of_tree(formats::read_tree(text_view(model.model()))) == text_view(model.model()));
  }
}

TEST_CASE("onnx: rewritten files have the outputs of the original" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    check_variants(model, formats::all_changes, variant_count());
  }
}

TEST_CASE("onnx: each change alone has no effect" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    if (model.name() != "onnx_digits_cnn_qop_u8" && variant_count() < 10) continue;
    for (unsigned change = 1; change < formats::all_changes; change <<= 1) {
      CAPTURE(change);
      check_variants(model, change, 2);
    }
  }
}
