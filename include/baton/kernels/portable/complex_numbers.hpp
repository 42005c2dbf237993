// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The spectrum of images, `tfl.rfft2d`, and parts of complex numbers: `tfl.complex_abs`, `tfl.real`, `tfl.imag`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/fourier_transform.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a transform in two dimensions: real transforms of the rows, then complex transforms of the columns.
struct rfft2d_plan {
  fourier_plan rows{};
  fourier_plan columns{};  ///< `half()` is the length of a column
  std::int32_t images = 1;
  std::int32_t height = 1;  ///< height of an image
  std::int32_t width = 1;

  constexpr auto frequencies() const -> std::int32_t { return rows.half() + 1; }
  /// Returns the number of twiddle factors: the factors of the rows, followed by the factors of the columns' stages.
  constexpr auto twiddles() const -> std::int32_t { return rows.twiddles() + columns.half(); }
  constexpr void write_twiddle(std::int32_t i, char* to) const {
    if (i < rows.twiddles()) return detail::write_twiddle(rows, i, to);
    detail::write_twiddle(columns, i - rows.twiddles(), to);
  }
};

constexpr auto describe_rfft2d(const program_view& program, const node& record) -> node_description<rfft2d_plan> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input(0, "input");
  const auto lengths = check.constant_integers(1, "fft_length");
  check.output();
  check.is_one_of(in, {dtype::float32}, "input");
  rfft2d_plan plan;
  if (!check.ok()) return {check.verdict_so_far(), plan};
  for (std::size_t i = 0; i < 2; ++i) {
    check.demand(lengths[i] > 0 && lengths[i] <= 65536, "fft_length is ", lengths[i], ", not 1 to 65536");
  }
  check.demand(lengths[1] % 2 == 0, "fft_length ", lengths[1], " of the rows is odd");
  if (!check.ok()) return {check.verdict_so_far(), plan};
  const auto rank = in.shape.size();
  plan.height = in.size(rank - 2);
  plan.width = in.size(rank - 1);
  plan.images = in.count / (plan.height * plan.width);
  plan.rows.length = static_cast<std::int32_t>(lengths[1]);
  plan.rows.samples = std::min(plan.width, plan.rows.length);
  plan.columns.length = static_cast<std::int32_t>(2 * lengths[0]);
  check.demand(divide_into_stages(plan.rows), "fft_length ", lengths[1], " has prime factors other than 2, 3 and 5");
  check.demand(divide_into_stages(plan.columns), "fft_length ", lengths[0], " has prime factors other than 2, 3 and 5");
  return {check.verdict_so_far(), plan};
}

/// Transforms the columns of a spectrum [height, frequencies] in place; `column` is scratch memory for one column.
[[gnu::always_inline]] inline void transform_columns(const rfft2d_plan& plan, char* spectrum, char* column, const char* twiddles) {
  using number = complex<float>;
  const auto step = plan.frequencies();
  for (std::int32_t k = 0; k < step; ++k) {
    for_stage_order(plan.columns, [&](std::int32_t to, std::int32_t from) { store(column, to, load<number>(spectrum, from * step + k)); });
    run_stages<float>(plan.columns, column, twiddles);
    for (std::int32_t i = 0; i < plan.columns.half(); ++i) store(spectrum, i * step + k, load<number>(column, i));
  }
}

/// A kernel that computes `tfl.rfft2d` of float32, along the last two axes, to complex64. Images that are larger than the transform are
/// cropped. Smaller images are padded with zeros. The lengths of the transform must be constants up to 65536, without prime factors other
/// than 2, 3 and 5. The length of the rows must be even. Outputs follow `lite/kernels/rfft2d.cc`; that reference sums in float64, and
/// supports only powers of two.
struct rfft2d {
  static constexpr literal_name operators[] = {"tfl.rfft2d"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::rfft2d_plan> {
    auto result = detail::describe_rfft2d(program, record);
    if (!result.support) return result;
    result.facts.scratch_bytes = static_cast<std::uint32_t>(result.plan.columns.half()) * 8;  // one column
    result.facts.prepared = {static_cast<std::size_t>(result.plan.twiddles()), 8, 512};
    return result;
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<char> to) {
    const auto plan = describe(program, record).plan;
    for (std::size_t at = 0; at < to.size(); at += 8) plan.write_twiddle(static_cast<std::int32_t>(first + at / 8), to.data() + at);
  }
  [[gnu::always_inline]] static void compute(const detail::rfft2d_plan& plan, const node_memory& memory) {
    const auto* from = memory.inputs[0];
    auto* to = memory.outputs[0];
    const auto row_bytes = plan.frequencies() * 8;
    for (std::int32_t image = 0; image < plan.images; ++image, from += plan.height * plan.width * 4) {
      auto* const spectrum = to;
      for (std::int32_t row = 0; row < plan.columns.half(); ++row, to += row_bytes) {
        if (row < plan.height) detail::transform<float>(plan.rows, from + row * plan.width * 4, to, memory.prepared.data());
        if (row >= plan.height) std::memset(to, 0, static_cast<std::size_t>(row_bytes));
      }
      detail::transform_columns(plan, spectrum, memory.scratch.data(), memory.prepared.data() + plan.rows.twiddles() * 8);
    }
  }
};
static_assert(kernel<rfft2d>);

/// The compile-time plan of parts of complex numbers.
struct parts_of_complex {
  enum class part : std::int32_t { magnitude, real, imaginary };  // in the order of the kernel's operators
  part which = part::magnitude;
  std::int32_t count = 0;
};

/// A kernel that computes `tfl.complex_abs`, `tfl.real` and `tfl.imag` of complex64. Outputs follow `lite/kernels/complex_support.cc`.
struct complex_parts {
  static constexpr literal_name operators[] = {"tfl.complex_abs", "tfl.real", "tfl.imag"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::parts_of_complex> {
    node_check check{program, record};
    check.conforms();
    const auto in = check.input(0, "input");
    check.output();
    check.is_one_of(in, {dtype::complex64}, "input");
    const auto which = static_cast<detail::parts_of_complex::part>(detail::position_of(record, operators));
    kernel_facts result;
    result.operands[0].distance = {.ascending = 0};  // each number is read before its bytes are overwritten
    return {check.verdict_so_far(), {which, in.count}, result};
  }
  [[gnu::always_inline]] static void compute(const detail::parts_of_complex& plan, const node_memory& memory) {
    using part = detail::parts_of_complex::part;
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const auto number = load<detail::complex<float>>(memory.inputs[0], i);
      if (plan.which == part::magnitude) store(memory.outputs[0], i, detail::machine::hypot(number.re, number.im));
      if (plan.which == part::real) store(memory.outputs[0], i, number.re);
      if (plan.which == part::imaginary) store(memory.outputs[0], i, number.im);
    }
  }
};
static_assert(kernel<complex_parts>);

}  // namespace detail

}  // namespace baton::portable
