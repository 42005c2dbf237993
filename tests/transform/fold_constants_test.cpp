// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/fold_constants.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/verify.hpp>

#include "laws/pass.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using enum dtype;

constexpr auto list(std::int64_t size) -> tensor_type { return tensor(int32, size); }

/// Only at run time, because Clang allows too few steps in a constant for that many programs.
constexpr auto keeps_the_laws(const program_view& program) -> bool {
  return std::is_constant_evaluated() || laws::pass::static_laws<fold_constants>(program);
}

/// Builds a program with a node whose operands are constants, and a node that uses its output.
struct folding {
  program_builder b;
  vector<value_id> operands;

  constexpr auto with(const tensor_type& type, std::initializer_list<std::int64_t> numbers) -> folding& {
    const vector<std::int64_t> elements(numbers.begin(), numbers.end());
    operands.push_back(b.constant("c", type, bytes_of(elements, type.type)));
    return *this;
  }
  constexpr auto with(std::initializer_list<std::int64_t> numbers) -> folding& {
    return with(list(static_cast<std::int64_t>(numbers.size())), numbers);
  }
  constexpr auto with_input(const tensor_type& type) -> folding& {
    operands.push_back(b.user_input("x", type));
    return *this;
  }

  /// Returns the elements to which the node is folded, each with a comma. Returns "left" if it is not folded, or "wrong" on any other
  /// error.
  constexpr auto folded(std::string_view op, const tensor_type& type, std::initializer_list<named_literal> literals = {}) -> text_buffer {
    const auto output = b.add_value(b.make_value("made", type, value_kind::intermediate));
    b.add_node(b.make_node("node", op), operands, baton::span{&output, 1}, {literals.begin(), literals.size()});
    b.output(b.call("user", "test.user", {output}, tensor(float32, 1)));
    const auto program = b.finish();
    const auto after = fold_constants::run(program);
    if (verify(after) || !keeps_the_laws(program)) return join("wrong");
    if (after.nodes.size() == 2) return join(same(after, program) ? "left" : "wrong");
    const auto& data = after[program_view(after).inputs(after.nodes[0])[0]];
    if (after.text(data.name) != "made" || data.kind != value_kind::constant || data.type != type.type) return join("wrong");
    text_buffer text;
    for (const auto element : list_of(known_integers::in(after, program_view(after).inputs(after.nodes[0])[0])).elements) {
      append(append(text, element), ",");
    }
    return text;
  }
};
constexpr auto is(const text_buffer& text, std::string_view expected) -> bool { return view(text) == expected; }

constexpr auto shapes_are_folded() -> bool {
  return is(folding().with_input(tensor(float32, 2, 3, 5)).folded("tfl.shape", list(3)), "2,3,5,") &&
         is(folding().with_input(tensor(float32, 2, 3)).folded("tfl.shape", tensor(int64, 2)), "2,3,") &&
         is(folding().with_input(tensor(float32, 2, 3)).folded("tfl.rank", tensor(int32)), "2,") &&
         is(folding().with_input(tensor(float32, -1, 3)).folded("tfl.shape", list(2)), "left") &&
         is(folding().with_input(tensor(float32, 2, 3)).folded("tfl.shape", list(3)), "left");
}
static_assert(shapes_are_folded());

