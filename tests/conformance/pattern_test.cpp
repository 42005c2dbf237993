// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows of patterns: their matches, and the parts that the HTA demo partitioners form.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_pattern.hpp>

#include "conformance/drawn_graph.hpp"
#include "conformance/graphs.hpp"
#include "conformance/hta_partitioner_demo.hpp"
#include "conformance/program_queries.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

constexpr auto count_of_matches(const exported_program& program, const exported_program& pattern, literals compare = literals::compared)
    -> std::size_t {
  return find_matches(program, graph_id{0}, pattern, compare).value.size();
}

constexpr auto one_linear_layer_is_found() -> bool {
  const auto program = draw("a(x,w) permute(b_linear) linear(a,permute) -> linear");
  return count_of_matches(program, draw("permute(w) linear(x,permute) -> linear")) == 1;
}
static_assert(one_linear_layer_is_found());

constexpr auto with_dim(std::int64_t dim) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  b.output(b.call("softmax_op", {x}, two_by_two, {{"dim", dim}}));
  return b.finish();
}
constexpr auto attributes_are_compared_unless_ignored() -> bool {
  return count_of_matches(with_dim(1), with_dim(1)) == 1 && count_of_matches(with_dim(1), with_dim(0)) == 0 &&
         count_of_matches(with_dim(1), with_dim(0), literals::ignored) == 1;
}
static_assert(attributes_are_compared_unless_ignored());

constexpr auto a_match_is_whole() -> bool {
  const auto pattern = draw("mul_op(p,q) add_op(mul_op,r) -> add_op");
  return count_of_matches(draw("mul_op(x,y) add_op(mul_op,z) mul_op_1(add_op,y) add_op_1(mul_op_1,x) -> add_op_1"), pattern) == 2 &&
         count_of_matches(draw("mul_op(x,x) add_op(mul_op,z) -> add_op"), pattern) == 0 &&  // different placeholders, different values
         count_of_matches(draw("mul_op(x,y) add_op(mul_op,z) sin_op(mul_op) -> add_op sin_op"), pattern) ==
             0 &&                                                                                  // a node outside uses a value inside
         count_of_matches(draw("mul_op(x,y) add_op(mul_op,z) -> add_op mul_op"), pattern) == 0 &&  // it is returned
         count_of_matches(draw("sub_op(x,y) sub_op_1(sub_op,z) sub_op_2(sub_op_1,x) -> sub_op_2"),
                          draw("sub_op(p,q) sub_op_1(sub_op,r) -> sub_op_1")) == 1 &&
         count_of_matches(draw("mul_op(x,y) sin_op(mul_op) add_op(mul_op,sin_op) -> add_op"),
                          draw("mul_op(p,q) add_op(mul_op,r) -> mul_op add_op")) == 0;  // a cycle
}
static_assert(a_match_is_whole());

constexpr auto model = static_program{make<g_lstm>{}};
constexpr auto with_two = to_backend(backends<demo_backend>, model, hta_partitioner_demo<lstm_and_convolution, difference>{});
constexpr auto with_one = to_backend(backends<demo_backend>, model, hta_partitioner_demo<lstm_and_convolution>{});

constexpr auto is_lowered_to(const program_view& program, std::string_view call, std::string_view outputs, std::size_t subs) -> bool {
  if (program.delegates.size() != 1) return false;
  const auto& delegate = program.delegates[0];
  const auto nodes = program.nodes_of(program.root());
  const auto count = [&](literal_name op) {
    return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const node& one) { return one.is(op); }));
  };
  const auto the_call = std::find_if(nodes.begin(), nodes.end(), [](const node& one) { return one.delegate != none<delegate_id>; });
  return program.text(delegate.backend_id) == "DemoBackend" && program.text(delegate.processed_bytes) == "imqnncompiled" &&
         count("aten.sub.Tensor") == subs && count("aten.convolution.default") == 0 && the_call != nodes.end() &&
         operands_are(program, *the_call, call) && are_named(program, program.outputs_of(*the_call), outputs);
}
static_assert(is_lowered_to(with_two.value(), "x h c", "out hn k d", 0));
static_assert(is_lowered_to(with_one.value(), "x h c", "cn out hn k", 3));

}  // namespace

TEST_CASE("the pattern of a decomposed linear layer is found once (T-UT-6)") {
  CHECK(one_linear_layer_is_found());
  CHECK(attributes_are_compared_unless_ignored());
  CHECK(a_match_is_whole());
}

// There is no operator table: an operator has an entry if a node has it. The undelegated program has one convolution.
TEST_CASE("two patterns of one partitioner form one delegate (T-LIFT-9)") {
  CHECK(is_lowered_to(with_two.value(), "x h c", "out hn k d", 0));
  const auto lowered = to_backend(backends<demo_backend>, g_lstm(), hta_partitioner_demo<lstm_and_convolution, difference>{});
  CHECK(is_lowered_to(lowered, "x h c", "out hn k d", 0));
  CHECK(means_the_same(g_lstm(), lowered));
}

TEST_CASE("with one pattern, the operators that differ from it stay in the owner (T-LIFT-10)") {
  CHECK(is_lowered_to(with_one.value(), "x h c", "cn out hn k", 3));
  const auto lowered = to_backend(backends<demo_backend>, g_lstm(), hta_partitioner_demo<lstm_and_convolution>{});
  CHECK(is_lowered_to(lowered, "x h c", "cn out hn k", 3));
  CHECK(means_the_same(g_lstm(), lowered));
}
