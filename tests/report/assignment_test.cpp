// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/summary.hpp>
#include <baton/report/survey.hpp>

#include "report/model.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace report_model;

constexpr std::string_view expected =
    R"(nodes in execution order: 2304 of 2304 multiply-adds delegated, 192 bytes cross delegate boundaries
  #  node                                      operator     output          assigned to               mult-adds  bytes
  0  conv                                      tfl.conv_2d  int8[1,8,8,2]   device, lowered_module_0       1152    128
  1  conv_1                                    tfl.conv_2d  int8[1,8,8,2]   device, lowered_module_0       1152    128
  2  ...tV1/MobilenetV1/Logits/SpatialSqueeze  tfl.reshape  int8[1,128]     portable kernels                  0    128
  3  softmax                                   tfl.softmax  float32[1,128]  no kernel                         0    512
     not delegated: the device has no softmax; no kernel in the list supports this operator
     total                                                                  2 of 4 delegated               2304    896
)";

constexpr auto the_program_is_shown() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, explain_undelegated);
  return view(report::assignment_table(program, facts)) == expected;
}
static_assert(the_program_is_shown());
TEST_CASE("assignment: each node has a backend, a kernel or a reason") { CHECK(the_program_is_shown()); }

}  // namespace
