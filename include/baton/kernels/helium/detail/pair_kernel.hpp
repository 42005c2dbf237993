// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The common base of the Helium kernels of two operands of equal shape.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/element_rows.hpp>
#include <baton/kernels/detail/pairing.hpp>
#include <baton/kernels/helium/detail/element_output.hpp>
#include <baton/kernels/portable/pairwise.hpp>

#include <cstdint>
#include <utility>

namespace baton::helium::detail {

/// The base of a kernel that computes each output element from one element of each operand. Elements are written in ascending order, each
/// after its operands are read. `Kernel` derives from this class and adds these members:
/// - `operators`, the names of its operators;
/// - `check(const pairing&) -> verdict`, which returns whether the kernel supports the node;
/// - `plan_of(const pairing&) -> Plan`, where `Plan` has the members `count` and `output` (`element_output`);
/// - `compute_elements(const Plan&, const std::int32_t* table, const char* left, const char* right, char* to)`, which computes the first
///   `count` elements;
/// - `block`, the number of elements that vector code computes at a time;
/// - on targets with Helium, `compute_blocks<Output>(const Plan&, const std::int32_t* table, const char* left, const char* right, char* to,
///   std::int32_t blocks)`, which computes the first `blocks` blocks. `Output` is the member `output` of the plan.
///
/// A kernel that prepares a constant has the member `table_entries`, the number of elements of the constant. The parameter `table` is the
/// address of this constant, or null if the kernel has none.
template <class Kernel, class Plan>
struct pair_kernel : portable::detail::element_rows<Kernel> {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<Plan> {
    auto description = portable::pairwise::describe(program, record);
    if (!description.support) return {std::move(description.support), {}};
    const auto& plan = description.plan;
    if (plan.kind.type != static_cast<std::int32_t>(dtype::int8)) return {refuse("the Helium kernel supports only int8"), {}};
    if (!plan.loops.is_whole(0) || !plan.loops.is_whole(1)) return {refuse("an operand is broadcast"), {}};
    if (!element_output::supports(plan)) return {refuse("the result needs a right shift by ", -plan.by.shift, ", outside 1 to 22"), {}};
    node_description<Plan> result{Kernel::check(plan), {}};
    if (!result.support) return result;
    result.plan = Kernel::plan_of(plan);
    result.plan.count = static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])));
    // Each output element depends on one element of each operand, so each output pixel depends on one pixel of each operand.
    result.facts.operands[0] = result.facts.operands[1] = {.distance = {.ascending = 0}, .window = {}};
    portable::detail::add_element_chunks(result.plan.count, result.facts);
    return result;
  }

  /// Computes the node with a plan that is passed at run time, in portable C++.
  static void compute(const Plan& plan, const node_memory& memory) {
    Kernel::compute_elements(plan, static_cast<const std::int32_t*>(static_cast<const void*>(memory.prepared.data())), memory.inputs[0],
                             memory.inputs[1], memory.outputs[0]);
  }

  using portable::detail::element_rows<Kernel>::compute;
  /// Computes the output elements [`begin`, `end`).
  template <class Call>
  static void compute_range(const Call& call, std::int32_t begin, std::int32_t end) {
    constexpr const auto& whole = node_plan<Kernel, Call>;
    auto part = whole;
    part.count = end - begin;
    const std::int32_t* table = nullptr;
    if constexpr (requires { Kernel::table_entries; }) table = call.prepared().data();
    const char* left = call.template input<0>() + begin;
    const char* right = call.template input<1>() + begin;
    char* to = call.template output<0>() + begin;
    std::int32_t done = 0;
#if defined(__ARM_FEATURE_MVE)
    const auto blocks = part.count / Kernel::block;
    if (blocks != 0) Kernel::template compute_blocks<whole.output>(part, table, left, right, to, blocks);
    done = blocks * Kernel::block;
#endif
    part.count -= done;
    Kernel::compute_elements(part, table, left + done, right + done, to + done);
  }
};

}  // namespace baton::helium::detail
