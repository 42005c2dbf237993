// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Real functions of int16 numbers: `tfl.gelu`, `tfl.exp`, `tfl.log`, `tfl.sqrt`, `tfl.rsqrt`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/curve.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/element_function.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// The compile-time plan of a real function of int16 numbers.
struct int16_function {
  function kind = function::exp;
  std::int32_t count = 1;
  float from = 1;  ///< the scale of the input
  float to = 1;    ///< the scale of the output
  curve values{};  ///< all zero for `sqrt`
};

/// Returns the table of the function as in the reference. For inputs at which a function is undefined, `log` has the lowest and `rsqrt` the
/// highest output.
constexpr auto int16_curve(const int16_function& plan, bool is_approximate) -> curve {
  return curve_of(plan.from * -32768, plan.from * 32767, plan.to, [&](float x) {
    if (plan.kind == function::log && x <= 0) return plan.to * -32768;
    if (plan.kind == function::rsqrt && x <= 0) return plan.to * 32767;
    return static_cast<float>(float_near(real_value(plan.kind, is_approximate, static_cast<double>(x))));
  });
}

/// Returns the square root of an int16 number, rounded toward zero. The root of a negative number is 0; the reference fails instead.
[[gnu::always_inline]] inline auto int16_root(const int16_function& plan, std::int16_t x) -> std::int16_t {
  if (x <= 0) return 0;
  const auto steps = machine::sqrt(plan.from * static_cast<float>(x)) / plan.to;
  return static_cast<std::int16_t>(steps < 32767.0f ? static_cast<std::int32_t>(steps) : 32767);
}

/// A kernel that computes `tfl.gelu`, `tfl.exp`, `tfl.log` and `tfl.rsqrt` of int16 numbers by tables of 513 values with linear
/// interpolation. Results differ by at most 1 from TensorFlow Lite's `LUTPopulate` and `LUTLookup` (`kernels/internal/common.h`).
/// `tfl.sqrt` is computed in float (`SqrtEvalQuantized` of `kernels/elementwise.cc`). For zero and negative inputs, `log` yields the lowest
/// output, `rsqrt` the highest output, and `sqrt` 0. The output may share the memory of the input.
struct unary_int16 {
  static constexpr literal_name operators[] = {"tfl.gelu", "tfl.exp", "tfl.log", "tfl.sqrt", "tfl.rsqrt"};

  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<int16_function> {
    node_check check{program, record};
    check.conforms();
    check.counts(1, 1);
    const auto in = check.input(0, "input");
    if (check.ok() && in.type != dtype::int16) return {refuse()};  // the kernel `unary` reports the reason
    const auto from = check.per_tensor(in, "input");
    const auto to = check.per_tensor(check.output(), "output");
    check.demand(from.zero_point == 0 && to.zero_point == 0, "zero points of int16 are not 0");
    check.demand(from.scale <= 1e30f, "the input's scale is too large");
    check.demand(to.scale >= 1e-30f && to.scale <= 1e30f, "the output's scale is too small or too large");
    const auto position = static_cast<std::int32_t>(position_of(record, operators));
    int16_function plan{.kind = static_cast<function>(static_cast<std::int32_t>(function::gelu) + position),
                        .count = in.count,
                        .from = from.scale,
                        .to = to.scale};
    if (plan.kind != function::sqrt && purpose == describe_for::computing && check.ok()) {
      plan.values = int16_curve(plan, program.integer(record, "approximate") != 0);
    }
    auto facts = elementwise_facts(check, program, record);
    add_element_chunks(plan.count, facts);
    return {check.verdict_so_far(), plan, facts};
  }

  [[gnu::always_inline]] static void compute(const int16_function& plan, const node_memory& memory) {
    compute_elements(plan, memory.inputs[0], memory.outputs[0], plan.count);
  }
  /// Computes the chunks [`first`, `last`), each of at most 64 elements (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_element_chunks<unary_int16>(call, first, last);
  }
  /// Computes `count` elements.
  [[gnu::always_inline]] static void compute_elements(const int16_function& plan, const char* from, char* to, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
      const auto x = load<std::int16_t>(from, i);
      store(to, i, plan.kind == function::sqrt ? int16_root(plan, x) : static_cast<std::int16_t>(value_at(plan.values, x)));
    }
  }
};
static_assert(kernel<unary_int16>);

}  // namespace baton::portable::detail
