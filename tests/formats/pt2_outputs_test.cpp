// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The archives of torch.export of ../shared/formats: the types that the dialect infers, their outputs after the default passes, and their
// debug handles.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/pt2.hpp>
#include <baton/operators/infer.hpp>

#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"
#include "formats/pt2_case.hpp"
#include "formats/recorded_runs.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::pt2_case;

/// Imports a program for the shapes of the inputs `input(k)`.
auto read(const pt2_case& model, std::string_view golden, std::string_view name, std::size_t k) -> result<exported_program> {
  std::vector<std::int64_t> sizes;
  std::vector<pt2::read_options::bound_shape> bound;
  const auto shapes = formats::items_of(formats::json_at(golden, "shapes_of_each"));
  if (!shapes.empty()) {
    const auto shape = formats::items_of(formats::json_at(shapes.at(k), "inputs")).at(0);
    for (const auto size : formats::items_of(shape)) sizes.push_back(std::stoll(std::string(size)));
    bound.push_back({"x", sizes});
  }
  return model.read(name, bound);
}

/// Runs the recorded inputs of all programs, with the states of the previous runs, and compares the outputs. Quantized programs are as
/// exact as other programs: each integer equals the recorded one, and float operators may follow.
void check_outputs(const pt2_case& model) {
  std::size_t compared = 0;
  for (const auto& method : pt2::importer::entry_points(model.model())) {
    formats::kept_states states;
    const std::string name(method.name);
    CAPTURE(name);
    const auto all = formats::json_at(model.manifest(), "golden");
    auto golden = formats::json_at(all, name);
    const bool is_only = golden.empty();
    if (is_only) golden = formats::json_at(all, "forward");
    const auto allowed = pt2_case::allowed_difference(golden);
    for (std::size_t k = 0; k < 4; ++k) {
      CAPTURE(k);
      const auto imported = read(model, golden, name, k);
      if (!imported) FAIL(std::string(view(imported.error.reason)));
      const auto wrong = check_inference(imported.value);
      CHECK_MESSAGE(!wrong, std::string(view(wrong.reason)));
      auto legal = formats::legalized(imported.value);
      if (!legal) FAIL(std::string(view(legal.error.reason)));
      CHECK(formats::lost_handle(imported.value, legal.value) == -1);
      const auto part = (is_only ? std::string{} : name + "_") + std::to_string(k) + ".bin";
      std::vector<char> output;
      REQUIRE(states.run(legal.value, model.file("input_" + part), output) == "");
      CHECK(formats::difference(legal.value, output, model.file("output_" + part), allowed) == "");
      ++compared;
    }
  }
  CHECK(compared >= 4);
}

}  // namespace

TEST_CASE("pt2: programs compute the recorded outputs, and keep debug handles" * tests::needs_shared("formats")) {
  const auto cases = formats::pt2_cases();
  for (const auto& model : cases) {
    CAPTURE(model.name());
    check_outputs(model);
  }
  CHECK(cases.size() >= 24);
}
