// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.7 of the specification: the group partitioner compared with the capability partitioner. All results are exact.
#include <baton/compat/executorch/group_partitioner.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/demo_backend.hpp"
#include "conformance/drawn_graph.hpp"
#include "conformance/program_queries.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

/// S0. Operators of the support that are not in the graph have no effect.
using s0 = named<"linear", "linear_1", "linear_2", "fq", "fq_1", "add_op", "bmm", "squeeze", "unsqueeze", "unsqueeze_1", "squeeze_1",
                 "tanh_op", "relu_op">;
template <fixed_string... Names>
using s0_and = any_of<s0, named<Names...>>;

template <operator_support Support>
constexpr auto is_grouped(const program_view& program, std::string_view expected, std::initializer_list<std::string_view> groups = {})
    -> bool {
  baton::vector<node_list> lists;
  for (const auto names : groups) lists.push_back(listed(program, names));
  const auto parts = merged_group_parts<Support>(program, lists);
  return parts && view(parts_text(program, parts.value)) == expected;
}
template <operator_support Support>
constexpr auto is_capable(const program_view& program, std::string_view expected) -> bool {
  const auto parts = parts_from_support<Support>(program);
  return view(parts_text(program, parts)) == expected;
}

template <operator_support Support>
constexpr auto group(std::string_view graph, std::string_view expected, std::initializer_list<std::string_view> groups = {}) -> bool {
  return is_grouped<Support>(draw(graph), expected, groups);
}
template <operator_support Support>
constexpr auto capability(std::string_view graph, std::string_view expected) -> bool {
  return is_capable<Support>(draw(graph), expected);
}

template <operator_support Support>
constexpr auto both(std::string_view graph, std::string_view expected) -> bool {
  return group<Support>(graph, expected) && capability<Support>(graph, expected);
}

constexpr auto qdq_linear =
    "fq(x) linear(fq;1) sin_op(linear) unsqueeze(sin_op) unsqueeze_1(sin_op) bmm(unsqueeze,unsqueeze_1) squeeze(bmm) linear_1(fq;2) -> "
    "linear "
    "linear_1 squeeze";
constexpr auto double_qdq =
    "fq(x) linear(fq;1) sin_op(linear) unsqueeze(sin_op) unsqueeze_1(sin_op) bmm(unsqueeze,unsqueeze_1) squeeze(bmm) linear_1(fq;2) "
    "fq_1(x) "
    "linear_2(fq_1;3) add_op(sin_op,linear_2) -> add_op linear_1 squeeze";
constexpr auto branches =
    "linear(x;1) relu_op(linear) linear_1(x;2) tanh_op(linear_1) add_op(relu_op,tanh_op) linear_2(add_op;3) -> linear_2";
constexpr auto reshapes = "linear(x;1) reshape_op(linear) relu_op(reshape_op) reshape_op_1(relu_op) linear_1(reshape_op_1;2) -> linear_1";
constexpr auto three_paths =
    "linear(x;1) relu_op(linear) linear_1(x;2) tanh_op(linear_1) linear_2(x;3) relu_op_1(linear_2) add_op(relu_op,tanh_op) "
    "add_op_1(add_op,relu_op_1) "
    "linear_3(add_op_1;4) -> linear_3";
constexpr auto ten_layers =
    "linear(x;1) relu_op(linear) linear_1(relu_op;2) tanh_op(linear_1) linear_2(tanh_op;3) sigmoid(linear_2) linear_3(sigmoid;4) "
    "relu_op_1(linear_3) "
    "linear_4(relu_op_1;5) tanh_op_1(linear_4) linear_5(tanh_op_1;6) sigmoid_1(linear_5) linear_6(sigmoid_1;7) relu_op_2(linear_6) "
    "linear_7(relu_op_2;8) tanh_op_2(linear_7) linear_8(tanh_op_2;9) sigmoid_2(linear_8) linear_9(sigmoid_2;10) relu_op_3(linear_9) "
    "linear_10(relu_op_3;11) -> linear_10";