/// Returns the folded slice of 10, 11, 12, 13, 14.
constexpr auto sliced(std::int64_t begin, std::int64_t end, std::int64_t step, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> text_buffer {
  return folding().with({10, 11, 12, 13, 14}).with({begin}).with({end}).with({step}).folded("tfl.strided_slice", type, literals);
}
constexpr auto slices_agree_with_the_kernel() -> bool {
  return is(sliced(1, 3, 1, list(2)), "11,12,") && is(sliced(-2, 9, 1, list(2)), "13,14,") && is(sliced(0, 5, 2, list(3)), "10,12,14,") &&
         is(sliced(-9, -3, 1, list(2)), "10,11,") && is(sliced(4, 0, -2, list(2)), "14,12,") &&
         is(sliced(9, -9, -1, list(5)), "14,13,12,11,10,") && is(sliced(7, 7, 1, list(2), {{"begin_mask", 1}, {"end_mask", 0}}), "left") &&
         is(sliced(7, 2, 1, list(2), {{"begin_mask", 1}}), "10,11,") && is(sliced(3, 0, 1, list(2), {{"end_mask", 1}}), "13,14,") &&
         is(sliced(0, 0, -4, list(2), {{"begin_mask", 1}, {"end_mask", 1}}), "14,10,") && is(sliced(3, 3, 1, list(0)), "") &&
         is(sliced(3, 4, 1, tensor(int32), {{"shrink_axis_mask", 1}}), "13,") &&
         is(sliced(-1, 0, 1, tensor(int32), {{"shrink_axis_mask", 1}}), "14,");
}
constexpr auto other_slices_are_not_folded() -> bool {
  return is(sliced(5, 6, 1, tensor(int32), {{"shrink_axis_mask", 1}}), "left") && is(sliced(0, 5, 0, list(5)), "left") &&
         is(sliced(0, 2, 1, list(2), {{"ellipsis_mask", 1}}), "left") && is(sliced(0, 1, 1, list(1), {{"new_axis_mask", 1}}), "left") &&
         is(sliced(0, 2, 1, list(2), {{"offset", true}}), "left") && is(sliced(0, 2, 1, list(3)), "left") &&
         is(folding()
                .with(tensor(int32, 2, 2), {1, 2, 3, 4})
                .with({0})
                .with({2})
                .with({1})
                .folded("tfl.strided_slice", tensor(int32, 2, 2)),
            "left");
}
static_assert(slices_agree_with_the_kernel() && other_slices_are_not_folded());

constexpr auto lists_are_joined() -> bool {
  constexpr auto scalar = tensor(int32);
  return is(folding().with(scalar, {4}).with(scalar, {5}).folded("tfl.pack", list(2), {{"axis", 0}}), "4,5,") &&
         is(folding().with(scalar, {4}).with(scalar, {5}).folded("tfl.pack", list(2), {{"axis", -1}}), "4,5,") &&
         is(folding().with({4, 5}).with({6, 7}).folded("tfl.pack", tensor(int32, 2, 2), {{"axis", 0}}), "4,5,6,7,") &&
         is(folding().with({4, 5}).with({6, 7}).folded("tfl.pack", tensor(int32, 2, 2), {{"axis", 1}}), "left") &&
         is(folding().with({4}).with({6, 7}).folded("tfl.concatenation", list(3), {{"axis", -1}}), "4,6,7,") &&
         is(folding().with({4}).with({6, 7}).folded("tfl.concatenation", list(3), {{"fused_activation_function", "relu"}}), "left") &&
         is(folding().with({4}).with_input(list(2)).folded("tfl.concatenation", list(3)), "left") &&
         is(folding().with({4, 5, 6}).with({2, 0}).folded("tfl.gather", list(2)), "6,4,") &&
         is(folding().with({4, 5, 6}).with({3}).folded("tfl.gather", list(1)), "left");
}
static_assert(lists_are_joined());

constexpr auto results_fit_their_type() -> bool {
  constexpr auto scalar = tensor(int32);
  return is(folding().with({4, 5}).with(scalar, {-1}).folded("tfl.add", list(2)), "3,4,") &&
         is(folding().with(scalar, {9}).with({4, 5}).folded("tfl.sub", list(2)), "5,4,") &&
         is(folding().with({4, 5}).with({2, 3}).folded("tfl.mul", list(2)), "8,15,") &&
         is(folding().with({4, 5}).with({7, 3}).folded("tfl.minimum", list(2)), "4,3,") &&
         is(folding().with({4, 5}).with({7, 3}).folded("tfl.maximum", list(2)), "7,5,") &&
         is(folding().with({4, 5, 6}).with({0}).folded("tfl.reduce_prod", scalar), "120,") &&
         is(folding().with({4, 5}).folded("tfl.cast", tensor(int64, 2)), "4,5,") &&
         is(folding().with(tensor(int64, 1), {1ll << 40}).folded("tfl.cast", list(1)), "left") &&
         is(folding().with({2147483647}).with({1}).folded("tfl.add", list(1)), "left") &&
         is(folding().with({2147483647}).with({1}).folded("tfl.add", tensor(int64, 1)), "2147483648,") &&
         is(folding().with({65536, 65536}).with({0}).folded("tfl.reduce_prod", scalar), "left") &&
         is(folding().with({1, 2}).with({1, 2, 3}).folded("tfl.add", list(3)), "left") &&
         is(folding().with({4}).with({4}).folded("tfl.add", list(1), {{"fused_activation_function", "relu"}}), "left") &&
         is(folding().with({4}).with({4}).folded("tfl.floor_mod", list(1)), "left");
}
static_assert(results_fit_their_type());

/// A reshape that keeps the batch, as converters write it: shape, strided_slice, pack, reshape.
constexpr auto build_chain() -> exported_program {
  program_builder b;
  const vector<std::int64_t> zero{0}, one{1}, six{6};
  const auto begin = b.constant("begin", list(1), bytes_of(zero, int32));
  const auto end = b.constant("end", list(1), bytes_of(one, int32));
  const auto last = b.constant("last", tensor(int32), bytes_of(six, int32));
  const auto x = b.user_input("x", tensor(float32, 4, 2, 3));
  const auto shape = b.call("tfl.shape", {x}, list(3));
  const auto batch = b.call("tfl.strided_slice", {shape, begin, end, end}, tensor(int32), {{"shrink_axis_mask", 1}});
  const auto sizes = b.call("tfl.pack", {batch, last}, list(2), {{"values_count", 2}, {"axis", 0}});
  b.output(b.call("tfl.reshape", {x, sizes}, tensor(float32, 4, 6)));
  return b.finish();
}
constexpr auto chain_becomes_one_constant() -> bool {
  const auto program = build_chain();
  const auto result = fold_constants::run(program);
  const auto inputs = program_view(result).inputs(result.root());
  return result.nodes.size() == 1 && result.nodes[0].debug_handle == 4 && result.folded_handles(result.nodes[0]).size() == 3 &&
         inputs.size() == 2 && result.text(result[inputs[0]].target) == "tfl_pack" && result[inputs[1]].kind == value_kind::user_input &&
         list_of(known_integers::in(result, inputs[0])).elements == vector<std::int64_t>{4, 6} && result.values.size() == 3 &&
         !verify(result) && laws::pass::static_laws<fold_constants>(program);
}
static_assert(chain_becomes_one_constant());

constexpr auto graph_outputs_are_not_folded() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(float32, 4, 2));
  const auto shape = b.call("tfl.shape", {x}, list(2));
  b.output(shape);
  b.output(b.call("tfl.reshape", {x, shape}, tensor(float32, 4, 2)));
  const auto program = b.finish();
  return same(fold_constants::run(program), program);
}
static_assert(graph_outputs_are_not_folded());

