// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of one element and conversions: models of one node, and two that are published.
#include "check_family.hpp"

#include <baton/kernels/portable/conversions.hpp>
#include <baton/kernels/portable/unary.hpp>

#include <filesystem>
#include <string>

namespace {

constexpr auto list = baton::kernels<baton::portable::convert, baton::portable::unary>;

/// A part of SEANet, which cleans speech: one int16 node, byte by byte.
void check_model(const std::string& name) {
  const std::filesystem::path folder = std::string(BATON_SHARED_DIR) + "/zoo/" + name;
  if (!std::filesystem::exists(folder)) {
    MESSAGE("no ../shared/zoo/" << name << ": nothing checked");
    return;
  }
  const auto model = nodes::file(folder / (name + ".tflite"));
  const auto program = baton::tflite::read_bytes(model);
  nodes::interpreter runner{program};
  for (const auto* run : {"0", "1", "2", "3"}) {
    nodes::bytes output;
    const auto why = runner.run(list, nodes::file(folder / (std::string("input_") + run + ".bin")), output);
    CHECK(why == "");
    CHECK(!output.empty());
    CHECK(output == nodes::file(folder / (std::string("output_") + run + ".bin")));
  }
}

}  // namespace

TEST_CASE("functions of one element give what TensorFlow Lite Micro gives") { nodes::check_family("unary", list); }
TEST_CASE("conversions give what TensorFlow Lite Micro gives") { nodes::check_family("conversions", list); }
TEST_CASE("leaky_relu of SEANet") { check_model("seanet_leaky_relu0"); }
TEST_CASE("quantize of SEANet") { check_model("seanet_quantize0"); }