constexpr auto all_of_branches = "{add_op,linear,linear_1,linear_2,relu_op,tanh_op}";

constexpr auto gp_1() -> bool {
  return group<s0>(qdq_linear, "{fq,linear,linear_1} {bmm,squeeze,unsqueeze,unsqueeze_1}", {"linear,linear_1,fq"}) &&
         capability<s0>(qdq_linear, "{bmm,linear_1,squeeze,unsqueeze,unsqueeze_1} {fq,linear}");
}
constexpr auto gp_2() -> bool {
  return group<s0>(
      "linear(x;1) relu_op(linear) linear_1(relu_op;2) tanh_op(linear_1) linear_2(tanh_op;3) add_op(linear_2,relu_op) linear_3(add_op;4) "
      "-> linear_3",
      "{add_op,linear,linear_1,linear_2,relu_op,tanh_op}");
}
constexpr auto gp_3() -> bool {
  return group<s0>("fq(x) linear(fq;1) linear_1(fq;2) sin_op(linear) add_op(sin_op,linear_1) -> add_op", "{add_op} {fq,linear,linear_1}",
                   {"fq,linear,linear_1"});
}
constexpr auto gp_4() -> bool {
  return group<s0>("fq(x) linear(fq;1) linear_1(fq;2) add_op(linear,linear_1) linear_2(add_op;3) sin_op(linear_2) -> linear_2 sin_op",
                   "{add_op,fq,linear,linear_1,linear_2}", {"fq,linear,linear_1,linear_2"});
}
constexpr auto gp_5() -> bool {
  return group<s0>(double_qdq, "{add_op,bmm,fq_1,linear_2,squeeze,unsqueeze,unsqueeze_1} {fq,linear,linear_1}",
                   {"linear,linear_1,fq", "add_op,linear_2,fq_1"});
}
constexpr auto gp_6() -> bool {
  return both<s0>("linear(x;1) relu_op(linear) linear_1(relu_op;2) -> linear_1", "{linear,linear_1,relu_op}");
}
constexpr auto gp_7() -> bool { return both<s0_and<"add_op_1">>(branches, all_of_branches); }
constexpr auto gp_8() -> bool {
  return both<s0_and<"cat", "linear_3">>(
      "linear(x;1) relu_op(linear) linear_1(relu_op;2) tanh_op(linear_1) cat(tanh_op,x) linear_2(cat;3) -> linear_2",
      "{cat,linear,linear_1,linear_2,relu_op,tanh_op}");
}
constexpr auto gp_9() -> bool { return both<s0_and<"add_op_1", "linear_3">>(branches, all_of_branches); }
constexpr auto gp_10() -> bool {
  return both<s0>("linear(x;1) unsqueeze(linear) relu_op(unsqueeze) squeeze(relu_op) linear_1(squeeze;2) -> linear_1",
                  "{linear,linear_1,relu_op,squeeze,unsqueeze}");
}
constexpr auto gp_11() -> bool {
  return both<s0_and<"add_op_1", "add_op_2", "linear_3", "linear_4">>(
      three_paths, "{add_op,add_op_1,linear,linear_1,linear_3,relu_op,tanh_op} {linear_2}");
}
constexpr auto gp_12() -> bool {
  return both<s0_and<"reshape_op", "reshape_op_1">>(reshapes, "{linear,linear_1,relu_op,reshape_op,reshape_op_1}");
}
constexpr auto gp_13() -> bool {
  return both<s0_and<"linear_3">>("linear(x;1) relu_op(linear) linear_1(relu_op;2) linear_2(relu_op;3) -> linear_1 linear_2",
                                  "{linear,linear_1,linear_2,relu_op}");
}
constexpr auto gp_14() -> bool {
  return both<s0_and<"add_op_1", "linear_3">>(
      "linear(x;1) relu_op(linear) linear_1(relu_op;2) tanh_op(relu_op) add_op(linear_1,tanh_op) linear_2(add_op;3) -> linear_2",
      "{add_op,linear,linear_1,linear_2,relu_op,tanh_op}");
}
/// A counter that is incremented in place, and read. The mutated buffer is returned first.
constexpr auto counting() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2, 2);
  program_builder b;
  const auto counter = b.mutable_buffer("counter", type);
  const auto weight = b.parameter("linear.weight", type);
  const auto x = b.user_input("x", type);
  const auto next = b.call("add_", "aten.add_.Tensor", {counter}, type, {{"other", 1.0}});
  const auto sum = b.call("add", "aten.add.Tensor", {x, counter}, type);
  b.mutation(next, "counter");
  b.output(b.call("linear", "aten.linear.default", {sum, weight}, type));
  return b.finish();
}
using gp_18_support = s0_and<"add", "add_">;
constexpr auto gp_18() -> bool {
  return is_grouped<gp_18_support>(counting(), "{add,add_,linear}") && is_capable<gp_18_support>(counting(), "{add,add_,linear}") &&
         both<gp_18_support>("add_(b_counter) add(x,b_counter) linear(add;1) -> linear", "{add,add_,linear}");
}
/// The delegate computes the new value. The owner keeps the buffer, and writes the value back.
constexpr auto the_mutation_stays_with_the_owner() -> bool {
  const auto lowered = try_to_backend(backends<demo_backend>, counting(), by_support<demo_backend, gp_18_support>{}, validation::on).value;
  const program_view program = lowered;
  const auto outputs = program.outputs_of(program.root());
  return program.delegates.size() == 1 && program.root().nodes.size == 1 && outputs.size() == 2 &&
         outputs[0].kind == output_kind::buffer_mutation && program.text(outputs[0].target) == "counter" &&
         program.text(program[program.inputs(program.root())[0]].name) == "b_counter" && means_the_same(counting(), lowered);
}
static_assert(the_mutation_stays_with_the_owner());
constexpr auto gp_19() -> bool {
  return both<s0_and<"reshape_op", "size">>("linear(x;1) relu_op(linear) reshape_op(relu_op) linear_1(reshape_op;2) -> linear_1",
                                            "{linear,linear_1,relu_op,reshape_op}");
}
constexpr auto gp_21() -> bool {
  return both<operator_names<"linear", "relu_op", "sigmoid">>(
      "linear(x;1) relu_op(linear) sigmoid(relu_op) linear_1(sigmoid;2) -> linear_1", "{linear,linear_1,relu_op,sigmoid}");
}
using gp_23_support = s0_and<"linear_3", "linear_4", "linear_5", "linear_6", "linear_7", "linear_8", "linear_9", "linear_10", "sigmoid",
                             "sigmoid_1", "sigmoid_2", "tanh_op_1", "tanh_op_2", "relu_op_1", "relu_op_2">;
