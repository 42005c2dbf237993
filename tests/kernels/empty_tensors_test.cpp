// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors without elements: joining, splitting, padding, reducing and scattering them under every placement policy, and rejected nodes.
#include "one_node.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace baton;
using portable::detail::empty_outputs;
using portable::detail::join_parts;
using portable::detail::move_elements;
using portable::detail::reduce;
using portable::detail::scatter_nd;

constexpr std::string_view zeros{"\0\0\0\0\0\0\0\0", 8};
constexpr std::string_view none_of_two{"\0\0\0\0\2\0\0\0", 8};
constexpr std::string_view two_around{"\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16};
constexpr std::string_view one_none_one{"\1\0\0\0\0\0\0\0\1\0\0\0", 12};

/// A model on rows of two elements. An empty slice of x is joined with x, padded and passed to shape and sqrt. The joined rows are split
/// with an empty part in between, which is summed.
constexpr static_program model{[] {
  program_builder b;
  const auto i32 = [&](std::string_view name, std::int64_t count, std::string_view bytes) {
    return b.constant(name, tensor(dtype::int32, count), {bytes.data(), bytes.size()});
  };
  const auto rows = [](std::int64_t count) { return tensor(dtype::float32, count, 2); };
  const auto x = b.user_input("x", rows(2));
  const auto axis = b.constant("axis", tensor(dtype::int32), {zeros.data(), 4});
  const auto nothing = b.call("tfl.slice", {x, i32("begin", 2, zeros), i32("size", 2, none_of_two)}, rows(0));
  const auto root = b.call("tfl.sqrt", {nothing}, rows(0));
  const auto whole = b.call("tfl.concatenation", {nothing, x, root}, rows(2), {{"axis", 0}, {"fused_activation_function", "none"}});
  const auto parts = b.call_many("parts", "tfl.split_v", {whole, i32("sizes", 3, one_none_one), axis}, {rows(1), rows(0), rows(1)});
  const auto swapped =
      b.call("tfl.concatenation", {parts[2], parts[1], parts[0]}, rows(2), {{"axis", 0}, {"fused_activation_function", "none"}});
  const auto padded = b.call("tfl.pad", {nothing, i32("paddings", 4, two_around)}, rows(2));
  const auto sum = b.call("tfl.sum", {parts[1], axis}, tensor(dtype::float32, 2), {{"keep_dims", false}});
  const auto sizes = b.call("tfl.shape", {nothing}, tensor(dtype::int32, 2), {{"out_type", "int32"}});
  b.output(swapped);
  b.output(padded);
  b.output(sum);
  b.output(sizes);
  b.output(root);
  return b.finish();
}};

static_assert(!verify(model.value()));
static_assert(!check_inference(model.value()));

template <class Policy>
void check_run() {
  static basic_executor<model, portable_kernels, plan_options{}, planned_by<Policy>> net;
  const std::array<float, 4> x{1, 2, 3, 4};
  std::array<float, 4> swapped{};
  std::array<float, 4> padded{5, 5, 5, 5};
  std::array<float, 2> sum{5, 5};
  std::array<std::int32_t, 2> sizes{};
  std::array<float, 0> root{};
  net.run(x, swapped, padded, sum, sizes, root);
  CHECK(swapped == std::array<float, 4>{3, 4, 1, 2});
  CHECK(padded == std::array<float, 4>{});
  CHECK(sum == std::array<float, 2>{});
  CHECK(sizes == std::array<std::int32_t, 2>{0, 2});
}

/// Returns a program in which passes may fold a shape that is joined with an empty slice and used by a reshape. It also sums the empty rows
/// of a constant.
auto computed_shapes() -> exported_program {
  program_builder b;
  const auto two_by_three = tensor(dtype::float32, 2, 3);
  const auto x = b.user_input("x", two_by_three);
  const auto zero = one_node::int32_constant(b, "zero", {0});
  const auto sizes = b.call("tfl.shape", {x}, tensor(dtype::int32, 2), {{"out_type", "int32"}});
  const auto nothing = b.call("tfl.slice", {sizes, zero, zero}, tensor(dtype::int32, 0));
  const auto whole =
      b.call("tfl.concatenation", {nothing, sizes}, tensor(dtype::int32, 2), {{"axis", 0}, {"fused_activation_function", "none"}});
  const auto same = b.call("tfl.reshape", {x, whole}, two_by_three);
  const auto none = b.constant("none", tensor(dtype::float32, 0, 3), {"", 0});
  const auto flat = b.call("tfl.reshape", {none, one_node::int32_constant(b, "to", {3, 0})}, tensor(dtype::float32, 3, 0));
  const auto sums = b.call("tfl.sum", {flat, one_node::int32_constant(b, "axis", {1})}, tensor(dtype::float32, 3), {{"keep_dims", false}});
  b.output(b.call("tfl.add", {same, sums}, two_by_three, {{"fused_activation_function", "none"}}));
  return b.finish();
}

/// Returns a program of one node with one or two operands.
auto node_of(const char* op, const std::vector<tensor_type>& inputs, const tensor_type& output) -> exported_program {
  program_builder b;
  vector<value_id> ids;
  for (const auto& type : inputs) ids.push_back(b.user_input("x" + std::to_string(ids.size()), type));
  if (ids.size() == 1) b.output(b.call(op, {ids[0]}, output, {{"axis", 0}, {"fused_activation_function", "none"}}));
  if (ids.size() == 2) b.output(b.call(op, {ids[0], ids[1]}, output, {{"axis", 0}, {"fused_activation_function", "none"}}));
  return b.finish();
}

}  // namespace

