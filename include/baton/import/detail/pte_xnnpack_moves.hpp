// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of ExecuTorch's XNNPACK backend that move elements, and the resize of images.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::pte::detail {

/// `XNNStaticTranspose`.
constexpr void add_xnnpack_transpose(xnnpack_emission& to) {
  using slots = xnnpack::slot::sized;
  to.flags(slots::flags);
  const auto order = to.list(slots::sizes);
  const auto in = to.operand(slots::input), out = to.output(slots::output);
  if (to.is_refused()) return;
  const auto rank = to.type(in).rank;
  std::uint32_t seen = 0;
  for (const auto each : order) seen |= each < 32 ? 1u << static_cast<std::uint32_t>(each) : 0u;
  if (order.size() != rank || seen != (1u << rank) - 1) {
    to.refuse<"damaged_model">("has a permutation that is not one of ", rank, " dimensions");
    return;
  }
  to.add("tfl.transpose", {in, to.integers(order)}, out);
}
/// `XNNStaticSlice`. A size of 0 stands for the remaining elements of the dimension.
constexpr void add_xnnpack_slice(xnnpack_emission& to) {
  using slots = xnnpack::slot::slice;
  to.flags(slots::flags);
  const auto begin = to.list(slots::offsets);
  auto sizes = to.list(slots::sizes);
  const auto in = to.operand(slots::input), out = to.output(slots::output);
  if (to.is_refused()) return;
  if (begin.size() != to.type(in).rank || sizes.size() != begin.size()) {
    to.refuse<"damaged_model">("has ", begin.size(), " offsets and ", sizes.size(), " sizes for ", to.type(in).rank, " dimensions");
    return;
  }
  for (auto& size : sizes) size = size == 0 ? -1 : size;
  to.add("tfl.slice", {in, to.integers(begin), to.integers(sizes)}, out);
}
/// `XNNStaticConstantPad`.
constexpr void add_xnnpack_pad(xnnpack_emission& to) {
  using slots = xnnpack::slot::pad;
  to.flags(slots::flags);
  const auto before = to.list(slots::before), after = to.list(slots::after);
  const auto number = to.real(slots::padding_value);
  const auto in = to.operand(slots::input), out = to.output(slots::output);
  if (to.is_refused()) return;
  if (before.size() != to.type(in).rank || after.size() != before.size()) {
    to.refuse<"damaged_model">("has padding for ", before.size(), " and ", after.size(), " of ", to.type(in).rank, " dimensions");
    return;
  }
  vector<std::int64_t> table;
  for (std::size_t i = 0; i < before.size(); ++i) {
    table.push_back(before[i]);
    table.push_back(after[i]);
  }
  const auto paddings = to.integers(table, 2);
  if (to.is_half(in)) {
    const auto padded = to.temporary(to.type(out));
    to.add("tfl.padv2", {to.dequantized(in), paddings, to.scalar(number)}, padded);
    return to.finish(padded, out, false);
  }
  to.add("tfl.padv2", {in, paddings, to.is_narrow(in) ? to.step(number, in) : to.scalar(number)}, out);
}
/// `XNNConcatenate2` to `XNNConcatenate5`.
template <std::size_t Count>
constexpr void add_xnnpack_concatenation(xnnpack_emission& to) {
  using slots = xnnpack::slot::concatenation;
  to.flags(slots::flags);
  constexpr std::size_t fields[] = {slots::first, slots::second, slots::third, slots::fourth, slots::fifth};
  vector<value_id> operands;
  for (std::size_t i = 0; i < Count; ++i) operands.push_back(to.operand(fields[i]));
  const auto out = to.output(slots::output);
  if (to.is_refused()) return;
  const auto axis = to.number(slots::axis);
  const auto rank = to.type(out).rank;
  if (axis >= rank) {  // a negative axis wraps around
    const auto from_end = std::uint64_t{axis} + rank - (std::uint64_t{1} << 32);
    if (from_end >= rank) {
      to.refuse<"damaged_model">("has axis ", axis, " of ", rank);
      return;
    }
  }
  const named_literal literals[] = {{"axis", static_cast<std::int32_t>(axis)}, {"fused_activation_function", "none"}};
  to.add("tfl.concatenation", operands, out, literals);
}
/// `XNNStaticResizeBilinear2D`. Without a flag, the centers of pixels are at halves.
constexpr void add_xnnpack_resize(xnnpack_emission& to) {
  using slots = xnnpack::slot::resize;
  const auto flags = to.flags(slots::flags, xnnpack::flag::legacy_resize | xnnpack::flag::align_corners);
  const auto in = to.operand(slots::input), out = to.output(slots::output);
  if (to.is_refused()) return;
  const bool has_mode = (flags & (xnnpack::flag::legacy_resize | xnnpack::flag::align_corners)) != 0;
  const std::int64_t size[] = {to.number(slots::height), to.number(slots::width)};
  const auto image = to.is_half(in) ? to.dequantized(in) : in, result = to.is_half(out) ? to.temporary(to.type(out)) : out;
  to.add("tfl.resize_bilinear", {image, to.integers(size)}, result,
         {{"align_corners", (flags & xnnpack::flag::align_corners) != 0}, {"half_pixel_centers", !has_mode}});
  if (result != out) to.finish(result, out, false);
}

}  // namespace baton::pte::detail