constexpr auto gp_23_parts =
    "{linear_10} "
    "{linear,linear_1,linear_2,linear_3,linear_4,linear_5,linear_6,linear_7,linear_8,linear_9,relu_op,relu_op_1,relu_op_2,sigmoid,"
    "sigmoid_1,sigmoid_2,tanh_op,tanh_op_1,tanh_op_2}";
/// The ten layers, built without the text. Parsing the text would exceed Clang's limit of steps.
struct built_ten_layers {
  constexpr auto operator()() const -> exported_program {
    constexpr auto type = tensor(dtype::float32, 2, 2);
    constexpr std::string_view activations[] = {"relu_op", "tanh_op", "sigmoid"};
    const auto numbered = [](std::string_view stem, std::size_t number) {
      auto name = join(stem);
      if (number != 0) append(append(name, "_"), static_cast<std::int64_t>(number));
      return name;
    };
    program_builder b;
    auto last = b.user_input("x", type);
    for (std::size_t layer = 0; layer < 11; ++layer) {
      last = b.call(view(numbered("linear", layer)), "linear", {last}, type);
      if (layer < 10) last = b.call(view(numbered(activations[layer % 3], layer / 3)), activations[layer % 3], {last}, type);
    }
    b.output(last);
    return b.finish();
  }
};
constexpr auto gp_23_model = static_program{built_ten_layers{}};
static_assert(is_grouped<gp_23_support>(gp_23_model.value(), gp_23_parts));
static_assert(is_capable<gp_23_support>(gp_23_model.value(), gp_23_parts));

