// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sizes that a file leaves open after its inputs follow from the sizes of the inputs.
#include <baton/import/detail/open_sizes.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include "import/tflite_writer.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using tests::tflite_writer;

/// True if the value of a name has this shape.
constexpr auto has_shape(const program_view& program, std::string_view name, std::initializer_list<std::int64_t> expected) -> bool {
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto id = value_id{v};
    if (program.text(program[id].name) != name) continue;
    const auto shape = program.shape(id);
    return std::equal(shape.begin(), shape.end(), expected.begin(), expected.end());
  }
  return false;
}

enum class form : std::uint8_t { computed_shape, given_shape, custom_operator };

/// A model whose input has an open batch. y has an open rank-2 shape, and z is its relu.
constexpr auto model_of(form variant) -> vector<char> {
  using namespace std::string_view_literals;
  tflite_writer w;
  const auto shape_code = w.operator_code(77);
  const auto reshape_code = w.operator_code(22);
  const auto relu_code = w.operator_code(19);
  const auto slice_code = w.operator_code(45);
  const auto pack_code = w.operator_code(83);
  const auto custom_code = w.operator_code(32, "CUT");
  const auto none = w.buffer({});
  const auto minus_one = w.buffer("\xff\xff\xff\xff"sv);
  const auto two = w.buffer("\2\0\0\0"sv);
  const auto three = w.buffer("\3\0\0\0"sv);
  const auto one = w.buffer("\1\0\0\0"sv);
  const auto x = w.tensor("x", {1, 8, 3}, tests::float32, 0, w.shape_signature({-1, 8, 3}));
  const auto given = w.tensor("given", {2}, tests::int32);
  const auto sizes = w.tensor("sizes", {3}, tests::int32);
  const auto rest = w.tensor("rest", {}, tests::int32, 1);
  const auto begin = w.tensor("begin", {1}, tests::int32, 2);
  const auto end = w.tensor("end", {1}, tests::int32, 3);
  const auto step = w.tensor("step", {1}, tests::int32, 4);
  const auto last = w.tensor("last", {}, tests::int32);
  const auto wanted = w.tensor("wanted", {2}, tests::int32);
  const auto y = w.tensor("y", {1, 1}, tests::float32, 0, w.shape_signature({-1, -1}));
  const auto z = w.tensor("z", {1, 1}, tests::float32, 0, w.shape_signature({-1, -1}));
  const auto relu = w.operation(2, {9}, {10});
  const auto graph = [&](std::initializer_list<std::int32_t> inputs, std::initializer_list<tests::reference> operations) {
    return w.model({shape_code, reshape_code, relu_code, slice_code, pack_code, custom_code},
                   {w.graph({x, given, sizes, rest, begin, end, step, last, wanted, y, z}, inputs, {10}, operations)},
                   {none, minus_one, two, three, one});
  };
  if (variant == form::custom_operator) return graph({0}, {w.operation(5, {0}, {9}), relu});
  if (variant == form::given_shape) return graph({0, 1}, {w.operation(1, {0, 1}, {9}), relu});
  // wanted = [-1, the last size of x]
  const auto slice = w.operation(3, {2, 4, 5, 6}, {7}, w.options(32, {tests::int_field(4, 1)}));
  const auto packed = w.operation(4, {3, 7}, {8}, w.options(59, {tests::int_field(0, 2)}));
  return graph({0}, {w.operation(0, {0}, {2}), slice, packed, w.operation(1, {0, 8}, {9}), relu});
}

constexpr auto sizes_follow_from_computed_shapes() -> bool {
  const auto model = model_of(form::computed_shape);
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  const program_view program = read.value;
  for (const auto& value : program.values) {
    const auto name = program.text(value.name);
    const bool is_computed = name == "sizes" || name == "last" || name == "wanted";
    if (is_computed && (value.kind != value_kind::intermediate || value.data.size != 0)) return false;
  }
  return has_shape(program, "y", {8, 3}) && has_shape(program, "z", {8, 3}) && verify(program).rule.empty();
}
static_assert(sizes_follow_from_computed_shapes());

constexpr auto sizes_that_do_not_follow_are_rejected() -> bool {
  const auto model = model_of(form::given_shape);
  const auto read = tflite::try_read_bytes(model);
  return !read && read.error.is<"unresolved_type">() &&
         view(read.error.reason) ==
             "the size of dimension 0 of output y; the inputs are x given; in Keras, set batch_size: keras.Input(shape, batch_size=1)";
}
static_assert(sizes_that_do_not_follow_are_rejected());

