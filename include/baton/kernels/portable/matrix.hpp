// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices in batches: `tfl.batch_matmul`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/requantize_wide.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The layout of the matrices of an operand: strides in elements. The stride of a broadcast batch dimension is 0.
struct matrices {
  std::array<std::int32_t, 3> batches{};
  std::int32_t outer = 0;  ///< stride between rows of the first operand, or between columns of the second
  std::int32_t inner = 0;  ///< stride of the dimension that is summed over
  std::int32_t zero_point = 0;
};

/// The compile-time plan of products of matrices.
struct matrix_product {
  dtype type = dtype::float32;
  std::array<std::int32_t, 3> batches{1, 1, 1};
  std::int32_t rows = 1;
  std::int32_t columns = 1;
  std::int32_t depth = 1;
  matrices left{};
  matrices right{};
  quantized::fixed_multiplier by{};
  std::int32_t zero_point = 0;
};

/// Returns the layout of an operand. The product sums over the last dimension of `of` if `sums_over_last`, otherwise over the last but one.
constexpr auto matrices_of(const operand& of, bool sums_over_last) -> matrices {
  const auto rank = of.shape.size();
  matrices result;
  result.outer = sums_over_last ? of.last() : 1;
  result.inner = sums_over_last ? 1 : of.last();
  auto step = of.last() * of.size(rank - 2);
  for (std::size_t back = 3; back <= rank; ++back) {
    const auto size = of.size(rank - back);
    result.batches[5 - back] = size == 1 ? 0 : step;
    step *= size;
  }
  return result;
}

constexpr auto describe_matrix_product(const program_view& program, const node& record) -> node_description<matrix_product> {
  node_check check{program, record};
  check.conforms();
  const auto left = check.input(0, "first input");
  const auto right = check.input(1, "second input");
  const auto out = check.output();
  matrix_product plan{.type = out.type};
  check.is_one_of(out, {dtype::float32, dtype::int8, dtype::int16}, "output");
  check.demand(left.type == out.type && right.type == out.type, "inputs ", facts(left.type).name, " and ", facts(right.type).name,
               " are not ", facts(out.type).name, ", the type of the output");
  const auto rank = out.shape.size();
  check.demand(rank >= 2 && rank <= 5, "output has rank ", rank, ", not 2 to 5");
  if (!check.ok()) return {check.verdict_so_far(), plan};
  const bool is_left_transposed = program.integer(record, "adj_x", 0) != 0;
  plan.rows = out.size(rank - 2);
  plan.columns = out.last();
  plan.depth = left.size(left.shape.size() - (is_left_transposed ? 2 : 1));
  for (std::size_t back = 3; back <= rank; ++back) plan.batches[5 - back] = out.size(rank - back);
  plan.left = matrices_of(left, !is_left_transposed);
  plan.right = matrices_of(right, program.integer(record, "adj_y", 0) != 0);
  if (out.is_float()) return {check.verdict_so_far(), plan};
  const auto l = check.per_tensor(left, "first input");
  const auto r = check.per_tensor(right, "second input");
  const auto o = check.per_tensor(out, "output");
  plan.left.zero_point = l.zero_point;
  plan.right.zero_point = r.zero_point;
  plan.zero_point = o.zero_point;
  const auto real = static_cast<double>(l.scale * r.scale) / static_cast<double>(o.scale);  // a product of floats, as in the reference
  if (out.is_int8()) {
    const auto farthest = [](const affine& of) -> std::int64_t { return std::max(127 - of.zero_point, of.zero_point + 128); };
    check.demand(farthest(l) * farthest(r) * plan.depth <= std::numeric_limits<std::int32_t>::max(), "sums of ", plan.depth,
                 " products may not fit 32 bits");
  } else {
    check.demand(l.zero_point == 0 && r.zero_point == 0 && o.zero_point == 0, "a zero point of int16 is not 0");
    check.demand(plan.depth < 1 << 17, "sums of ", plan.depth, " products may not fit 48 bits");
    check.demand(real < 64, "scale ratio is out of range");
  }
  plan.by = factor(check, real, "the product");
  return {check.verdict_so_far(), plan};
}

/// The arithmetic for elements of type `T`: `sum` is the type of sums, `term` computes a term of a sum, and `end` computes the output from
/// a sum.
template <class T>
struct multiplying;
template <>
struct multiplying<float> {
  using sum = float;
  static auto term(const matrix_product&, float left, float right) -> float { return left * right; }
  static auto end(const matrix_product&, float total) -> float { return total; }
};
template <>
struct multiplying<std::int8_t> {
  using sum = std::int32_t;
  static auto term(const matrix_product& plan, std::int8_t left, std::int8_t right) -> std::int32_t {
    return (left - plan.left.zero_point) * (right - plan.right.zero_point);
  }
  static auto end(const matrix_product& plan, std::int32_t total) -> std::int8_t {
    const auto scaled = std::int64_t{quantized::requantize(total, plan.by)} + plan.zero_point;
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(scaled, -128, 127));
  }
};
template <>
struct multiplying<std::int16_t> {
  using sum = std::int64_t;
  static auto term(const matrix_product&, std::int16_t left, std::int16_t right) -> std::int32_t { return left * right; }
  static auto end(const matrix_product& plan, std::int64_t total) -> std::int16_t {
    return static_cast<std::int16_t>(std::clamp<std::int32_t>(detail::requantize_wide(total, plan.by), -32768, 32767));
  }
};