/// The same three paths, with their nodes in other orders.
constexpr std::string_view other_orders[] = {
    "linear_2(x;3) relu_op_1(linear_2) linear_1(x;2) tanh_op(linear_1) linear(x;1) relu_op(linear) add_op(relu_op,tanh_op) "
    "add_op_1(add_op,relu_op_1) "
    "linear_3(add_op_1;4) -> linear_3",
    "linear(x;1) linear_1(x;2) linear_2(x;3) relu_op(linear) tanh_op(linear_1) relu_op_1(linear_2) add_op(relu_op,tanh_op) "
    "add_op_1(add_op,relu_op_1) "
    "linear_3(add_op_1;4) -> linear_3",
    "linear_1(x;2) tanh_op(linear_1) linear(x;1) relu_op(linear) add_op(relu_op,tanh_op) linear_2(x;3) relu_op_1(linear_2) "
    "add_op_1(add_op,relu_op_1) "
    "linear_3(add_op_1;4) -> linear_3"};
constexpr auto gp_24(std::size_t order) -> bool {
  return both<s0_and<"add_op_1", "add_op_2", "linear_3", "linear_4">>(
      other_orders[order], "{add_op,add_op_1,linear,linear_1,linear_3,relu_op,tanh_op} {linear_2}");
}
static_assert(gp_1());
static_assert(gp_2());
static_assert(gp_3());
static_assert(gp_4());
static_assert(gp_5());
static_assert(gp_6());
static_assert(gp_7());
static_assert(gp_8());
static_assert(gp_9());
static_assert(gp_10());
static_assert(gp_11());
static_assert(gp_12());
static_assert(gp_13());
static_assert(gp_14());
static_assert(gp_18());
static_assert(gp_19());
static_assert(gp_21());
static_assert(gp_24(0));
static_assert(gp_24(1));
static_assert(gp_24(2));

/// True if both partitioners form the expected parts of at least `min` nodes.
template <operator_support Support, operator_support NonCompute, operator_support Alone>
constexpr auto sized(std::string_view graph, std::uint32_t min, std::string_view expected) -> bool {
  const auto program = draw(graph);
  const auto parts = merged_group_parts<Support, NonCompute, Alone>(program, {}, min);
  const auto levels = parts_from_support<Support, NonCompute, Alone>(program, {.min_nodes = min});
  return parts && view(parts_text(program, parts.value)) == expected && view(parts_text(program, levels)) == expected;
}

constexpr auto gp_15() -> bool {
  return sized<s0_and<"reshape_op", "reshape_op_1">, operator_names<"reshape_op">, no_support>(
      reshapes, 1, "{linear,linear_1,relu_op,reshape_op,reshape_op_1}");
}
// Two reshapes alone do not form a part if a part needs two computing nodes.
constexpr auto non_compute_nodes_do_not_count() -> bool {
  constexpr auto graph =
      "reshape_op(x) reshape_op_1(reshape_op) sin_op(reshape_op_1) relu_op(sin_op) reshape_op_2(relu_op) linear(reshape_op_2;1) -> linear";
  return sized<operator_names<"reshape_op", "relu_op", "linear">, operator_names<"reshape_op">, no_support>(
      graph, 2, "{linear,relu_op,reshape_op_2}");
}

