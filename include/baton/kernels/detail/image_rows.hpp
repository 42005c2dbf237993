// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Row-by-row computation of element-wise nodes that have a single non-constant operand.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/shared/compute_node.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// True if the output of a node is a tensor of images [N, H, W, C].
template <class Call>
constexpr auto has_image_output() -> bool {
  return Call::program().shape(Call::output_id(0)).size() == 4;
}

/// Computes the columns [`first`, `last`) of output row `row`. `Kernel::compute_elements(plan, from, to, count, others...)` computes
/// `count` elements; `others` are its last arguments.
template <class Kernel, class Call, class... Others>
void compute_image_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last, Others... others) {
  constexpr auto shape = Call::program().shape(Call::output_id(0));
  constexpr auto columns = static_cast<std::int32_t>(shape[2]);
  constexpr auto channels = static_cast<std::int32_t>(shape[3]);
  constexpr auto in_bytes = static_cast<std::ptrdiff_t>(facts(Call::program()[Call::input_id(0)].type).bits / 8);
  constexpr auto out_bytes = static_cast<std::ptrdiff_t>(facts(Call::program()[Call::output_id(0)].type).bits / 8);
  const std::ptrdiff_t begin = std::ptrdiff_t{row * columns + first} * channels;
  Kernel::compute_elements(node_plan<Kernel, Call>, call.template input<0>() + begin * in_bytes,
                           call.template output<0>() + begin * out_bytes, (last - first) * channels, others...);
}

/// Computes the output rows [`first`, `last`).
template <class Kernel, class Call, class... Others>
void compute_image_rows(const Call& call, std::int32_t first, std::int32_t last, Others... others) {
  constexpr auto columns = static_cast<std::int32_t>(Call::program().shape(Call::output_id(0))[2]);
  for (auto row = first; row < last; ++row) compute_image_pixels<Kernel>(call, row, 0, columns, others...);
}

}  // namespace baton::portable::detail
