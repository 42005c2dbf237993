// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes with broadcast operands, gathers, joins, splits and transposes that are cut into chunks, and nodes that are cut into rows in
// descending order, compute the same as whole nodes.
#include <baton/core/static_program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies/in_place.hpp>

#include "run/node_chunks.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using memory_policies::in_place;
using node_chunks::slices_of;
using node_chunks::writer;

constexpr auto portable_list = portable_kernels;
constexpr auto cortex_m_list = cortex_m_kernels + portable_kernels;

/// A sum of a tensor [1, 6, 7, `Channels`] and a constant that is broadcast along the rows and columns, or a product with a constant that
/// is broadcast along the channels.
template <dtype Type, bool IsSum, int Channels>
constexpr static_program with_broadcast{[] {
  writer w;
  const auto shape = tensor(Type, 1, 6, 7, Channels);
  const auto x = w.build.user_input("x", shape);
  const auto constant = w.weights(IsSum ? tensor(Type, 1, 1, 1, Channels) : tensor(Type, 1, 6, 7, 1));
  const auto y = w.build.call(IsSum ? "tfl.add" : "tfl.mul", {x, constant}, shape, {{"fused_activation_function", "none"}});
  if (Type == dtype::int8) w.quantized(x, 0.1f, 3), w.quantized(y, 0.1f, -5);
  w.build.output(y);
  return w.build.finish();
}};

/// The sum of a tensor and itself, of any rank.
template <dtype Type, int Count>
constexpr static_program twice{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(Type, 2, Count));
  const auto y = w.build.call("tfl.add", {x, x}, tensor(Type, 2, Count), {{"fused_activation_function", "none"}});
  if (Type == dtype::int8) w.quantized(x, 0.1f, 3), w.quantized(y, 0.2f, -5);
  w.build.output(y);
  return w.build.finish();
}};

/// Rows 2, 0, 3 and 2 of each of two tables.
constexpr static_program rows_of_tables{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(dtype::float32, 2, 4, 5));
  w.build.output(
      w.build.call("tfl.gather", {x, w.integers({2, 0, 3, 2})}, tensor(dtype::float32, 2, 4, 5), {{"axis", 1}, {"batch_dims", 0}}));
  return w.build.finish();
}};

/// A tensor and a constant, joined along the last axis. A row has `Count` + 3 numbers.
template <int Count>
constexpr static_program joined{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(dtype::float32, 5, Count));
  const auto y = w.weights(tensor(dtype::float32, 5, 3));
  w.build.output(w.build.call("tfl.concatenation", {x, y}, tensor(dtype::float32, 5, Count + 3),
                              {{"axis", 1}, {"fused_activation_function", "none"}}));
  return w.build.finish();
}};

/// The difference of both halves of each row.
constexpr static_program halves{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(dtype::float32, 5, 6));
  const auto half = tensor(dtype::float32, 5, 3);
  const auto parts = w.build.call_many("parts", "tfl.split", {w.integers({1}), x}, {half, half}, {{"num_splits", 2}});
  w.build.output(w.build.call("tfl.sub", {parts[0], parts[1]}, half, {{"fused_activation_function", "none"}}));
  return w.build.finish();
}};

/// A transpose of three axes of elements of a size.
template <dtype Type>
constexpr static_program transposed{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(Type, 5, 20, 3));
  const auto y = w.build.call("tfl.transpose", {x, w.integers({2, 0, 1})}, tensor(Type, 3, 5, 20));
  if (Type == dtype::int8) w.quantized(x), w.quantized(y);
  w.build.output(y);
  return w.build.finish();
}};

/// A convolution to more channels of an image of 6 rows, or a pad of such an image. The output is larger than the input, so that `in_place`
/// writes it in descending order.
template <bool IsPad>
constexpr static_program widened{[] {
  writer w;
  const auto x = w.quantized(w.build.user_input("x", tensor(dtype::int8, 1, 6, 5, 3)));
  const auto shape = IsPad ? tensor(dtype::int8, 1, 8, 6, 3) : tensor(dtype::int8, 1, 6, 5, 9);
  const auto y = IsPad
                     ? w.build.call("tfl.pad", {x, w.integers({0, 0, 1, 1, 1, 0, 0, 0})}, shape)
                     : w.build.call("tfl.conv_2d", {x, w.weights(tensor(dtype::int8, 9, 3, 3, 3)), w.weights(tensor(dtype::int32, 9))},
                                    shape, {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "none"}});
  w.build.output(w.quantized(y));
  return w.build.finish();
}};

}  // namespace

TEST_CASE("sums and products with broadcast operands in slices of at most 64 elements compute the same as whole nodes") {
  CHECK(slices_of<with_broadcast<dtype::int8, true, 10>, portable_list, 1>() == 7);      // six rows of a sum with ten channels
  CHECK(slices_of<with_broadcast<dtype::int8, true, 100>, portable_list, 1>() == 84);    // two parts of 42 pixels
  CHECK(slices_of<with_broadcast<dtype::float32, false, 10>, portable_list, 1>() == 7);  // six pixels
  CHECK(slices_of<with_broadcast<dtype::float32, false, 10>, portable_list, 130, in_place>() == 4);
  CHECK(slices_of<twice<dtype::float32, 65>, portable_list, 1>() == 3);
  CHECK(slices_of<twice<dtype::int8, 300>, cortex_m_list, 1>() == 10);
  CHECK(slices_of<twice<dtype::int8, 300>, cortex_m_list, 200, in_place>() == 4);
}

TEST_CASE("gathers in slices of a row compute the same as whole nodes") {
  CHECK(slices_of<rows_of_tables, portable_list, 1>() == 8);
  CHECK(slices_of<rows_of_tables, portable_list, 15>() == 3);
}

TEST_CASE("joins, splits and transposes in slices of at most 64 bytes, or of a row, compute the same as whole nodes") {
  CHECK(slices_of<joined<30>, portable_list, 1>() == 5 * 3);
  CHECK(slices_of<joined<3>, portable_list, 12>() == 3);
  CHECK(slices_of<joined<30>, portable_list, 1, in_place>() == 1);  // in descending order
  CHECK(slices_of<halves, portable_list, 1>() == 5 + 1);
  CHECK(slices_of<transposed<dtype::int8>, portable_list, 1>() == 3 * 2);
  CHECK(slices_of<transposed<dtype::float32>, portable_list, 1>() == 3 * 7);
  CHECK(slices_of<transposed<dtype::float32>, portable_list, 50>() > 5);
}

TEST_CASE("nodes that write in descending order in slices of rows, from the last row on, compute the same as whole nodes") {
  CHECK(slices_of<widened<true>, portable_list, 1, in_place>() == 8);
  CHECK(slices_of<widened<false>, portable_list, 1, in_place>() == 6);
  CHECK(slices_of<widened<false>, portable_list, 2520, in_place>() == 3);  // 1,260 operations a row
}
