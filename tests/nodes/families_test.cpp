// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-node models, one folder per family, and published one-node models: the kernels match the reference. One translation unit, because the
// kernels take most of the compile time.
#include "check_family.hpp"

#include <baton/kernels/signal_kernels.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace {

constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

/// Returns the folders of tests/nodes.
auto families() -> std::set<std::string> {
  std::set<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(BATON_NODES_DIR)) {
    if (entry.is_directory()) result.insert(entry.path().filename().string());
  }
  return result;
}

}  // namespace

TEST_CASE("each family of operators matches TensorFlow Lite Micro") {
  for (const auto& family : families()) {
    CAPTURE(family);
    nodes::check_family(family, kernels);
  }
  CHECK(families().size() >= 20);
}

TEST_CASE("published one-node models match TensorFlow Lite Micro") {
  const auto zoo = std::filesystem::path(BATON_SHARED_DIR) / "zoo";
  if (!std::filesystem::exists(zoo)) {
    MESSAGE("skipped: there is no ../shared/zoo");
    return;
  }
  for (const std::string name : {"seanet_add0", "seanet_add15", "seanet_conv10", "seanet_leaky_relu0", "seanet_pad0", "seanet_quantize0",
                                 "tflm_add_model", "tflm_add_model_float", "tflm_simple_add"}) {
    CAPTURE(name);
    const auto model = nodes::file(zoo / name / (name + ".tflite"));
    const auto program = baton::tflite::read_bytes(model);
    const baton::program_view view(program);
    REQUIRE_FALSE(baton::verify(view));
    nodes::interpreter runner{view};
    for (const std::string k : {"0", "1", "2", "3"}) {
      const auto expected = nodes::file(zoo / name / ("output_" + k + ".bin"));
      CHECK(nodes::check_run(runner, view, kernels, nodes::file(zoo / name / ("input_" + k + ".bin")), expected) == expected.size());
    }
  }
}