inline constexpr char weights[] = "123456";

/// Reshaped weights view the same bytes. A reshape of weights with one scale per channel is not folded.
constexpr auto reshaped_weights_view_the_same_bytes(bool by_channel) -> bool {
  const float scales[] = {0.5f, 0.25f};
  const std::int64_t zeros[] = {0, 0};
  program_builder b;
  auto record = b.make_value("w", tensor(int8, 2, 3), value_kind::parameter);
  record.data = program_builder::view({weights, 6});
  record.target = record.name;
  const auto w = b.add_input(record);
  const auto x = b.user_input("x", tensor(int8, 6));
  const auto flat = b.call("tfl.reshape", {w}, tensor(int8, 6));
  if (by_channel) b.quantize(w, scales, zeros, 0);
  if (!by_channel) b.quantize(w, 0.5f, 0);
  b.quantize(flat, 0.5f, 0);
  b.output(b.call("tfl.add", {x, flat}, tensor(int8, 6)));
  const auto program = b.finish();
  const auto result = fold_constants::run(program);
  if (by_channel) return same(result, program);
  const auto& folded = result[program_view(result).inputs(result.nodes[0])[1]];
  return result.nodes.size() == 1 && is_same_address(folded.data.outside, weights) && result.values.size() == 3 &&
         laws::pass::static_laws<fold_constants>(program);
}
static_assert(reshaped_weights_view_the_same_bytes(false) && reshaped_weights_view_the_same_bytes(true));

/// A branch is folded as the root is.
constexpr auto branches_are_folded() -> bool {
  program_builder b;
  const auto flag = b.user_input("flag", tensor(boolean, 1));
  const auto x = b.user_input("x", tensor(float32, 4, 2));
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", tensor(float32, 4, 2));
  b.output(b.call("tfl.reshape", {y, b.call("tfl.shape", {y}, list(2))}, tensor(float32, 4, 2)));
  b.enter(graph_id{0});
  b.output(b.call_many("cond", "cond", {flag, x}, {tensor(float32, 4, 2)}, {}, {branch, branch})[0]);
  const auto program = b.finish();
  const auto result = fold_constants::run(program);
  return program.nodes.size() == 3 && result.nodes.size() == 2 && result.graphs[1].inputs.size == 2 &&
         laws::pass::static_laws<fold_constants>(program);
}
static_assert(branches_are_folded());

}  // namespace

TEST_CASE("shapes are folded") { CHECK(shapes_are_folded()); }
TEST_CASE("slices agree with the kernel, or are not folded") {
  CHECK(slices_agree_with_the_kernel());
  CHECK(other_slices_are_not_folded());
}
TEST_CASE("lists are packed, concatenated and gathered") { CHECK(lists_are_joined()); }
TEST_CASE("results fit their type, or are not folded") { CHECK(results_fit_their_type()); }
TEST_CASE("a chain becomes one constant") { CHECK(chain_becomes_one_constant()); }
TEST_CASE("graph outputs are not folded") { CHECK(graph_outputs_are_not_folded()); }
TEST_CASE("reshaped weights view the same bytes") {
  CHECK(reshaped_weights_view_the_same_bytes(false));
  CHECK(reshaped_weights_view_the_same_bytes(true));
}
TEST_CASE("branches are folded") { CHECK(branches_are_folded()); }
