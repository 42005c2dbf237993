// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.15, delegation info. The original counts by the names of nodes without their numbers (`aten_add_tensor`). Baton counts by the
// names of operators (`aten.add.Tensor`), because nodes may have any name. The original also counts getitems, which do not exist in Baton:
//   getitem  0  2
// So it has 3 nodes that are not delegated instead of 1.
#include <baton/compat/executorch/delegation_info.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo>;
constexpr auto lowered() -> exported_program { return to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{}); }

constexpr std::string_view summary =
    "Total delegated subgraphs: 2\n"
    "Number of delegated nodes: 4\n"
    "Number of non-delegated nodes: 1\n";

constexpr std::string_view table =
    "  op_type          occurrences_in_delegated_graphs  occurrences_in_non_delegated_graphs\n"
    "  aten.add.Tensor                                2                                    0\n"
    "  aten.mm.default                                2                                    0\n"
    "  aten.sub.Tensor                                0                                    1\n"
    "  Total                                          4                                    1\n";

constexpr auto t_info_1() -> bool {
  const auto info = delegation_info_of(lowered());
  return info.delegated_subgraphs == 2 && info.delegated_nodes == 4 && info.non_delegated_nodes == 1 && info.operators.size() == 3 &&
         view(info.operators[2].op) == "aten.sub.Tensor" && view(delegation_summary(info)) == summary &&
         view(delegation_table(info)) == table;
}
static_assert(t_info_1());

// R213, and an extension: on request, nodes of branches and of delegates in delegates are also counted.
constexpr auto branches_count_on_request() -> bool {
  const auto program = to_backend(target, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  const auto top = delegation_info_of(program);
  const auto all = delegation_info_of(program, reach::branches);
  return top.delegated_subgraphs == 1 && top.delegated_nodes == 1 && top.non_delegated_nodes == 5 && all.delegated_subgraphs == 3 &&
         all.delegated_nodes == 3 && all.non_delegated_nodes == 9;
}
static_assert(branches_count_on_request());

constexpr auto delegates_within_delegates_count_on_request() -> bool {
  using everything = conformance::all_nodes_partitioner<conformance::demo_backend>;
  const auto program = to_backend(backends<conformance::demo_backend>, lowered(), everything{});
  const auto top = delegation_info_of(program);
  const auto all = delegation_info_of(program, reach::delegates);
  return top.delegated_subgraphs == 1 && top.delegated_nodes == 1 && top.non_delegated_nodes == 0 && all.delegated_subgraphs == 3 &&
         all.delegated_nodes == 5;
}
static_assert(delegates_within_delegates_count_on_request());

constexpr auto nothing_counts_nothing() -> bool {
  const auto info = delegation_info_of(exported_program{});
  return info.operators.empty() && info.delegated_subgraphs == 0 && view(delegation_summary(info)).ends_with("nodes: 0\n");
}
static_assert(nothing_counts_nothing());

constexpr auto a_long_name_is_cut() -> bool {
  constexpr std::array<char, 200> letters = [] {
    std::array<char, 200> result{};
    for (auto& letter : result) letter = 'a';
    return result;
  }();
  delegation_info info;
  info.operators.push_back({join(std::string_view(letters.data(), letters.size())), 1, 0});
  const auto buffer = delegation_table(info);
  constexpr std::size_t width = 2 + 120 + 2 + 31 + 2 + 35;
  const auto text = view(buffer);
  return text.find('\n') == width && text.find('\n', width + 1) == 2 * width + 1;
}
static_assert(a_long_name_is_cut());

}  // namespace

TEST_CASE("delegation info counts two delegates of four nodes, and one undelegated node (T-INFO-1)") {
  CHECK(t_info_1());
  const auto info = delegation_info_of(lowered());
  CHECK(std::string(view(delegation_summary(info))) == summary);
  CHECK(std::string(view(delegation_table(info))) == table);
}
TEST_CASE("a table of operators cuts a name that is too long for a line") { CHECK(a_long_name_is_cut()); }
TEST_CASE("delegation info includes branches and delegates on request") {
  CHECK(branches_count_on_request());
  CHECK(delegates_within_delegates_count_on_request());
  CHECK(nothing_counts_nothing());
}
