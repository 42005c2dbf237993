// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks an executor of a model with the recorded outputs of its case.
#pragma once

#include <baton/baton.hpp>

#include "formats/golden_output.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

namespace formats {

/// Runs the four recorded inputs. The executor has one input and one output. `program` is the program of the executor, which must be equal
/// to the one that is read and transformed at run time.
template <class Case, class Net>
void check_executor(Net& net, const baton::program_view& program, const std::string& name) {
  const Case model(std::string(BATON_SHARED_DIR) + "/formats/" + name);
  const auto imported = model.read();
  REQUIRE(imported);
  CHECK(baton::same(program, baton::transform(imported.value, baton::default_passes)));
  const auto allowed = model.is_quantized() ? tolerance{} : model.allowed_difference();
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    const auto input = model.input(k);
    REQUIRE(input.size() == net.input().size());
    std::memcpy(net.input().data(), input.data(), input.size());
    net.run();
    CHECK(difference(program, {net.output().data(), net.output().size()}, model.output(k), allowed) == "");
  }
}

}  // namespace formats
