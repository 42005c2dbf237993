// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The common base of the kernels for layers on int16.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/int16_layer.hpp>
#include <baton/kernels/cortex_m/detail/int16_patch.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/window.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::cortex_m::detail {

/// Calls `f` with the arithmetic and the type of the sums of a layer as template arguments. If the plan is a constant, the compiler keeps
/// only the call for this plan.
template <class F>
[[gnu::always_inline]] inline void with_arithmetic(const int16_layer& plan, F f) {
  const auto call = [&]<arithmetic By, class Sum>(std::integral_constant<arithmetic, By>, Sum)
                        __attribute__((always_inline)) { f.template operator()<By, Sum>(); };
  if (plan.layer.out.by == arithmetic::int16) return call(std::integral_constant<arithmetic, arithmetic::int16>{}, std::int32_t{});
  constexpr std::integral_constant<arithmetic, arithmetic::int16_wide> wide{};
  if (plan.products() <= max_exact_products) return call(wide, std::int32_t{});
  call(wide, std::int64_t{});
}

/// Calls `Rows::compute`. The function is not inlined, so that layers share the code.
template <class Rows, arithmetic By, class Sum>
[[gnu::noinline]] inline void compute_shared_rows(const int16_layer& plan, const int16_memory& memory, std::int32_t first,
                                                  std::int32_t last, write_order order) {
  Rows::template compute<By, Sum>(plan, memory, first, last, 0, plan.layer.columns.output, order);
}
/// Calls `Chunks::compute`. The function is not inlined, so that layers share the code.
template <class Chunks, arithmetic By, class Sum>
[[gnu::noinline]] inline void compute_shared_chunks(const int16_layer& plan, const int16_memory& memory, std::int32_t first,
                                                    std::int32_t last) {
  Chunks::template compute<By, Sum>(plan, memory, first, last);
}

/// The chunks (see `kernel_facts::chunks`) of an image. A chunk is one pixel. `Rows` has the same meaning as for `int16_kernel`.
template <class Rows>
struct pixel_chunks {
  template <arithmetic By, class Sum>
  [[gnu::always_inline]] static void compute(const int16_layer& plan, const int16_memory& memory, std::int32_t first, std::int32_t last) {
    portable::detail::for_row_ranges(plan.layer.columns.output, first, last,
                                     [&](std::int32_t row, std::int32_t begin, std::int32_t end) __attribute__((always_inline)) {
                                       Rows::template compute<By, Sum>(plan, memory, row, row + 1, begin, end, write_order::ascending);
                                     });
  }
};

/// The base of kernels for layers on int16 with int8 weights. `Portable` is the portable kernel of the same operators. `Rows::compute<By,
/// Sum>(plan, memory, first_row, last_row, first_column, last_column, order)` computes the columns [`first_column`, `last_column`) of the
/// output rows [`first_row`, `last_row`). Row numbers continue from image to image of a batch.
template <class Portable, portable::channel_scaling Scaling, options Options, class Rows>
struct int16_kernel {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<int16_layer> {
    const auto operands = program.inputs(record);
    const bool is_int16 = !operands.empty() && operands[0] != none<value_id> && program[operands[0]].type == dtype::int16;
    if (!is_int16) return {refuse()};  // without a reason, because other kernels report better reasons
    auto described = portable::detail::describe_layer(program, record, Portable::geometry_of(program, record), Scaling);
    node_description<int16_layer> result{std::move(described.support)};
    if (!result.support) return result;
    auto& plan = result.plan;
    plan.layer = described.plan;
    const auto& out = plan.layer.out;
    if (out.input_zero_point != 0)
      return {refuse("the Cortex-M kernel requires int16 inputs with zero point 0, not ", out.input_zero_point)};
    choose_constants(plan, program, record);
    result.facts = described.facts;
    result.facts.scratch_bytes = 2 * static_cast<std::uint32_t>(plan.products());
    result.facts.prepared = {plan.has_constants != 0 ? static_cast<std::size_t>(out.channels) : 0, constants_per_channel};
    return result;
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    write_constants(describe(program, record).plan, program, record, first, to);
  }
  static void compute(const int16_layer& plan, const node_memory& memory) {
    const auto* bias = plan.layer.out.has_bias != 0 ? memory.inputs[plan.layer.bias_at] : nullptr;
    const int16_memory at{memory.inputs[0], memory.inputs[1], bias, memory.prepared.data(), memory.scratch.data(), memory.outputs[0]};
    with_arithmetic(
        plan, [&]<arithmetic By, class Sum>() { compute_shared_rows<Rows, By, Sum>(plan, at, 0, plan.layer.output_rows(), memory.order); });
  }

