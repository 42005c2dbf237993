// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of graphs that several nodes call, some of them in a delegate whose backend provides kernels.
#include <baton/plan/detail/kernel_owners.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/run/executor_backend.hpp>

#include "plan/by_rows.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

using own_kernels = kernel_backend<"Own", kernels<by_rows>>;
constexpr auto target = backends<own_kernels>;

/// Two conditionals that call the same two graphs.
struct make_shared_branches {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto type = tensor(dtype::int8, 64);
    const auto condition = b.user_input("condition", tensor(dtype::boolean, 1));
    auto latest = b.user_input("x", type);
    graph_id branches[2]{};
    for (std::size_t i = 0; i < 2; ++i) {
      branches[i] = b.add_graph(i == 0 ? "then" : "else");
      b.output(b.call(i == 0 ? "p" : "q", "test.window", {b.user_input(i == 0 ? "a" : "b", type)}, type));
    }
    b.enter(graph_id{0});
    for (const auto* const name : {"first", "second"}) {
      latest = b.call(name, "tfl.if", {condition, latest}, type);
      b.set_subgraphs(branches);
    }
    b.output(latest);
    return b.finish();
  }
};

/// Assigns the second conditional to the backend.
struct second_conditional {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto tag = tagged.add_tag("second", delegation_spec{to_text(own_kernels::id)});
    tagged.tag_node(static_cast<node_id>(program.root().nodes.first + 1), tag);
    return tagged;
  }
};
constexpr static_program shared_branches{make_shared_branches{}};
constexpr auto lowered = to_backend(target, shared_branches, second_conditional{});

/// Counts the callers of each graph that runs, and compares their owners.
constexpr auto graphs_of_a_delegate_have_no_callers_outside() -> bool {
  const program_view program = lowered;
  const auto needs = needs_of_backends(target, program);
  const auto calls = graphs_that_run(program, needs.runs_original);
  if (!calls || program.delegates.size() != 1) return false;
  const auto owners = detail::kernel_owners(program, needs, calls.value);
  std::uint32_t own = 0;
  for (const auto id : calls.value.order) {
    own += owners[index(id)] == none<delegate_id> ? 1u : 0u;
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto inner : graphs_run_by(program, record, calls.value.runs_original)) {
        const auto owner = record.delegate == none<delegate_id> ? owners[index(id)] : record.delegate;
        if (owners[index(inner)] != owner) return false;
      }
    }
  }
  // The root and the branches of the first conditional run with the executor's own kernels. The delegate has copies of the branches.
  return own == 3 && calls.value.order.size() == 3 + 3;
}
static_assert(graphs_of_a_delegate_have_no_callers_outside());

}  // namespace

TEST_CASE("a delegate has its own copies of the graphs that it calls") { CHECK(graphs_of_a_delegate_have_no_callers_outside()); }
