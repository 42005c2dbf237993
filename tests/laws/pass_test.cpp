// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of passes can be broken: a pass breaks each law, and another keeps all of them.
#include "laws/pass.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>
#include <baton/transform/rewriter.hpp>

#include "properties/properties.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
namespace law = laws::pass;

constexpr auto two = tensor(dtype::float32, 2);
constexpr auto computes_the_same = [](const program_view& before, const program_view& after) {
  return properties::computes_the_same(before, after);
};

/// A negation, a view of it, a sum with a state, and a product with the input. The sum is the next state.
constexpr auto build() -> exported_program {
  program_builder b;
  const auto state = b.mutable_buffer("state", two);
  const auto x = b.user_input("x", two);
  const auto negated = b.call("aten.neg.default", {x}, two);
  const auto view = b.call("aten.view_copy.default", {negated}, two);
  const auto sum = b.call("aten.add.Tensor", {view, state}, two);
  b.mutation(sum, "state");
  b.output(b.call("aten.mul.Tensor", {sum, x}, two));
  return b.finish();
}
constexpr auto build_lowered() -> exported_program {
  return to_backend(properties::target, build(), by_support<properties::listing_backend<"First">, operator_names<"aten.neg.default">>{});
}

struct named_pass {
  static constexpr std::string_view name = "broken";
};
struct turns_a_sum_into_a_product : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto rewritten = thaw(program);
    for (auto& record : rewritten.nodes) {
      if (!record.is("aten.add.Tensor")) continue;
      record.target = baton::own_bytes(rewritten, "aten.mul.Tensor");
      record.op = hash_of("aten.mul.Tensor");
    }
    return rewritten;
  }
};
struct changes_a_program_that_does_not_need_it : turns_a_sum_into_a_product {
  static constexpr auto is_needed(const program_view&) -> bool { return false; }
};
struct removes_a_mutation : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto rewritten = thaw(program);
    rewritten.graphs[0].outputs.first += 1;
    rewritten.graphs[0].outputs.size -= 1;
    return rewritten;
  }
};
struct renames_an_input : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    change.edit(user_inputs_of(program, graph_id{0})[0]).name = change.own("y");
    return change.finish();
  }
};
struct adds_another_view : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (!program[id].is("aten.mul.Tensor")) continue;
      const auto more = change.add_value(graph_id{0}, "more", two);
      change.insert_before(id, "more", "aten.view_copy.default", {change.input(id, 0)}, {more});
      change.set_input(id, 0, more);
    }
    return change.finish();
  }
};
template <std::uint32_t First>
struct renumbers_handles : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto rewritten = thaw(program);
    for (std::uint32_t n = 0; n < rewritten.nodes.size(); ++n) rewritten.nodes[n].debug_handle = First + n;
    return rewritten;
  }
};
struct reuses_the_handle_of_a_remaining_node : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (!program[id].is("aten.view_copy.default")) continue;
      const auto copy = change.add_value(graph_id{0}, "copy", two);
      change.insert_before(id, "copy", "aten.clone.default", {change.input(id, 0)}, {copy}, {}, node_id{0});
      change.replace_uses(change.output(id), copy);
    }
    return change.finish();
  }
};
/// Like `remove_no_ops`, but without the handles of removed nodes.
struct forgets_the_handles_of_removed_nodes : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto rewritten = remove_no_ops::run(program);
    for (auto& record : rewritten.nodes) record.folded_handles = {};
    return rewritten;
  }
};
struct changes_processed_bytes : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto rewritten = thaw(program);
    for (auto& module : rewritten.delegates) module.processed_bytes = baton::own_bytes(rewritten, "other");
    return rewritten;
  }
};
/// At run time only, because a constant expression has no static variables.
struct counts_its_runs : named_pass {
  static auto run(const program_view& program) -> exported_program {
    static std::uint32_t runs = 0;
    auto rewritten = thaw(program);
    rewritten.nodes[0].debug_handle = ++runs;
    return rewritten;
  }
};
struct leaves_no_program : named_pass {
  static constexpr auto run(const program_view&) -> exported_program { return {}; }
};
/// A failure with a message breaks no law.
struct refuses : named_pass {
  static constexpr auto run(const program_view&) -> result<exported_program> { return broken<"malformed_operator">("not today"); }
};

constexpr auto lawful_passes_keep_the_laws() -> bool {
  return law::all<archetypes::pass>(build(), computes_the_same) && law::all<remove_no_ops>(build(), computes_the_same) &&
         law::all<pass_list<remove_no_ops, archetypes::pass>>(build_lowered(), computes_the_same) &&
         law::run<remove_no_ops>(build()).nodes.size() == 3 && law::result_is_valid<refuses>(build());
}
static_assert(lawful_passes_keep_the_laws());

constexpr auto each_law_can_be_broken() -> bool {
  const auto program = build();
  return !computes_the_same(program, law::run<turns_a_sum_into_a_product>(program)) &&
         !law::all<turns_a_sum_into_a_product>(program, computes_the_same) &&
         law::is_unchanged_unless_needed<turns_a_sum_into_a_product>(program) &&
         !law::is_unchanged_unless_needed<changes_a_program_that_does_not_need_it>(program) &&
         !law::static_laws<changes_a_program_that_does_not_need_it>(program) && !law::keeps_signature<removes_a_mutation>(program) &&
         !law::keeps_signature<renames_an_input>(program) && !law::is_idempotent<adds_another_view>(program) &&
         law::debug_handles_are_stable<adds_another_view>(program) && !law::debug_handles_are_stable<renumbers_handles<7>>(program) &&
         !law::debug_handles_are_stable<renumbers_handles<0>>(program) &&
         !law::debug_handles_are_stable<reuses_the_handle_of_a_remaining_node>(program) &&
         law::debug_handles_are_stable<forgets_the_handles_of_removed_nodes>(program) &&
         !law::debug_handles_are_complete<forgets_the_handles_of_removed_nodes>(program) &&
         law::keeps_lowered_modules<changes_processed_bytes>(program) &&
         !law::keeps_lowered_modules<changes_processed_bytes>(build_lowered()) && !law::result_is_valid<leaves_no_program>(program);
}
static_assert(each_law_can_be_broken());

}  // namespace

TEST_CASE("correct passes obey the laws") { CHECK(lawful_passes_keep_the_laws()); }
TEST_CASE("each law of passes can be broken") {
  CHECK(each_law_can_be_broken());
  CHECK_FALSE(law::is_deterministic<counts_its_runs>(build()));
}
