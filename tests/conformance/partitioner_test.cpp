// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitioners and the owners of data: section 4.9 of the delegation specification. Names of nodes are short: `sub` for aten_sub_tensor.
#include <baton/partition/partitioner.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>

#include "conformance/add_attribute_partitioner_demo.hpp"
#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "conformance/program_queries.hpp"
#include "core/refusals.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using conformance::data_of;
using conformance::inputs_are;
using conformance::means_the_same;
using conformance::operands_are;
using conformance::stored_data;

constexpr auto target = backends<conformance::demo_backend>;

/// Partitioners by the names of nodes and data.
template <fixed_string Names, data_sharing Sharing = data_sharing::share>
using tag0 = tags::partitioner<tags::part<"tag0", "DemoBackend", Names, Sharing>>;

template <auto Make>
constexpr auto model = static_program{conformance::make<Make>{}};

/// The only delegate of a lowered program, and the call of it.
constexpr auto only_delegate(const program_view& lowered) -> graph_id { return delegates(lowered)[0].original(); }
constexpr auto only_call(const program_view& lowered) -> const node& {
  for (const auto& record : lowered.nodes_of(lowered.root())) {
    if (record.is(call_delegate)) return record;
  }
  return lowered.nodes[0];
}

// T-PART-1

/// The arguments of a partitioner are ordinary members, which are read-only because they are const (R55).
struct partitioner_with_spec {
  struct entry {
    std::string_view key;
    std::string_view value;
  };
  const std::array<entry, 1> spec;

  constexpr auto partition(const program_view& program) const -> partition_result {
    auto tagged = conformance::all_nodes_partitioner<conformance::demo_backend>::partition(program);
    for (auto& [tag, delegation] : tagged.partition_tags) {
      for (const auto& [key, value] : spec) delegation.compile_specs.emplace_back(key, value);
    }
    return tagged;
  }
};
constexpr auto make_partitioner_with_spec = [] { return partitioner_with_spec{{{{"path", "/a/b/c/d"}}}}; };

template <class T>
concept has_assignable_spec = requires(T& partitioner, T& other) { partitioner.spec = other.spec; };
template <class T>
concept has_assignable_elements = requires(T& partitioner) { partitioner.spec[0].value = ""; };

constexpr auto a_spec_reaches_the_backend(const program_view& lowered) -> bool {
  const auto modules = delegates(lowered);
  if (modules.size() != 1) return false;
  const auto specs = modules[0].compile_specs();
  return specs.size() == 1 && lowered.text(specs[0].key) == "path" && lowered.text(specs[0].value) == "/a/b/c/d" &&
         operands_are(lowered, only_call(lowered), "p_weight p_bias inputs");
}
constexpr auto t_part_1() -> bool {
  const auto partitioner = make_partitioner_with_spec();
  const auto lowered = to_backend(target, conformance::g_mlp(), partitioner);
  return partitioner.spec[0].value == "/a/b/c/d" && !has_assignable_spec<partitioner_with_spec> &&
         !has_assignable_elements<partitioner_with_spec> && a_spec_reaches_the_backend(lowered) &&
         means_the_same(conformance::g_mlp(), lowered);
}
static_assert(t_part_1());
static_assert(a_spec_reaches_the_backend(to_backend(target, model<conformance::g_mlp>, make_partitioner_with_spec)));

// T-PART-2, T-PART-3

struct tags_the_output {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged(program);
    const auto tag = tagged.add_tag("tag0", delegation_spec{"DemoBackend"});
    for (const auto& spec : program.outputs_of(program.root())) tagged.tag_value(spec.value, tag);
    return tagged;
  }
};
struct tags_model_inputs {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged(program);
    for (const auto input : program.inputs(program.root())) {
      const auto kind = program[input].kind;
      if (kind == value_kind::parameter || kind == value_kind::buffer) continue;
      const auto tag_name = join("tag_", program.text(program[input].name));
      tagged.tag_value(input, tagged.add_tag(view(tag_name), delegation_spec{"DemoBackend"}));
    }
    return tagged;
  }
};
template <auto Make, class Partitioner>
constexpr auto refusal() -> failure {
  return try_to_backend(target, Make(), Partitioner{}, validation::on).error;
}
static_assert(refusal<conformance::g_mlp, tags_the_output>().is<"tagged_output">());
static_assert(refusal<conformance::g_mlp, tags_model_inputs>().is<"tagged_user_input">());

// T-PART-4 to T-PART-6

