// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of passes can be broken: for each, a pass that breaks it, beside one that keeps them all.
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

/// A negation that is added to its operand, twice; with a state.
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
    auto made = thaw(program);
    for (auto& record : made.nodes) {
      if (!record.is("aten.add.Tensor")) continue;
      record.target = baton::own_bytes(made, "aten.mul.Tensor");
      record.op = hash_of("aten.mul.Tensor");
    }
    return made;
  }
};
struct forgets_the_state : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto made = thaw(program);
    made.graphs[0].outputs.first += 1;
    made.graphs[0].outputs.size -= 1;
    return made;
  }
};
struct renames_an_input : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    change.at(user_inputs_of(program, graph_id{0})[0]).name = change.own("y");
    return change.finish();
  }
};
struct negates_once_more : named_pass {
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
struct numbers_handles_anew : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto made = thaw(program);
    for (std::uint32_t n = 0; n < made.nodes.size(); ++n) made.nodes[n].debug_handle = First + n;
    return made;
  }
};
struct takes_the_handle_of_a_node_that_stays : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (!program[id].is("aten.view_copy.default")) continue;
      const auto made = change.add_value(graph_id{0}, "copy", two);
      change.insert_before(id, "copy", "aten.clone.default", {change.input(id, 0)}, {made}, {}, node_id{0});
      change.replace_uses(change.output(id), made);
    }
    return change.finish();
  }
};
/// As `remove_no_ops`, but whose program never had its handle.
struct forgets_the_handle_of_what_goes : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto made = remove_no_ops::run(program);
    for (auto& record : made.nodes) record.folded_handles = {};
    return made;
  }
};
struct changes_blobs : named_pass {
  static constexpr auto run(const program_view& program) -> exported_program {
    auto made = thaw(program);
    for (auto& module : made.delegates) module.processed_bytes = baton::own_bytes(made, "other");
    return made;
  }
};
/// At run time only: what runs in a constant has no memory.
struct remembers_that_it_ran : named_pass {
  static auto run(const program_view& program) -> exported_program {
    static std::uint32_t runs = 0;
    auto made = thaw(program);
    made.nodes[0].debug_handle = ++runs;
    return made;
  }
};
struct leaves_no_program : named_pass {
  static constexpr auto run(const program_view&) -> exported_program { return {}; }
};
/// A failure is no breach, as long as it says why.
struct refuses : named_pass {
  static constexpr auto run(const program_view&) -> result<exported_program> { return broken<"malformed_operator">("not today"); }
};

constexpr auto lawful_ones_keep_them() -> bool {
  return law::all<archetypes::pass>(build(), computes_the_same) && law::all<remove_no_ops>(build(), computes_the_same) &&
         law::all<pass_list<remove_no_ops, archetypes::pass>>(build_lowered(), computes_the_same) &&
         law::done<remove_no_ops>(build()).nodes.size() == 3 && law::makes_a_program_or_says_why<refuses>(build());
}
static_assert(lawful_ones_keep_them());

constexpr auto each_law_can_be_broken() -> bool {
  const auto program = build();
  return !computes_the_same(program, law::done<turns_a_sum_into_a_product>(program)) &&
         !law::all<turns_a_sum_into_a_product>(program, computes_the_same) && !law::keeps_the_signature<forgets_the_state>(program) &&
         !law::keeps_the_signature<renames_an_input>(program) && !law::is_idempotent<negates_once_more>(program) &&
         law::keeps_debug_handles<negates_once_more>(program) && !law::keeps_debug_handles<numbers_handles_anew<7>>(program) &&
         !law::keeps_debug_handles<numbers_handles_anew<0>>(program) &&
         !law::keeps_debug_handles<takes_the_handle_of_a_node_that_stays>(program) &&
         law::keeps_debug_handles<forgets_the_handle_of_what_goes>(program) &&
         !law::finds_every_debug_handle<forgets_the_handle_of_what_goes>(program) && law::keeps_lowered_modules<changes_blobs>(program) &&
         !law::keeps_lowered_modules<changes_blobs>(build_lowered()) && !law::makes_a_program_or_says_why<leaves_no_program>(program);
}
static_assert(each_law_can_be_broken());

}  // namespace

TEST_CASE("lawful passes keep the laws") { CHECK(lawful_ones_keep_them()); }
TEST_CASE("each law of passes can be broken") {
  CHECK(each_law_can_be_broken());
  CHECK_FALSE(law::is_a_function_of_the_program<remembers_that_it_ran>(build()));
}
