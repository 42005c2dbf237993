// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/graphviz.hpp>
#include <baton/report/survey.hpp>

#include "report/model.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace report_model;

constexpr std::string_view expected = R"dot(digraph "forward" {
  node [shape=box, style="rounded,filled", fillcolor="#eeeeee", fontname="sans-serif", fontsize=10];
  edge [fontname="sans-serif", fontsize=8];
  v0 [shape=ellipse, label="a\\x0aline\nint8[1,8,8,1]"];
  n0 [label="lowered_module_0\ndevice\nthe first part of device", fillcolor="#77aadd", tooltip="the first part of device"];
  v0 -> n0 [label="int8[1,8,8,1]"];
  subgraph cluster_0_1 {
  label="lowered_module_0 (device)"; style="rounded";
  v3 [shape=ellipse, label="a\\x0aline\nint8[1,8,8,1]"];
  n3 [label="conv\ntfl.conv_2d", fillcolor="#77aadd"];
  v3 -> n3 [label="int8[1,8,8,1]"];
  n4 [label="conv_1\ntfl.conv_2d", fillcolor="#77aadd"];
  n3 -> n4 [label="int8[1,8,8,2]"];
  g1o0 [shape=ellipse, label="output"];
  n4 -> g1o0 [label="int8[1,8,8,2]"];
  }
  n0 -> n3 [style=dotted, arrowhead=none];
  n1 [label="...tV1/MobilenetV1/Logits/SpatialSqueeze\ntfl.reshape", fillcolor="#eeeeee", style="rounded,filled,dashed"];
  n0 -> n1 [label="int8[1,8,8,2]"];
  n2 [label="softmax\ntfl.softmax\nthe device has no softmax; no\nkernel in the list supports this\noperator", fillcolor="#eeeeee", style="rounded,filled,dashed", tooltip="the device has no softmax; no kernel in the list supports this operator"];
  n1 -> n2 [label="int8[1,128]"];
  g0o0 [shape=ellipse, label="output"];
  n2 -> g0o0 [label="float32[1,128]"];
}
)dot";

constexpr auto the_program_is_shown() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, explain_undelegated);
  return view(report::graphviz(program, facts)) == expected;
}
static_assert(the_program_is_shown());
TEST_CASE("graphviz: a whole program is drawn") { CHECK(the_program_is_shown()); }

constexpr auto external_constants_are_omitted() -> bool {
  const auto program = with_external_weight();
  const auto text = report::graphviz(program, report::survey_of(program));
  return view(text).find("label=\"x") != std::string_view::npos && view(text).find("p_w") == std::string_view::npos;
}
static_assert(external_constants_are_omitted());
TEST_CASE("graphviz: external constants are not drawn") { CHECK(external_constants_are_omitted()); }

}  // namespace
