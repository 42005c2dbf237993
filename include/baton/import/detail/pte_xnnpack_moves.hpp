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

/// Adds the node of `XNNStaticTranspose`.
constexpr void add_xnnpack_transpose(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::sized;
  emitter.flags(slots::flags);
  const auto order = emitter.list(slots::sizes);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  const auto rank = emitter.type(in).rank;
  std::uint32_t seen = 0;
  for (const auto each : order) seen |= each < 32 ? 1u << static_cast<std::uint32_t>(each) : 0u;
  if (order.size() != rank || seen != (1u << rank) - 1) {
    emitter.refuse<"damaged_model">("has a permutation that is not one of ", rank, " dimensions");
    return;
  }
  emitter.add("tfl.transpose", {in, emitter.integers(order)}, out);
}
/// Adds the node of `XNNStaticSlice`. A size of 0 means the remaining elements of the dimension.
constexpr void add_xnnpack_slice(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::slice;
  emitter.flags(slots::flags);
  const auto begin = emitter.list(slots::offsets);
  auto sizes = emitter.list(slots::sizes);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (begin.size() != emitter.type(in).rank || sizes.size() != begin.size()) {
    emitter.refuse<"damaged_model">("has ", begin.size(), " offsets and ", sizes.size(), " sizes for ", emitter.type(in).rank,
                                    " dimensions");
    return;
  }
  for (auto& size : sizes) size = size == 0 ? -1 : size;
  emitter.add("tfl.slice", {in, emitter.integers(begin), emitter.integers(sizes)}, out);
}
/// Adds the nodes of `XNNStaticConstantPad`.
constexpr void add_xnnpack_pad(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::pad;
  emitter.flags(slots::flags);
  const auto before = emitter.list(slots::before), after = emitter.list(slots::after);
  const auto number = emitter.real(slots::padding_value);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (before.size() != emitter.type(in).rank || after.size() != before.size()) {
    emitter.refuse<"damaged_model">("has ", before.size(), " paddings before and ", after.size(), " after its input, which has ",
                                    emitter.type(in).rank, " dimensions");
    return;
  }
  vector<std::int64_t> table;
  for (std::size_t i = 0; i < before.size(); ++i) {
    table.push_back(before[i]);
    table.push_back(after[i]);
  }
  const auto paddings = emitter.integers(table, 2);
  if (emitter.is_half(in)) {
    const auto padded = emitter.temporary(emitter.type(out));
    emitter.add("tfl.padv2", {emitter.dequantized(in), paddings, emitter.scalar(number)}, padded);
    return emitter.finish(padded, out, false);
  }
  emitter.add("tfl.padv2", {in, paddings, emitter.is_narrow(in) ? emitter.quantized_scalar(number, in) : emitter.scalar(number)}, out);
}
/// Adds the node of a concatenation of `Count` operands: one of the operators `XNNConcatenate2`, ..., `XNNConcatenate5`.
template <std::size_t Count>
constexpr void add_xnnpack_concatenation(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::concatenation;
  emitter.flags(slots::flags);
  constexpr std::size_t fields[] = {slots::first, slots::second, slots::third, slots::fourth, slots::fifth};
  vector<value_id> operands;
  for (std::size_t i = 0; i < Count; ++i) operands.push_back(emitter.operand(fields[i]));
  const auto out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  const auto axis = emitter.number(slots::axis);
  const auto rank = emitter.type(out).rank;
  if (axis >= rank) {  // a negative axis is stored modulo 2^32
    const auto from_end = std::uint64_t{axis} + rank - (std::uint64_t{1} << 32);
    if (from_end >= rank) {
      emitter.refuse<"damaged_model">("has axis ", axis, ", but its output has ", rank, " dimensions");
      return;
    }
  }
  const named_literal literals[] = {{"axis", static_cast<std::int32_t>(axis)}, {"fused_activation_function", "none"}};
  emitter.add("tfl.concatenation", operands, out, literals);
}
/// Adds the nodes of `XNNStaticResizeBilinear2D`. With neither `legacy_resize` nor `align_corners`, the pixel centers are at half-integer
/// coordinates.
constexpr void add_xnnpack_resize(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::resize;
  const auto flags = emitter.flags(slots::flags, xnnpack::flag::legacy_resize | xnnpack::flag::align_corners);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  const bool has_mode = (flags & (xnnpack::flag::legacy_resize | xnnpack::flag::align_corners)) != 0;
  const std::int64_t size[] = {emitter.number(slots::height), emitter.number(slots::width)};
  const auto image = emitter.is_half(in) ? emitter.dequantized(in) : in,
             result = emitter.is_half(out) ? emitter.temporary(emitter.type(out)) : out;
  emitter.add("tfl.resize_bilinear", {image, emitter.integers(size)}, result,
              {{"align_corners", (flags & xnnpack::flag::align_corners) != 0}, {"half_pixel_centers", !has_mode}});
  if (result != out) emitter.finish(result, out, false);
}

}  // namespace baton::pte::detail