TEST_CASE("tensors without elements are planned and computed") {
  check_run<memory_policies::no_overlap>();
  check_run<memory_policies::in_place>();
  check_run<memory_policies::no_reuse>();
  check_run<memory_policies::row_streaming>();
}

TEST_CASE("passes keep programs with empty tensors valid and do not change their results") {
  const auto program = computed_shapes();
  const auto input = one_node::bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
  for (const auto& each :
       {program, transform(program, default_passes), transform(static_cast<exported_program>(thaw(model.value())), default_passes)}) {
    REQUIRE_FALSE(verify(each));
    REQUIRE_FALSE(check_inference(each));
    CHECK(plan_execution(portable_kernels, each, {}, planned_by<memory_policies::no_overlap>{}));
  }
  for (const auto& each : {program, transform(program, default_passes)}) {
    nodes::interpreter runner{each};
    nodes::bytes output;
    CHECK(runner.run(portable_kernels, input, output) == "");
    CHECK(output == input);
  }
}

TEST_CASE("empty_outputs supports nodes with empty outputs, if their operands are valid") {
  const auto two_by_three = tensor(dtype::float32, 2, 3);
  const auto none = tensor(dtype::float32, 0, 3);
  const auto is_computed = [](const exported_program& program) {
    return baton::ask_kernel<empty_outputs>(program, program.nodes[0]).support.accepted;
  };
  CHECK(is_computed(node_of("tfl.add", {none, none}, none)));
  CHECK(is_computed(node_of("tfl.add", {none, tensor(dtype::float32, 1)}, none)));
  CHECK_FALSE(is_computed(node_of("tfl.add", {two_by_three, two_by_three}, two_by_three)));
  CHECK_FALSE(is_computed(node_of("tfl.add", {two_by_three, two_by_three}, none)));
  CHECK_FALSE(is_computed(node_of("my.sink", {two_by_three}, none)));
  CHECK_FALSE(is_computed(node_of("tfl.assign_variable", {two_by_three, two_by_three}, none)));
  CHECK_FALSE(is_computed(node_of("tfl.custom.SignalDelay", {none}, none)));
  auto damaged = node_of("tfl.add", {none, none}, none);
  damaged.operands[damaged.nodes[0].outputs.first] = value_id{99};
  CHECK_FALSE(is_computed(damaged));
}

TEST_CASE("unsupported empty tensors are rejected") {
  const auto refusal = []<class Kernel>(const char* op, const std::vector<tensor_type>& inputs, const tensor_type& output) {
    return one_node::refusal<Kernel>(node_of(op, inputs, output));
  };
  const auto join = [&](const tensor_type& first, const tensor_type& second, const tensor_type& whole) {
    return refusal.template operator()<join_parts>("tfl.concatenation", {first, second}, whole);
  };
  const auto f32 = dtype::float32;
  CHECK(join(tensor(f32, 0, 3), tensor(f32, 2, 3), tensor(f32, 2, 3)) == "");
  CHECK(one_node::says(join(tensor(f32, 0, 4), tensor(f32, 2, 3), tensor(f32, 2, 3)), "dimension 1 of operand 1 is 3"));
  // The product of the other sizes overflows 32 bits, although one size is 0.
  const auto huge = tensor(f32, 0, 1 << 20, 1 << 20);
  const auto paddings = tensor(dtype::int32, 3, 2);
  CHECK(one_node::says(refusal.template operator()<move_elements>("tfl.pad", {huge, paddings}, tensor(f32, 1, 1, 1)), "input is empty"));
  CHECK(one_node::says(
      refusal.template operator()<move_elements>("tfl.transpose", {tensor(f32, 0, 2), tensor(dtype::int32, 2)}, tensor(f32, 2, 2)),
      "input is empty"));
  CHECK(one_node::says(refusal.template operator()<reduce>("tfl.mean", {tensor(f32, 0, 2), tensor(dtype::int32)}, tensor(f32, 2)),
                       "input is empty"));
}
