// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The choice between two operands, element by element: `tfl.select` and `tfl.select_v2`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/broadcasting.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/multi_kind_kernel.hpp>
#include <baton/kernels/node_check.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a choice.
struct choosing {
  std::int32_t kind = 1;  ///< bytes per element
  broadcast_loops<3> loops{};
};
static_assert(has_no_padding<choosing>);

struct chosen_element {
  template <class T>
  [[gnu::always_inline]] auto operator()(std::uint8_t condition, T first, T second) const -> T {
    return condition != 0 ? first : second;
  }
};

/// A kernel that computes `tfl.select` and `tfl.select_v2`. Only `tfl.select_v2` broadcasts its three operands. The condition of
/// `tfl.select` has the shape of the other operands, or is a scalar, or has one element for each index of their first axis. Elements of any
/// type of 8, 16, 32 or 64 bits are copied unchanged, whatever their scales, as in TensorFlow Lite Micro's select.cc. A condition is true
/// if its byte is not 0.
struct select : detail::multi_kind_kernel<select> {
  static constexpr literal_name operators[] = {"tfl.select", "tfl.select_v2"};
  using multi_kind_kernel<select>::compute;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::choosing> {
    node_check check{program, record};
    check.conforms();
    check.counts(3, 3);
    const auto condition = check.input(0, "condition");
    const auto first = check.input(1, "operand 1");
    const auto second = check.input(2, "operand 2");
    const auto out = check.output();
    check.is_one_of(condition, {dtype::boolean}, "condition");
    check.demand(first.type == second.type && first.type == out.type, "operands 1 and 2 are ", facts(first.type).name, " and ",
                 facts(second.type).name, ", output is ", facts(out.type).name);
    const auto bits = facts(out.type).bits;
    check.demand(bits == 8 || bits == 16 || bits == 32 || bits == 64, "operands 1 and 2 are ", facts(out.type).name,
                 "; elements must have 8, 16, 32 or 64 bits");
    detail::choosing plan;
    plan.kind = bits / 8;
    std::array<std::int64_t, tensor_type::max_rank> along_first{1, 1, 1, 1, 1, 1, 1, 1};
    auto shape = condition.shape;
    if (record.is("tfl.select") && shape.size() == 1 && !out.shape.empty() &&
        check.demand(out.shape.size() <= along_first.size(), "output has rank ", out.shape.size(), "; the maximum is ",
                     along_first.size())) {
      along_first[0] = shape[0];
      shape = {along_first.data(), out.shape.size()};
      check.demand(along_first[0] == out.shape[0], "condition has ", along_first[0], " elements for ", out.shape[0], " rows");
    }
    plan.loops = detail::loops_of<3>(check, {shape, first.shape, second.shape}, out.shape);
    if (record.is("tfl.select")) {
      const bool is_whole = plan.loops.is_whole(1) && plan.loops.is_whole(2) && (condition.shape.size() <= 1 || plan.loops.is_whole(0));
      check.demand(is_whole, "select does not broadcast; use select_v2");
    }
    return {check.verdict_so_far(), plan, elementwise_facts(check, program, record, plan.loops)};
  }

  template <auto Bytes>
  [[gnu::always_inline]] static void compute_kind(const detail::choosing& plan, const node_memory& memory) {
    using narrow = std::conditional_t<Bytes == 1, std::uint8_t, std::uint16_t>;
    using element = std::conditional_t<Bytes == 8, std::uint64_t, std::conditional_t<Bytes == 4, std::uint32_t, narrow>>;
    detail::broadcast_walk<element, std::uint8_t, element, element>::run(plan.loops, detail::chosen_element{}, memory.inputs,
                                                                         memory.outputs[0]);
  }

  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    if (plan.kind == 1) compute_kind<1>(plan, memory);
    if (plan.kind == 2) compute_kind<2>(plan, memory);
    if (plan.kind == 4) compute_kind<4>(plan, memory);
    if (plan.kind == 8) compute_kind<8>(plan, memory);
  }
};
static_assert(kernel<select>);

}  // namespace detail

}  // namespace baton::portable
