// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real signals, and their inverses.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/fourier_transform.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/signal/options.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

template <class T>
[[gnu::always_inline]] inline void transform_all(const fourier_plan& plan, const node_memory& memory) {
  const auto real = plan.samples * static_cast<std::int32_t>(sizeof(T));
  const auto spectrum = (plan.half() + 1) * 2 * static_cast<std::int32_t>(sizeof(T));
  for (std::int32_t i = 0; i < plan.signals; ++i) {
    if (plan.is_inverse) {
      transform_back<T>(plan, memory.inputs[0] + i * spectrum, memory.outputs[0] + i * real, memory.prepared.data());
    } else {
      transform<T>(plan, memory.inputs[0] + i * real, memory.outputs[0] + i * spectrum, memory.prepared.data());
    }
  }
}

/// `tfl.custom.SignalRfft` and `SignalIrfft` on int16, int32 and float32, along the last axis. A complex number is stored as two real
/// numbers. `fft_length` must be an even number from 4 to 65536, without prime factors other than 2, 3 and 5. Shorter signals are padded
/// with zeros. Numeric rules: kissfft, release 130, as TensorFlow Lite Micro builds it (`signal/src/{rfft,irfft}_*.cc`); integer results
/// are bit-exact.
struct signal_fourier {
  static constexpr literal_name operators[] = {"tfl.custom.SignalRfft", "tfl.custom.SignalIrfft"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::fourier_plan> {
    node_check check{program, record};
    check.counts(1, 1);
    check.conforms();
    const auto in = check.input(0, "input");
    const auto out = check.output();
    check.is_one_of(in, {dtype::int16, dtype::int32, dtype::float32}, "input");
    const detail::signal_options options{check, program, record};
    detail::fourier_plan plan;
    plan.type = in.type;
    plan.is_inverse = record.is("tfl.custom.SignalIrfft");
    plan.length = options.integer("fft_length", 4, 65536);
    if (!check.demand(plan.length % 2 == 0, "fft_length ", plan.length, " is odd")) return {check.verdict_so_far(), plan};
    check.demand(detail::divide_into_stages(plan), "fft_length ", plan.length, " has prime factors other than 2, 3 and 5");
    plan.samples = plan.is_inverse ? plan.length : in.last();
    check.demand(plan.samples <= plan.length, "input has ", plan.samples, " samples for fft_length ", plan.length);
    if (plan.is_inverse) {
      check.demand(in.last() == (plan.half() + 1) * 2, "input has ", in.last() / 2, " frequencies for fft_length ", plan.length);
    }
    plan.signals = in.count / in.last();
    check.demand(out.type == in.type, "output is ", facts(out.type).name);
    const auto bytes = static_cast<std::size_t>(2 * plan.bytes_of_number());  // bytes of a twiddle factor
    return {check.verdict_so_far(), plan, {.prepared = {static_cast<std::size_t>(plan.twiddles()), bytes, 512}}};
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<char> to) {
    const auto plan = describe(program, record).plan;
    const auto size = static_cast<std::size_t>(2 * plan.bytes_of_number());
    for (std::size_t at = 0; at < to.size(); at += size) {
      detail::write_twiddle(plan, static_cast<std::int32_t>(first + at / size), to.data() + at);
    }
  }
  [[gnu::always_inline]] static void compute(const detail::fourier_plan& plan, const node_memory& memory) {
    if (plan.type == dtype::int16) return detail::transform_all<std::int16_t>(plan, memory);
    if (plan.type == dtype::int32) return detail::transform_all<std::int32_t>(plan, memory);
    detail::transform_all<float>(plan, memory);
  }
};
static_assert(kernel<signal_fourier>);

}  // namespace detail

}  // namespace baton::portable
