// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("operators on pairs give what TensorFlow Lite Micro gives") { nodes::check_family("pairwise", baton::portable_kernels); }

TEST_CASE("published models of one addition give what TensorFlow Lite Micro gives") {
  const auto zoo = std::filesystem::path(BATON_SHARED_DIR) / "zoo";
  if (!std::filesystem::exists(zoo)) {
    MESSAGE("skipped: there is no ", zoo.string());
    return;
  }
  for (const std::string name : {"seanet_add0", "seanet_add15", "tflm_add_model", "tflm_add_model_float", "tflm_simple_add"}) {
    CAPTURE(name);
    const auto model = nodes::file(zoo / name / (name + ".tflite"));
    const auto program = baton::tflite::read_bytes(model);
    const baton::program_view view(program);
    REQUIRE_FALSE(baton::verify(view));
    nodes::interpreter runner{view};
    for (const std::string k : {"0", "1", "2", "3"}) {
      const auto expected = nodes::file(zoo / name / ("output_" + k + ".bin"));
      nodes::bytes output;
      REQUIRE(runner.run(baton::portable_kernels, nodes::file(zoo / name / ("input_" + k + ".bin")), output) == "");
      REQUIRE(output.size() == expected.size());
      CHECK(nodes::is_equal(view[view.outputs_of(view.root())[0].value].type, output.data(), expected.data(), output.size(), 1e-5f));
    }
  }
}
