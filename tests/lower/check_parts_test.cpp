// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/shared/check_parts.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/shared/extract.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

constexpr auto type = conformance::two_by_two;

struct test_case {
  std::string_view label;
  exported_program (*make)();
  std::string_view sentence;
  std::string_view facts;
};

template <class Partitioner>
constexpr auto tagged_by(const exported_program& program) -> exported_program {
  return split_shared_constants(tag_program(program, Partitioner{}).value);
}
template <fixed_string Names, data_sharing Sharing = data_sharing::share>
constexpr auto tagged(const exported_program& program) -> exported_program {
  return tagged_by<tags::partitioner<tags::part<"t", "Npu", Names, Sharing>>>(program);
}

constexpr auto refused_by_extract(const exported_program& program) -> failure {
  if (auto why = check_parts(program)) return why;
  for (const auto id : parts_of(program)) {
    if (auto part = extract(program, boundary_of(program, id)); !part) return part.error;
  }
  return {};
}

constexpr test_case test_cases[] = {
    {"a tagged output (E11)",
     [] {
       return tagged_by<tags::writes<[](partition_result& to) { to.tag_value(value_id{4}, to.add_tag("tag0", delegation_spec{"Npu"})); }>>(
           conformance::g_mlp());
     },
     rule<"tagged_output">::sentence, " [tag: tag0] [backend: Npu] [output addmm]"},
    {"a tagged user input (E12)", [] { return tagged<"addmm inputs">(conformance::g_mlp()); }, rule<"tagged_user_input">::sentence,
     " [tag: t] [backend: Npu] [input inputs]"},
    {"a constant of one part with an untagged user (E13, T-PART-8)",
     [] { return tagged<"add b_const", data_sharing::own>(conformance::g_reuse()); }, rule<"shared_constant">::sentence,
     " [node: sub] [operator: aten.sub.Tensor] [tag: t] [backend: Npu] [constant b_const, used by a node with tag none]"},
    {"a constant of one part with a user of another part (E13)",
     [] {
       using partitioner = tags::partitioner<tags::part<"a", "Npu", "add b_const", data_sharing::own>, tags::part<"b", "Dsp", "sub">>;
       return tagged_by<partitioner>(conformance::g_reuse());
     },
     rule<"shared_constant">::sentence,
     " [node: sub] [operator: aten.sub.Tensor] [tag: a] [backend: Npu] [constant b_const, used by a node with tag b]"},
    {"a constant of one part with a user whose tag has no delegation spec (R59, E13)",
     [] { return tagged<"add b_const", data_sharing::own>(tags::tagged_before(conformance::g_reuse(), "other", "sub")); },
     rule<"shared_constant">::sentence,
     " [node: sub] [operator: aten.sub.Tensor] [tag: t] [backend: Npu] [constant b_const, used by a node with tag other]"},
    {"a constant of one part that is also returned",
     [] {
       program_builder b;
       const auto w = b.constant("w", type);
       b.output(b.call("neg", "neg", {w}, type));
       b.output(w);
       return tagged<"neg c_w", data_sharing::own>(b.finish());
     },
     rule<"shared_constant">::sentence, " [tag: t] [backend: Npu] [constant c_w, used by a graph output]"},
    {"a buffer that a part owns, mutated by another node",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", type);
       const auto next = b.call("next", "neg", {b.call("neg", "neg", {state}, type)}, type);
       b.mutation(next, "state");
       b.output(next);
       return tagged<"neg b_state">(b.finish());
     },
     rule<"foreign_mutation">::sentence, " [tag: t] [backend: Npu] [buffer state, new value next]"},
    {"a mutable buffer with an untagged user (Q12)",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", type);
       const auto next = b.call("next", "neg", {state}, type);
       b.mutation(next, "state");
       b.output(b.call("reader", "neg", {state}, type));
       return tagged<"next b_state">(b.finish());
     },
     rule<"shared_mutable_buffer">::sentence,
     " [node: reader] [operator: neg] [tag: t] [backend: Npu] [buffer b_state, used by a node with tag none]"},
    {"a mutable buffer that is also returned (Q12)",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", type);
       b.mutation(b.call("next", "neg", {state}, type), "state");
       b.output(state);
       return tagged<"next b_state", data_sharing::duplicate>(b.finish());
     },
     rule<"shared_mutable_buffer">::sentence, " [tag: t] [backend: Npu] [buffer b_state, used by a graph output]"},
    {"a new value of a buffer that is also returned (E19, T-PART-12)",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state_1", type);
       const auto add = b.call("add", "add", {state, b.user_input("x", type)}, type);
       b.mutation(add, "state_1");
       b.output(add);
       return tagged<"add b_state_1">(b.finish());
     },
     rule<"shared_mutation">::sentence, " [tag: t] [backend: Npu] [buffer state_1, new value add]"},
    {"a new value of two buffers (E19)",
     [] {
       program_builder b;
       const auto one = b.mutable_buffer("one", type);
       b.mutable_buffer("two", type);
       const auto add = b.call("add", "neg", {one}, type);
       b.mutation(add, "one");
       b.mutation(add, "two");
       return tagged<"add b_one">(b.finish());
     },
     rule<"shared_mutation">::sentence, " [tag: t] [backend: Npu] [buffer one, new value add]"},
    {"a part that depends on itself (E14)", [] { return tagged<"mm mm_1">(conformance::g_mmadd()); }, rule<"dependency_cycle">::sentence,
     " [node: mm] [operator: aten.mm.default] [tag: t] [backend: Npu] [mm of t -> add -> sub -> mm_1 of t]"},
    {"two parts that depend on one another",
     [] {
       using partitioner = tags::partitioner<tags::part<"a", "Npu", "mm sub add_1">, tags::part<"b", "Dsp", "add mm_1">>;
       return tagged_by<partitioner>(conformance::g_mmadd());
     },
     rule<"dependency_cycle">::sentence,
     " [node: mm] [operator: aten.mm.default] [tag: a] [backend: Npu] [mm of a -> add of b -> sub of a]"},
    {"a part that depends on itself through a node that also ends a path",
     [] {
       program_builder b;
       const auto x = b.user_input("x", type);
       const auto pair = b.call_many("pair", "split", {x}, {type, type});
       const auto outside = b.call("outside", "neg", {pair[1]}, type);
       b.output(b.call("sum", "add", {pair[0], outside}, type));
       return tagged<"pair sum">(b.finish());
     },
     rule<"dependency_cycle">::sentence, " [node: pair] [operator: split] [tag: t] [backend: Npu] [pair of t -> outside -> sum of t]"},
    {"a part that only depends on a cycle, and begins before it",
     [] {
       program_builder b;
       const auto x = b.user_input("x", type);
       const auto before = b.call("before", "neg", {x}, type);
       const auto first = b.call("first", "neg", {x}, type);
       const auto last = b.call("last", "neg", {b.call("outside", "neg", {first}, type)}, type);
       b.output(b.call("after", "add", {before, last}, type));
       using partitioner = tags::partitioner<tags::part<"a", "Npu", "before after">, tags::part<"b", "Dsp", "first last">>;
       return tagged_by<partitioner>(b.finish());
     },
     rule<"dependency_cycle">::sentence, " [node: first] [operator: neg] [tag: b] [backend: Dsp] [first of b -> outside -> last of b]"},
    {"a part without outputs (R96)",
     [] {
       program_builder b;
       const auto x = b.user_input("x", type);
       b.call("dead", "neg", {x}, type);
       b.output(x);
       return tagged<"dead">(b.finish());
     },
     rule<"part_without_outputs">::sentence, " [node: dead] [operator: neg] [tag: t] [backend: Npu]"},
};

