// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a plan within limits.
#include <baton/report/limits_table.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/plan/plan_within.hpp>
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/in_slices.hpp>

#include "plan/by_rows.hpp"
#include "plan/stepping.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace {

using namespace baton;

constexpr auto table_within(const limits& within) -> text_buffer {
  const auto program = stepping::make_chain{}();
  const auto plan = plan_within<stepping::costs>(stepping::kernels, program, within);
  return report::limits_table(program, plan.value.limited);
}
static_assert(!table_within({.arena_bytes = 127}).empty());

/// 10 instructions for each element of the output, and 20 for each call.
struct costs_of_images {
  template <class Kernel>
  static constexpr auto node(const program_view& program, const node& record) -> node_cost {
    const auto instructions = static_cast<std::uint64_t>(10 * element_count(program.shape(program.outputs_of(record)[0])));
    return {.form = "by rows", .instructions = instructions, .instructions_per_row = 20, .by_rows = {20}, .by_chunks = {20}};
  }
};

/// Two windows on images of 9 rows, one of them with two rows per step, and one output row.
constexpr auto make_images() -> exported_program {
  program_builder build;
  constexpr auto image = tensor(dtype::int8, 1, 9, 4, 2);
  const auto x = build.user_input("x", image);
  const auto a = build.call("a", "test.window", {x}, image, {{"span", 1}});
  const auto b = build.call("b", "test.window", {a}, image, {{"span", 1}, {"rows_per_step", 2}});
  const auto c = build.call("c", "test.window", {b}, tensor(dtype::int8, 1, 9, 4, 1), {{"span", 1}, {"whole", 1}});
  build.output(build.call("d", "test.sum", {c}, tensor(dtype::int8, 1, 1, 4, 2)));
  return build.finish();
}
constexpr static_program images{[] { return make_images(); }};
template <class... Services>
using images_executor = basic_executor<images, kernel_list<by_rows>{}, plan_options{}, within<limits{}, costs_of_images>, Services...>;

constexpr auto images_within(const limits& within) -> text_buffer {
  const auto program = make_images();
  const auto plan = plan_within<costs_of_images>(kernel_list<by_rows>{}, program, within);
  return plan ? report::limits_table(program, plan.value.limited) : plan.error.reason;
}

}  // namespace

TEST_CASE("the tables of a plan within limits have its memory, and the nodes without their fastest kernel") {
  CHECK(std::string(view(table_within({.arena_bytes = 127}))) ==
        R"(plan within limits, memory policy in_place
                               limit  plan  without limits
  arena, bytes                   127    96             192
  longest slice, instructions      -   128              64
  inference, instructions          -   384             192
nodes that do not use their fastest kernel: 3
  #  node  operator        kernel  fastest  more instructions  less scratch
  0  a     test.add_bytes  middle  quick                   64            32
  1  b     test.add_bytes  middle  quick                   64            32
  2  c     test.add_bytes  middle  quick                   64            32
)");
}

TEST_CASE("the tables of a plan with the fastest kernel of every node, with flash") {
  CHECK(std::string(view(table_within({.flash_bytes = 1000}))) ==
        R"(plan within limits, memory policy no_overlap
                               limit  plan  without limits
  arena, bytes                     -   192             192
  flash, bytes                  1000   504             504
  longest slice, instructions      -    64              64
  inference, instructions          -   192             192
nodes that do not use their fastest kernel: 0
)");
}

TEST_CASE("the slices of nodes that are cut, and of nodes that cannot be cut, are listed") {
  // Nodes a and b have 80 instructions a row, and each call adds 20: 3 slices of 3, 3 and 3 rows, and of 4, 4 and 1 rows.
  CHECK(std::string(view(images_within({.slice_instructions = 400}))) ==
        R"(plan within limits, memory policy no_overlap
                               limit  plan  without limits
  arena, bytes                     -   160             160
  longest slice, instructions    400   360             720
  inference, instructions          -  2000            1880
nodes that do not use their fastest kernel: 0
nodes in several slices: 2, nodes that cannot be cut into shorter slices: 2
  #  node  operator     slices  max slices
  0  a     test.window       3           9
  1  b     test.window       3           5
  2  c     test.window       1           1
  3  d     test.sum          1           1
)");
  CHECK(std::string(view(images_within({.slice_instructions = 359}))) == "slice_instructions >= 360 (limit 359, node c)");
}

TEST_CASE("a limit in operations: the plan and the table of slices have the same longest slice") {
  // Nodes a and b have 8 operations a row, so 5 slices of at most 2 rows, of 180 instructions. Node c, which cannot be cut, has 360.
  CHECK(std::string(view(report::limits_table(images.value(), images_executor<in_slices::of<16>>::plan_within_limits()))) ==
        R"(plan within limits, memory policy no_overlap
                               limit  plan  without limits
  arena, bytes                     -   160             160
  longest slice, instructions      -   360             720
  inference, instructions          -  2080            1880
nodes that do not use their fastest kernel: 0
nodes in several slices: 2, nodes that cannot be cut into shorter slices: 2
  #  node  operator     slices  max slices
  0  a     test.window       5           9
  1  b     test.window       5           5
  2  c     test.window       1           1
  3  d     test.sum          1           1
)");
}

TEST_CASE("without a choice of kernels, only the slices of nodes are listed") {
  const auto program = make_images();
  limited_plan limited;
  limited.nodes.resize(4);
  limited.nodes[0].slices = 2;
  limited.nodes[0].max_slices = 9;
  limited.nodes[3].slices = limited.nodes[3].max_slices = 1;
  CHECK(std::string(view(report::limits_table(program, limited))) ==
        R"(nodes in several slices: 1, nodes that cannot be cut into shorter slices: 1
  #  node  operator     slices  max slices
  0  a     test.window       2           9
  3  d     test.sum          1           1
)");
}