/// The operator is unknown, so its output keeps the sizes of the file. Later sizes follow from them.
constexpr auto outputs_of_unknown_operators_keep_their_sizes() -> bool {
  const auto model = model_of(form::custom_operator);
  const auto read = tflite::try_read_bytes(model);
  return read && has_shape(read.value, "y", {1, 1}) && has_shape(read.value, "z", {1, 1});
}
static_assert(outputs_of_unknown_operators_keep_their_sizes());

/// A model that reshapes x, whose batch is open, to v, which has an open size. An `if` then computes y as the relu or the tanh of v. If
/// `branches_reshape`, both branches reshape v to the shape in their second input instead.
constexpr auto model_with_branches(bool branches_reshape) -> vector<char> {
  using namespace std::string_view_literals;
  tflite_writer w;
  const auto reshape_code = w.operator_code(22);
  const auto relu_code = w.operator_code(19);
  const auto tanh_code = w.operator_code(28);
  const auto if_code = w.operator_code(118);
  const auto none = w.buffer({});
  const auto rows_of_three = w.buffer("\xff\xff\xff\xff\3\0\0\0"sv);
  const auto open = [&](std::string_view name) { return w.tensor(name, {1, 3}, tests::float32, 0, w.shape_signature({-1, 3})); };
  const auto x = w.tensor("x", {1, 8, 3}, tests::float32, 0, w.shape_signature({-1, 8, 3}));
  const auto is_positive = w.tensor("is_positive", {1}, tests::boolean);
  const auto given = w.tensor("given", {2}, tests::int32);
  const auto wanted = w.tensor("wanted", {2}, tests::int32, 1);
  const auto choose = w.operation(3, {1, 4, 2}, {5}, w.options(92, {tests::int_field(0, 1), tests::int_field(1, 2)}));
  const auto root = w.graph({x, is_positive, given, wanted, open("v"), open("y")}, {0, 1, 2}, {5}, {w.operation(0, {0, 3}, {4}), choose});
  const auto branch = [&](std::string_view input, std::string_view shape, std::string_view output, std::int32_t code) {
    const auto operation = branches_reshape ? w.operation(0, {0, 1}, {2}) : w.operation(code, {0}, {2});
    return w.graph({open(input), w.tensor(shape, {2}, tests::int32), open(output)}, {0, 1}, {2}, {operation});
  };
  return w.model({reshape_code, relu_code, tanh_code, if_code},
                 {root, branch("of_then", "shape_of_then", "relu", 1), branch("of_else", "shape_of_else", "tanh", 2)},
                 {none, rows_of_three});
}

constexpr auto sizes_within_branches_follow_from_operands() -> bool {
  const auto model = model_with_branches(false);
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  bool all = has_shape(read.value, "v", {8, 3}) && has_shape(read.value, "y", {8, 3});
  for (const std::string_view name : {"of_then", "of_else", "relu", "tanh"}) all = all && has_shape(read.value, name, {8, 3});
  return all;
}
static_assert(sizes_within_branches_follow_from_operands());

constexpr auto sizes_that_change_within_branches_are_rejected() -> bool {
  const auto model = model_with_branches(true);
  const auto read = tflite::try_read_bytes(model);
  return !read && read.error.is<"unresolved_type">() &&
         view(read.error.reason) ==
             "the size of dimension 0 of output relu, in a branch or a loop, where it depends on computed values; "
             "use fixed sizes there, and for a recurrent layer in Keras, set unroll=True";
}
static_assert(sizes_that_change_within_branches_are_rejected());

auto shared_model(const std::string& path) -> vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("open sizes follow from the sizes of the inputs") {
  CHECK(sizes_follow_from_computed_shapes());
  CHECK(sizes_that_do_not_follow_are_rejected());
  CHECK(outputs_of_unknown_operators_keep_their_sizes());
  CHECK(sizes_within_branches_follow_from_operands());
  CHECK(sizes_that_change_within_branches_are_rejected());
}

TEST_CASE("open sizes follow in models of Keras 3 with a layer on rank 3 and with dilation" * tests::needs_shared("repro/open-sizes")) {
  const auto dense = shared_model("repro/open-sizes/repro_dense3d.tflite");
  const auto dilated = shared_model("repro/open-sizes/repro_dilated.tflite");
  CHECK(has_shape(tflite::read_bytes(dense), "functional_1_1/dense_1/Tensordot/Reshape", {8, 3}));
  CHECK(has_shape(tflite::read_bytes(dense), "StatefulPartitionedCall_1:0", {1, 8, 2}));
  CHECK(has_shape(tflite::read_bytes(dilated), "functional_1/conv1d_1/convolution/SpaceToBatchND", {2, 4, 3}));
  CHECK(has_shape(tflite::read_bytes(dilated), "StatefulPartitionedCall_1:0", {1, 4, 2}));
}
