// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of quantized programs of torch.export, each on its own recorded inputs: the elements that differ from the recorded output
// are counted. pt2_nodes.txt has the counts of each case and operator. BATON_WRITE_NODES=1 writes the file first.
#include "formats/difference_counts.hpp"
#include "formats/pt2_case.hpp"
#include "formats/recorded_nodes.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>

TEST_CASE("pt2: each quantized operator computes the recorded elements from recorded operands" * tests::needs_shared("formats")) {
  formats::count_table counted;
  for (const auto& model : formats::pt2_cases()) {
    CAPTURE(model.name());
    formats::count_differences(model, counted, [](const auto& recorded, std::size_t compared) {
      std::set<std::string> different;  // a quantization that repeats the one before it is removed
      for (const auto& [name, tensor] : recorded) different.insert({tensor.bytes.data(), tensor.bytes.size()});
      CHECK(compared >= different.size());
    });
  }
  CHECK(formats::is_recorded(counted, "pt2_nodes.txt"));
  formats::check_exact(counted);
}