constexpr auto islands = "linear(x;1) sin_op(linear) tanh_op(sin_op) sin_op_1(tanh_op) linear_1(sin_op_1;2) -> linear_1";
constexpr auto gp_16() -> bool {
  return sized<s0, no_support, operator_names<"tanh_op_1">>(islands, 2, "") &&
         sized<s0, no_support, operator_names<"tanh_op">>(islands, 2, "{tanh_op}");
}
constexpr auto gp_25() -> bool {
  constexpr auto graph = "linear(x;1) sin_op(linear) linear_1(sin_op;2) -> linear_1";
  return sized<s0, no_support, no_support>(graph, 2, "") && sized<s0, no_support, no_support>(graph, 1, "{linear_1} {linear}");
}
static_assert(gp_15());
static_assert(non_compute_nodes_do_not_count());
static_assert(gp_16());
static_assert(gp_25());

}  // namespace

TEST_CASE("a group stays one part where the capability partitioner would divide it (T-GP-1)") { CHECK(gp_1()); }
TEST_CASE("branches that depend on one another form one part (T-GP-2)") { CHECK(gp_2()); }
TEST_CASE("a group of two layers after one quantized input stays one part, and a node after them forms another (T-GP-3)") { CHECK(gp_3()); }
TEST_CASE("a group includes a supported node between its members (T-GP-4)") { CHECK(gp_4()); }
TEST_CASE("two groups with a common input stay two parts (T-GP-5)") { CHECK(gp_5()); }
TEST_CASE("without groups, a chain forms one part (T-GP-6)") { CHECK(gp_6()); }
TEST_CASE("without groups, branches that meet form one part (T-GP-7)") { CHECK(gp_7()); }
TEST_CASE("without groups, an input that is used twice does not divide a part (T-GP-8)") { CHECK(gp_8()); }
TEST_CASE("the capability partitioner forms one part of branches that meet (T-GP-9)") { CHECK(gp_9()); }
TEST_CASE("changes of shape between layers do not divide a part (T-GP-10)") { CHECK(gp_10()); }
TEST_CASE("three paths that meet form two parts if one path has an unsupported node (T-GP-11)") { CHECK(gp_11()); }
TEST_CASE("reshapes that are supported belong to the part around them (T-GP-12)") { CHECK(gp_12()); }
TEST_CASE("a part may have two outputs (T-GP-13)") { CHECK(gp_13()); }
TEST_CASE("a node that two branches use does not divide their part (T-GP-14)") { CHECK(gp_14()); }
TEST_CASE("operators that compute nothing join a part, and do not count towards its minimum size (T-GP-15)") {
  CHECK(gp_15());
  CHECK(non_compute_nodes_do_not_count());
}
TEST_CASE("a part of one node below the minimum size is formed only if its operator is listed (T-GP-16)") { CHECK(gp_16()); }
TEST_CASE("a buffer that is changed in place belongs to a part, and its owner writes the new value back (T-GP-18)") {
  CHECK(gp_18());
  CHECK(the_mutation_stays_with_the_owner());
}
TEST_CASE("a reshape_op by sizes of the input belongs to the part around it (T-GP-19)") { CHECK(gp_19()); }
TEST_CASE("a custom operator support determines the nodes of a part (T-GP-21)") { CHECK(gp_21()); }
TEST_CASE("pairs of operators that would be fused share a part (T-GP-22)") {
  CHECK(both<s0_and<"add_op_1", "linear_3">>(branches, all_of_branches));
}
TEST_CASE("ten layers form one part, and an unsupported activation separates the last one (T-GP-23)") {
  CHECK(both<gp_23_support>(ten_layers, gp_23_parts));
  CHECK(is_grouped<gp_23_support>(built_ten_layers{}(), gp_23_parts));
  CHECK(is_capable<gp_23_support>(built_ten_layers{}(), gp_23_parts));
}
TEST_CASE("the order of nodes in a program does not change its parts (T-GP-24)") {
  CHECK(gp_11());
  for (const std::size_t order : {0u, 1u, 2u}) CHECK(gp_24(order));
}
TEST_CASE("parts of one node are refused if the minimum is two, and allowed if it is one (T-GP-25)") { CHECK(gp_25()); }