/// Computes `N` adjacent columns of a row. `row` and `column` are the element offsets of the row and of the first column in their operands.
/// `to` is the element offset in `out`. If `N` > 1, the columns must also be adjacent in the right operand. Products are added in ascending
/// order of their position in the summed dimension, because another order would round float sums differently.
template <class T, std::int32_t N>
[[gnu::always_inline]] inline void multiply_some(const matrix_product& plan, const char* left, std::int32_t row, const char* right,
                                                 std::int32_t column, char* out, std::int32_t to) {
  typename multiplying<T>::sum sums[static_cast<std::size_t>(N)] = {};
  for (std::int32_t k = 0; k < plan.depth; ++k) {
    const auto x = load<T>(left, row + k * plan.left.inner);
    for (std::int32_t n = 0; n < N; ++n) sums[n] += multiplying<T>::term(plan, x, load<T>(right, column + k * plan.right.inner + n));
  }
  for (std::int32_t n = 0; n < N; ++n) store(out, to + n, multiplying<T>::end(plan, sums[n]));
}

template <class T>
[[gnu::always_inline]] inline void multiply_row(const matrix_product& plan, const char* left, std::int32_t row, const char* right,
                                                std::int32_t matrix, char* out, std::int32_t to) {
  std::int32_t column = 0;
  if constexpr (has_vectors) {
    constexpr auto columns_per_step = static_cast<std::int32_t>(lanes);
    for (; plan.right.outer == 1 && column + columns_per_step <= plan.columns; column += columns_per_step)
      multiply_some<T, columns_per_step>(plan, left, row, right, matrix + column, out, to + column);
  }
  for (; column < plan.columns; ++column) multiply_some<T, 1>(plan, left, row, right, matrix + column * plan.right.outer, out, to + column);
}

template <class T>
[[gnu::always_inline]] inline void multiply_matrices(const matrix_product& plan, const char* left, const char* right, char* out) {
  const auto& [outer, middle, inner] = plan.batches;
  std::int32_t at = 0;
  for (std::int32_t i = 0; i < outer; ++i) {
    for (std::int32_t j = 0; j < middle; ++j) {
      for (std::int32_t k = 0; k < inner; ++k) {
        const auto first = i * plan.left.batches[0] + j * plan.left.batches[1] + k * plan.left.batches[2];
        const auto second = i * plan.right.batches[0] + j * plan.right.batches[1] + k * plan.right.batches[2];
        for (std::int32_t row = 0; row < plan.rows; ++row, at += plan.columns)
          multiply_row<T>(plan, left, first + row * plan.left.outer, right, second, out, at);
      }
    }
  }
}

/// Computes the rows [`first`, `last`) of the output. Row numbers count the rows of all matrices of the output.
template <class T>
[[gnu::always_inline]] inline void multiply_rows(const matrix_product& plan, const char* left, const char* right, char* out,
                                                 std::int32_t first, std::int32_t last) {
  const auto middle = plan.batches[1];
  const auto inner = plan.batches[2];
  for_row_ranges(plan.rows, first, last, [&](std::int32_t matrix, std::int32_t begin, std::int32_t end) __attribute__((always_inline)) {
    const std::array<std::int32_t, 3> batch{matrix / inner / middle, matrix / inner % middle, matrix % inner};
    const auto start_in = [&](const matrices& of) {
      return batch[0] * of.batches[0] + batch[1] * of.batches[1] + batch[2] * of.batches[2];
    };
    for (auto row = begin; row < end; ++row) {
      multiply_row<T>(plan, left, start_in(plan.left) + row * plan.left.outer, right, start_in(plan.right), out,
                      (matrix * plan.rows + row) * plan.columns);
    }
  });
}

/// A kernel that computes `tfl.batch_matmul` of float32, int8 or int16, of rank 2 to 5. Either operand may be transposed; batches are
/// broadcast. Numeric rules: `reference/batch_matmul.h` of TensorFlow Lite Micro.
struct batch_matmul {
  static constexpr literal_name operators[] = {"tfl.batch_matmul"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::matrix_product> {
    auto result = detail::describe_matrix_product(program, record);
    const auto& plan = result.plan;
    if (result.support) result.facts.chunks = plan.batches[0] * plan.batches[1] * plan.batches[2] * plan.rows;
    return result;
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    switch (plan.type) {
      case dtype::int8:
        return detail::multiply_matrices<std::int8_t>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
      case dtype::int16:
        return detail::multiply_matrices<std::int16_t>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
      default:
        return detail::multiply_matrices<float>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
    }
  }
  /// Computes the chunks [`first`, `last`), each of one row of a matrix (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<batch_matmul, Call>;
    using integer = std::conditional_t<plan.type == dtype::int8, std::int8_t, std::int16_t>;
    using element = std::conditional_t<plan.type == dtype::float32, float, integer>;
    detail::multiply_rows<element>(plan, call.template input<0>(), call.template input<1>(), call.template output<0>(), first, last);
  }
};
static_assert(kernel<batch_matmul>);

}  // namespace detail

}  // namespace baton::portable
