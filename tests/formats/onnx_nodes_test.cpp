// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of quantized ONNX models, each on its own recorded inputs: the elements that differ from the recorded output are counted.
// onnx_nodes.txt has the counts of each case and operator: the elements, those that differ, and the largest difference in steps.
// BATON_WRITE_NODES=1 writes the file first.
#include "formats/difference_counts.hpp"
#include "formats/onnx_case.hpp"
#include "formats/recorded_nodes.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>

TEST_CASE("onnx: each quantized operator computes the recorded elements from recorded operands" * tests::needs_shared("formats")) {
  formats::count_table counted;
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    formats::count_differences(model, counted, [](const auto& recorded, std::size_t compared) { CHECK(compared == recorded.size()); });
  }
  CHECK(formats::is_recorded(counted, "onnx_nodes.txt"));

  // The bounds: the arithmetic of these operators is that of ONNX Runtime in every element, and no operator is more than one step off.
  const std::set<std::string> exact = {
      "baton.conv_2d", "baton.depthwise_conv_2d", "baton.fully_connected", "baton.add",       "baton.mul",
      "baton.lookup",  "baton.quantize",          "tfl.concatenation",     "tfl.max_pool_2d", "tfl.reshape"};
  for (const auto& [row, count] : counted) {
    CAPTURE(row.first);
    CAPTURE(row.second);
    CHECK(count.largest <= 1);
    if (exact.contains(row.second)) CHECK(count.different == 0);
  }
}
