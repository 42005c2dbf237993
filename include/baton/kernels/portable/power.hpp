// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Powers of elements, with broadcasting: `tfl.pow`.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/broadcasting.hpp>
#include <baton/kernels/detail/byte_table.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/shared/real_functions.hpp>

#include <cstdint>
#include <type_traits>

namespace baton::portable::detail {

/// The compile-time plan of a power.
struct power_plan {
  dtype type = dtype::float32;
  broadcast_loops<2> loops{};
  affine base{};
  affine exponent{};
  affine out{};
  bool has_table = false;
  byte_table table{};  ///< if the exponent is a constant of one int8 element: the powers, indexed by the bits of the base
};

/// Returns an integer power modulo 2^32. For a negative exponent, returns the real power rounded toward zero, or 0 if the base is 0. The
/// reference rejects negative exponents at run time.
constexpr auto integer_power(std::int32_t base, std::int32_t exponent) -> std::int32_t {
  if (exponent < 0) return base == 1 || (base == -1 && exponent % 2 == 0) ? 1 : base == -1 ? -1 : 0;
  std::uint32_t result = 1;
  auto square = static_cast<std::uint32_t>(base);
  for (auto bits = static_cast<std::uint32_t>(exponent); bits != 0; bits >>= 1, square *= square) {
    if ((bits & 1) != 0) result *= square;
  }
  return static_cast<std::int32_t>(result);
}

/// A function object that raises an element to the power of another element. A quantized power is computed with real numbers and rounded
/// half away from zero. If the power is undefined, the result is the zero point.
struct power_element {
  const power_plan& plan;

  [[gnu::always_inline]] auto operator()(float base, float exponent) const -> float { return machine::pow(base, exponent); }
  [[gnu::always_inline]] auto operator()(std::int32_t base, std::int32_t exponent) const -> std::int32_t {
    return integer_power(base, exponent);
  }
  template <class T>
  [[gnu::always_inline]] auto operator()(T base, T exponent) const -> T {
    if constexpr (std::is_same_v<T, std::int8_t>) {
      if (plan.has_table) return static_cast<std::int8_t>(plan.table[static_cast<std::uint8_t>(base)]);
    }
    const auto x = dequantize<T>(base, plan.base.scale, plan.base.zero_point);
    const auto y = dequantize<T>(exponent, plan.exponent.scale, plan.exponent.zero_point);
    return quantize<T>(machine::pow(x, y), plan.out.scale, plan.out.zero_point);
  }
};

constexpr void fill_power_table(std::int8_t exponent, power_plan& plan) {
  const auto y = dequantize<std::int8_t>(exponent, plan.exponent.scale, plan.exponent.zero_point);
  for (std::int32_t x = -128; x < 128; ++x) {
    const auto base = dequantize<std::int8_t>(static_cast<std::int8_t>(x), plan.base.scale, plan.base.zero_point);
    const auto power = quantize<std::int8_t>(real::power(base, y), plan.out.scale, plan.out.zero_point);
    plan.table.set(static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(power));
  }
}

/// A kernel that computes `tfl.pow` on float32, int32, int8 and int16. Operands are broadcast along up to 8 axes that merge to at most 6
/// loops (`loops_of`). Floats use the target's `pow`. Integer powers wrap around. TensorFlow Lite's `kernels/pow.cc` computes integer
/// powers in double, and an overflow is undefined there. TensorFlow Lite has no quantized powers; here, the result is the quantized number
/// nearest to the real power. An int8 power with a constant exponent of one element uses a table. The output may share the memory of an
/// operand that is not broadcast.
struct power {
  static constexpr literal_name operators[] = {"tfl.pow"};

  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<power_plan> {
    node_check check{program, record};
    check.conforms();
    check.counts(2, 2);
    const auto base = check.input(0, "base");
    const auto exponent = check.input(1, "exponent");
    const auto out = check.output();
    check.is_one_of(base, {dtype::float32, dtype::int8, dtype::int16, dtype::int32}, "base");
    check.demand(exponent.type == base.type, "exponent is ", facts(exponent.type).name, ", not ", facts(base.type).name);
    check.same_type(base, out);
    power_plan plan{.type = base.type};
    plan.loops = loops_of<2>(check, {base.shape, exponent.shape}, out.shape);
    if (!check.ok() || base.type == dtype::float32 || base.type == dtype::int32)
      return {check.verdict_so_far(), plan, elementwise_facts(check, program, record, plan.loops)};
    plan.base = check.per_tensor(base, "base");
    plan.exponent = check.per_tensor(exponent, "exponent");
    plan.out = check.per_tensor(out, "output");
    for (const auto& of : {plan.base, plan.exponent}) check.demand(of.scale <= 1e30f, "scales are too large");
    const bool is_constant = is_owned_data(exponent.kind) && exponent.kind != value_kind::mutable_buffer;
    plan.has_table = base.is_int8() && is_constant && exponent.count == 1 && exponent.data.size == 1;
    if (plan.has_table && purpose == describe_for::computing && check.ok()) {
      fill_power_table(static_cast<std::int8_t>(program.data(exponent.data)[0]), plan);
    }
    return {check.verdict_so_far(), plan, elementwise_facts(check, program, record, plan.loops)};
  }

  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    with_element<dtype::float32, dtype::int8, dtype::int16, dtype::int32>(plan.type, [&](auto element) __attribute__((always_inline)) {
      using T = typename decltype(element)::type;
      broadcast_walk<T, T, T>::run(plan.loops, power_element{plan}, memory.inputs, memory.outputs[0]);
    });
  }
};
static_assert(kernel<power>);

}  // namespace baton::portable::detail