 protected:
  /// Computes the output rows [`first`, `last`), or all rows from `first` on if `last` is negative.
  template <class Kernel, class Call>
  static void compute_part(const Call& call, std::int32_t first, std::int32_t last) {
    with_layer<Kernel>(call, [&]<arithmetic By, class Sum>(const int16_layer& plan, const int16_memory& at) __attribute__((always_inline)) {
      const auto end = last < 0 ? plan.layer.output_rows() : last;
      if constexpr (Options.optimize == optimize_for::code_size) {
        compute_shared_rows<Rows, By, Sum>(plan, at, first, end, Call::order());
      } else {
        Rows::template compute<By, Sum>(plan, at, first, end, 0, plan.layer.columns.output, Call::order());
      }
    });
  }
  /// Computes the chunks [`first`, `last`) with `Chunks::compute<By, Sum>(plan, memory, first, last)`.
  template <class Kernel, class Chunks, class Call>
  static void compute_range(const Call& call, std::int32_t first, std::int32_t last) {
    with_layer<Kernel>(call, [&]<arithmetic By, class Sum>(const int16_layer& plan, const int16_memory& at) __attribute__((always_inline)) {
      if constexpr (Options.optimize == optimize_for::code_size) {
        compute_shared_chunks<Chunks, By, Sum>(plan, at, first, last);
      } else {
        Chunks::template compute<By, Sum>(plan, at, first, last);
      }
    });
  }

 private:
  /// Calls `f` like `with_arithmetic`. The arguments of `f` are the plan of a node, as a constant, and the memory of the node.
  template <class Kernel, class Call, class F>
  [[gnu::always_inline]] static void with_layer(const Call& call, F f) {
    constexpr const auto& base = node_plan<Kernel, Call>;
    static constexpr auto table = portable::table_of<base.layer.out.table_size()>(Call::program(), Call::record(), Scaling);
    static constexpr auto plan = [] {
      auto with_table = node_plan<Kernel, Call>;
      with_table.layer.multipliers = table.values.data();
      with_table.layer.right_shifts = table.rights.data();
      return with_table;
    }();
    const char* bias = nullptr;
    if constexpr (base.layer.out.has_bias != 0 && base.has_constants == 0)
      bias = call.template input<static_cast<std::size_t>(base.layer.bias_at)>();
    const int16_memory at{call.template input<0>(), call.template input<1>(), bias, reinterpret_cast<const char*>(call.prepared().data()),
                          call.scratch().data(),    call.template output<0>()};
    with_arithmetic(plan, [&]<arithmetic By, class Sum>() __attribute__((always_inline)) { f.template operator()<By, Sum>(plan, at); });
  }
};

/// The base of kernels for convolutions on int16. `Kernel` derives from this class and adds `operators`.
template <class Kernel, class Portable, options Options, class Rows>
struct int16_image_kernel : int16_kernel<Portable, portable::channel_scaling::in_double, Options, Rows> {
  using base = int16_kernel<Portable, portable::channel_scaling::in_double, Options, Rows>;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<int16_layer> {
    auto result = base::describe(program, record);
    if (!result.support) return result;
    const auto& layer = result.plan.layer;
    result.facts.operands[0].window = portable::detail::image_window(layer.batches, layer.rows, layer.columns);
    result.facts.chunks = layer.output_rows() * layer.columns.output;
    return result;
  }
  using base::compute;
  template <class Call>
  static void compute(const Call& call) {
    base::template compute_part<Kernel>(call, 0, -1);
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    base::template compute_part<Kernel>(call, first, last);
  }
  /// Computes the chunks [`first`, `last`). A chunk is one pixel.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    base::template compute_range<Kernel, pixel_chunks<Rows>>(call, first, last);
  }
};

}  // namespace baton::cortex_m::detail
