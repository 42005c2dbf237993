// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/text.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "report/model.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace report_model;

constexpr std::string_view expected_operators =
    "operators of forward: 4\n"
    "  #  node                                      operator     operands                       outputs\n"
    "  0  conv                                      tfl.conv_2d  int8[1,8,8,1] int8[2,3,3,1] -  int8[1,8,8,2]\n"
    "  1  conv_1                                    tfl.conv_2d  int8[1,8,8,2] int8[2,3,3,1] -  int8[1,8,8,2]\n"
    "  2  ...tV1/MobilenetV1/Logits/SpatialSqueeze  tfl.reshape  int8[1,8,8,2]                  int8[1,128]\n"
    "  3  softmax                                   tfl.softmax  int8[1,128]                    float32[1,128]\n";

constexpr std::string_view expected_quantization =
    "quantization of forward\n"
    "      #  node       scale of outputs     scales of constants\n"
    "  input  a\\x0aline  0.5 zero point -128\n"
    "      0  conv       0.02 zero point 3    per channel (2) axis 0\n"
    "      1  conv_1     0.02                 per channel (2) axis 0\n";

constexpr std::string_view expected_partitions =
    "partition: 2 of 4 nodes delegated, in 1 part\n"
    "  #  assigned to       nodes  processed bytes  scratch bytes\n"
    "  0  device                2                4             40\n"
    "     lowered_module_0(int8[1,8,8,1] and 1 constant) -> int8[1,8,8,2]\n"
    "     conv conv_1\n"
    "  1  portable kernels      1                -              -\n"
    "     ...tV1/MobilenetV1/Logits/SpatialSqueeze\n"
    "  2  no kernel             1                -              -\n"
    "     not delegated: the device has no softmax; no kernel in the list supports this operator\n"
    "     softmax\n";

constexpr std::string_view expected_memory =
    "memory plan: arena 640 bytes, lower bound 640 (maximum live bytes), alignment 16, strategy: largest first\n"
    "  value (a = b: shared memory)                       offset  bytes  steps  lifetime\n"
    "  a\\x0aline                                               0     64      0  #...\n"
    "  conv_1 = ...tV1/MobilenetV1/Logits/SpatialSqueeze     512    128    0-2  ###.\n"
    "  scratch of lowered_module_0                            64     48      0  #...\n"
    "  softmax                                                 0    512    2-3  ..##\n";

constexpr auto operators_are_shown() -> bool { return view(report::operator_table(model())) == expected_operators; }
static_assert(operators_are_shown());
TEST_CASE("text: operators are listed with the types of operands and outputs") { CHECK(operators_are_shown()); }

constexpr auto quantization_is_shown() -> bool { return view(report::quantization_table(model())) == expected_quantization; }
static_assert(quantization_is_shown());
TEST_CASE("text: scales and zero points are listed, per tensor and per channel") { CHECK(quantization_is_shown()); }

constexpr auto partitions_are_shown() -> bool {
  return view(report::partition_table(lowered(), explain_undelegated)) == expected_partitions;
}
static_assert(partitions_are_shown());
TEST_CASE("text: delegates are listed with their nodes, and other nodes with reasons") { CHECK(partitions_are_shown()); }