constexpr auto untagged_data_stays(const program_view& lowered) -> bool {
  return data_of(lowered) == stored_data{3, 2, 1} && delegates(lowered).size() == 1 &&
         operands_are(lowered, only_call(lowered), "x b_const1 b_const2 p_const3") &&
         data_of(lowered, only_delegate(lowered)) == stored_data{} && means_the_same(conformance::g_add3(), lowered);
}
static_assert(untagged_data_stays(to_backend(target, model<conformance::g_add3>, tag0<"add add_1 add_2">{})));

constexpr auto tagged_data_moves(const program_view& lowered) -> bool {
  return data_of(lowered) == stored_data{} && operands_are(lowered, only_call(lowered), "x") &&
         data_of(lowered, only_delegate(lowered)) == stored_data{3, 2, 1} &&
         inputs_are(lowered, only_delegate(lowered), "p_const3 b_const1 b_const2 x") && means_the_same(conformance::g_add3(), lowered);
}
using all_data = tag0<"add add_1 add_2 p_const3 b_const1 b_const2">;
static_assert(tagged_data_moves(to_backend(target, model<conformance::g_add3>, all_data{})));

constexpr auto only_parameters_move(const program_view& lowered) -> bool {
  return data_of(lowered) == stored_data{2, 2, 0} && operands_are(lowered, only_call(lowered), "x b_const1 b_const2") &&
         data_of(lowered, only_delegate(lowered)) == stored_data{1, 0, 1} && means_the_same(conformance::g_add3(), lowered);
}
using parameters_only = tag0<"add add_1 add_2 p_const3">;
static_assert(only_parameters_move(to_backend(target, model<conformance::g_add3>, parameters_only{})));

// T-PART-7, T-PART-8

constexpr auto a_constant_is_split(const program_view& lowered) -> bool {
  const auto nodes = lowered.nodes_of(lowered.root());
  const auto own = lowered.inputs(lowered.root())[0];
  const auto moved = lowered.inputs(lowered[only_delegate(lowered)])[0];
  return inputs_are(lowered, graph_id{0}, "b_const_copy_0 x") && operands_are(lowered, only_call(lowered), "x") &&
         inputs_are(lowered, only_delegate(lowered), "b_const x") && operands_are(lowered, nodes[1], "x b_const_copy_0") &&
         lowered.text(lowered[own].target) == "const" && lowered.text(lowered[moved].target) == "const" && !lowered[own].persistent &&
         means_the_same(conformance::g_reuse(), lowered);
}
static_assert(a_constant_is_split(to_backend(target, model<conformance::g_reuse>, tag0<"add b_const">{})));

static_assert(refusal<conformance::g_reuse, tag0<"add b_const", data_sharing::own>>().is<"shared_constant">());

// T-PART-9

/// Both sums, and then the data that is not mutated.
struct sums_with_constants {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = tag0<"add add_1">::partition(program);
    tag_constant_data(tagged, program);
    return tagged;
  }
};
// The lifted constant moves. In the original it stays, because the original confuses the node of a mutation with the mutated buffer (R72):
// `(LBM, x, b_my_state, c_lifted_tensor_0)`. In Baton, the signature decides (Q5).
constexpr auto a_mutable_buffer_stays(const program_view& lowered) -> bool {
  const auto returned = lowered.outputs_of(lowered.root());
  const auto results = lowered.outputs_of(only_call(lowered));
  return inputs_are(lowered, graph_id{0}, "b_my_state x") && operands_are(lowered, only_call(lowered), "x b_my_state") &&
         inputs_are(lowered, only_delegate(lowered), "c_lifted_tensor_0 x b_my_state") && results.size() == 2 && returned.size() == 2 &&
         returned[0].kind == output_kind::buffer_mutation && lowered.text(returned[0].target) == "my_state" &&
         returned[0].value == results[1] && returned[1].value == results[0] && conformance::mutations_of(lowered) == 1 &&
         conformance::mutations_of(lowered, only_delegate(lowered)) == 0 && means_the_same(conformance::g_mut(), lowered);
}
static_assert(a_mutable_buffer_stays(to_backend(target, model<conformance::g_mut>, sums_with_constants{})));

// T-PART-10, T-PART-12

/// A buffer that a sum changes, and a second sum of the new value.
constexpr auto counted() -> exported_program {
  constexpr auto three_by_three = tensor(dtype::float32, 3, 3);
  program_builder b;
  const auto buffer = b.mutable_buffer("b", three_by_three);
  const auto x = b.user_input("x", three_by_three);
  const auto add = b.call("add", "aten.add.Tensor", {buffer, x}, three_by_three);
  b.mutation(add, "b");
  b.output(b.call("add_1", "aten.add.Tensor", {x, add}, three_by_three));
  return b.finish();
}
using add_attribute = conformance::add_attribute_partitioner_demo<conformance::demo_backend>;

