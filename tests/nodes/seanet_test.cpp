// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Published models of one int16 node each, byte by byte: parts of SEANet, which cleans speech.
#include "check_family.hpp"

#include <baton/kernels/portable/conversions.hpp>
#include <baton/kernels/portable/unary.hpp>

#include <filesystem>
#include <string>

namespace {

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
    const auto why = runner.run(baton::kernels<baton::portable::convert, baton::portable::unary>,
                                nodes::file(folder / (std::string("input_") + run + ".bin")), output);
    CHECK(why == "");
    CHECK(!output.empty());
    CHECK(output == nodes::file(folder / (std::string("output_") + run + ".bin")));
  }
}

}  // namespace

TEST_CASE("leaky_relu of SEANet") { check_model("seanet_leaky_relu0"); }
TEST_CASE("quantize of SEANet") { check_model("seanet_quantize0"); }