constexpr auto partitions_of_branches_are_shown() -> bool {
  const auto program =
      to_backend(backends<conformance::backend_with_compiler_demo>, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  const auto text = report::partition_table(program);
  const auto has = [&](std::string_view part) { return view(text).find(part) != std::string_view::npos; };
  return view(text).starts_with("partition: 1 of 6 nodes delegated, in 1 part\n") &&
         has("\npartition of true_graph: 1 of 3 nodes delegated, in 1 part\n") &&
         has("\npartition of false_graph: 1 of 3 nodes delegated, in 1 part\n") && has("\n  8  BackendWithCompilerDemo ") &&
         has("\n  9  - ") && has("\n  12  BackendWithCompilerDemo ");
}
static_assert(partitions_of_branches_are_shown());
TEST_CASE("text: each branch has a table, with the indices of nodes in the program") { CHECK(partitions_of_branches_are_shown()); }

constexpr auto long_texts_are_shortened() -> bool {
  const auto is_shown = [](std::size_t max_size, std::string_view expected) {
    return view(report::printable("abc\nefg", max_size)) == expected;
  };
  return is_shown(7, "abc\\x0aefg") && is_shown(6, "...efg") && is_shown(4, "...g") && is_shown(3, "...") && is_shown(2, "..") &&
         is_shown(0, "");
}
static_assert(long_texts_are_shortened());
TEST_CASE("text: a long text from a model is shortened to its end, or to dots") { CHECK(long_texts_are_shortened()); }

constexpr auto other_characters_are_escaped() -> bool {
  const auto explain = [](const program_view&, const node&) { return report::undelegated_reason{join("Ger\xc3\xa4t"), join("\xc3\xa4")}; };
  return view(report::partition_table(model(), explain)) ==
         "partition: 0 of 4 nodes delegated, in 0 parts\n"
         "    #  assigned to   nodes  processed bytes  scratch bytes\n"
         "  0-3  Ger\\xc3\\xa4t      4                -              -\n"
         "       not delegated: \\xc3\\xa4\n"
         "       conv conv_1 ...tV1/MobilenetV1/Logits/SpatialSqueeze softmax\n";
}
static_assert(other_characters_are_escaped());
TEST_CASE("text: a column is as wide as its escaped cells") { CHECK(other_characters_are_escaped()); }

constexpr auto memory_is_shown() -> bool { return view(report::memory_table(lowered(), plan())) == expected_memory; }
static_assert(memory_is_shown());
TEST_CASE("text: offsets and lifetimes of values are listed") { CHECK(memory_is_shown()); }

constexpr auto the_distance_to_the_bound_is_reported() -> bool {
  auto memory = plan();
  auto& root = memory.graphs.back();
  const auto ends = [&](std::string_view end) {
    const auto text = report::memory_table(lowered(), memory, 200);
    return view(text).substr(0, view(text).find('\n')).ends_with(end);
  };
  root.lower_bound -= 16;
  if (!ends("; optimal")) return false;
  root.is_optimal = false;
  if (!ends("; best plan found, 16 bytes above the lower bound")) return false;
  root.lower_bound += 16;
  return ends("largest first");
}
static_assert(the_distance_to_the_bound_is_reported());
TEST_CASE("text: a plan above its bound states the distance") { CHECK(the_distance_to_the_bound_is_reported()); }

constexpr auto empty_programs_are_shown() -> bool {
  const auto program = program_builder().finish();
  return view(report::operator_table(program)) == "operators of forward: 0\n  #  node  operator  operands  outputs\n" &&
         view(report::quantization_table(program)) == "quantization of forward: none\n" &&
         view(report::partition_table(program)) ==
             "partition: 0 of 0 nodes delegated, in 0 parts\n  #  assigned to  nodes  processed bytes  scratch bytes\n" &&
         !report::memory_table(program, plan_memory(program).value).empty();
}
static_assert(empty_programs_are_shown());
TEST_CASE("text: an empty program is reported") { CHECK(empty_programs_are_shown()); }

constexpr auto every_line_fits_a_terminal(int nodes) -> bool {
  program_builder build;
  auto x = build.user_input("x", tensor(dtype::int8, 4));
  for (int i = 0; i < nodes; ++i) x = build.call("my.operator", {x, x, x, x, x, x, x, x, x, x, x, x}, tensor(dtype::int8, 4));
  build.output(x);
  const auto program = build.finish();
  for (const auto& text :
       {report::operator_table(program), report::partition_table(program), report::memory_table(program, plan_memory(program).value)}) {
    auto unread = view(text);
    for (auto end = unread.find('\n'); end != unread.npos; end = unread.find('\n')) {
      if (end > report::line_width) return false;
      unread.remove_prefix(end + 1);
    }
  }
  return true;
}
static_assert(every_line_fits_a_terminal(8));
TEST_CASE("text: many nodes with many operands are listed") { CHECK(every_line_fits_a_terminal(60)); }

}  // namespace