constexpr auto a_mutation_moves_with_its_buffer(const program_view& lowered) -> bool {
  const auto inside = only_delegate(lowered);
  const auto outputs = lowered.outputs_of(lowered[inside]);
  const auto returned = lowered.outputs_of(lowered.root());
  return conformance::mutations_of(lowered) == 0 && delegates(lowered).size() == 1 && operands_are(lowered, only_call(lowered), "x") &&
         data_of(lowered, inside) == stored_data{1, 1, 0} && conformance::mutations_of(lowered, inside) == 1 && outputs.size() == 2 &&
         lowered.text(lowered[outputs[0].value].name) == "add" && lowered.text(outputs[0].target) == "b" &&
         lowered.text(lowered[outputs[1].value].name) == "add_1" && returned.size() == 1 &&
         returned[0].value == lowered.outputs_of(only_call(lowered))[0] && lowered.outputs_of(only_call(lowered)).size() == 1 &&
         means_the_same(counted(), lowered);
}
static_assert(a_mutation_moves_with_its_buffer(to_backend(target, model<counted>, add_attribute{})));

/// The new value is a user output, too.
constexpr auto counted_and_returned() -> exported_program {
  program_builder b;
  const auto state = b.mutable_buffer("state_1", conformance::two_by_two);
  const auto x = b.user_input("x", conformance::two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {state, x}, conformance::two_by_two);
  b.mutation(add, "state_1");
  b.output(add);
  return b.finish();
}
static_assert(refusal<counted_and_returned, add_attribute>().is<"shared_mutation">());

}  // namespace

TEST_CASE("a partitioner passes on its delegation spec, which is immutable (T-PART-1, E25, E26)") {
  CHECK(t_part_1());
  CHECK(a_spec_reaches_the_backend(to_backend(target, model<conformance::g_mlp>, make_partitioner_with_spec)));
}

TEST_CASE("a tag on an output of the program is refused (T-PART-2, E11)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, conformance::g_mlp(), tags_the_output{}); }) ==
        std::string(rule<"tagged_output">::sentence) + " [tag: tag0] [backend: DemoBackend] [output addmm]");
}

TEST_CASE("a tag on a user input is refused (T-PART-3, E12)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, conformance::g_mlp(), tags_model_inputs{}); }) ==
        std::string(rule<"tagged_user_input">::sentence) + " [tag: tag_inputs] [backend: DemoBackend] [input inputs]");
}

TEST_CASE("untagged parameters and buffers stay in the owner (T-PART-4)") {
  CHECK(untagged_data_stays(to_backend(target, conformance::g_add3(), tag0<"add add_1 add_2">{})));
}

TEST_CASE("tagged parameters and buffers move into the delegate (T-PART-5)") {
  CHECK(tagged_data_moves(to_backend(target, conformance::g_add3(), all_data{})));
}

TEST_CASE("tagged parameters and buffers move into the delegate, and others stay in the owner (T-PART-6)") {
  CHECK(only_parameters_move(to_backend(target, conformance::g_add3(), parameters_only{})));
}

TEST_CASE("a constant that the owner uses, too, is copied into the delegate (T-PART-7)") {
  CHECK(a_constant_is_split(to_backend(target, conformance::g_reuse(), tag0<"add b_const">{})));
}

TEST_CASE("a constant that a part owns must have no other user (T-PART-8, E13)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, conformance::g_reuse(), tag0<"add b_const", data_sharing::own>{}); }) ==
        std::string(rule<"shared_constant">::sentence) +
            " [node: sub] [operator: aten.sub.Tensor] [tag: tag0] [backend: DemoBackend] [constant b_const, used by a node with tag none]");
}

TEST_CASE("an untagged mutable buffer stays in the owner, which writes it after the call (T-PART-9, Q5)") {
  CHECK(a_mutable_buffer_stays(to_backend(target, conformance::g_mut(), sums_with_constants{})));
}

TEST_CASE("a mutable buffer that is tagged moves into the delegate, and its mutation with it (T-PART-10)") {
  CHECK(a_mutation_moves_with_its_buffer(to_backend(target, counted(), add_attribute{})));
}

TEST_CASE("the new value of a delegate's buffer must have no second use (T-PART-12, E19)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, counted_and_returned(), add_attribute{}); }) ==
        std::string(rule<"shared_mutation">::sentence) + " [tag: tag0] [backend: DemoBackend] [buffer state_1, new value add]");
}