constexpr auto is_reported(const test_case& test) -> bool {
  const auto program = test.make();
  const auto why = refused_by_extract(program);
  const auto text = message(why);
  const auto expected = join(test.sentence, test.facts);
  return !verify(program) && why && view(text) == view(expected);
}
template <std::size_t Index>
constexpr bool case_is_reported = is_reported(test_cases[Index]);
template <std::size_t... Index>
constexpr auto every_error_is_reported(std::index_sequence<Index...>) -> bool {
  return (case_is_reported<Index> && ...);
}
static_assert(every_error_is_reported(std::make_index_sequence<std::size(test_cases)>{}));

// Partitions without a cycle: one part of all nodes, two parts in a row, the sums of G-SEQ, and no part.
constexpr auto no_cycle_is_reported_without_a_cycle() -> bool {
  using side_by_side = tags::partitioner<tags::part<"a", "Npu", "mm mm_1 add add_1 sub">, tags::part<"b", "Dsp", "nothing">>;
  using in_a_row = tags::partitioner<tags::part<"b", "Dsp", "sub mm_1">, tags::part<"a", "Npu", "mm add">>;
  return !refused_by_extract(tagged_by<side_by_side>(conformance::g_mmadd())) &&
         !refused_by_extract(tagged_by<in_a_row>(conformance::g_mmadd())) &&
         !refused_by_extract(tagged<"add add_1 add_2 add_3 add_4">(conformance::g_seq())) && !refused_by_extract(conformance::g_seq());
}
static_assert(no_cycle_is_reported_without_a_cycle());

}  // namespace

// Three errors of ExecuTorch cannot occur. E16, a part that is not one subgraph: a part is found by its tag. Only dead code remains, which
// has no place for a call.
// E21, consumed data that are not owned data: other values must not be tagged. E23, a user of a mutation that is no getitem: a call has no
// output for it. Only a new value with a second role remains.
TEST_CASE("an invalid tag is refused, and the error names the node or value (E11, E12, E13, E14, E15, E16, E19, E21, E23, Q12)") {
  for (const auto& test : test_cases) {
    INFO(std::string(test.label));
    const auto text = message(refused_by_extract(test.make()));
    CHECK(std::string(view(text)) == std::string(test.sentence) + std::string(test.facts));
    CHECK(is_reported(test));
  }
  CHECK(no_cycle_is_reported_without_a_cycle());
}
