// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The chunks (see `kernel_facts::chunks`) of element-wise nodes that have a single operand.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/set_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// The number of elements of a chunk; the last chunk may have fewer.
inline constexpr std::int32_t elements_per_chunk = 64;

/// Returns the number of chunks into which `count` elements are divided.
constexpr auto element_chunks(std::int32_t count) -> std::int32_t { return (count + elements_per_chunk - 1) / elements_per_chunk; }

/// Sets the chunks of a node with `count` elements.
constexpr void add_element_chunks(std::int32_t count, kernel_facts& facts) { set_chunks(facts, 1, {count, elements_per_chunk}); }

/// Computes the chunks [`first`, `last`). `Kernel::compute_elements(plan, from, to, count)` computes `count` elements.
template <class Kernel, class Call>
void compute_element_chunks(const Call& call, std::int32_t first, std::int32_t last) {
  constexpr const auto& plan = node_plan<Kernel, Call>;
  constexpr auto in_bytes = static_cast<std::ptrdiff_t>(facts(Call::program()[Call::input_id(0)].type).bits / 8);
  constexpr auto out_bytes = static_cast<std::ptrdiff_t>(facts(Call::program()[Call::output_id(0)].type).bits / 8);
  const auto begin = first * elements_per_chunk;
  Kernel::compute_elements(plan, call.template input<0>() + begin * in_bytes, call.template output<0>() + begin * out_bytes,
                           std::min(last * elements_per_chunk, plan.count) - begin);
}

}  // namespace baton::portable::detail
