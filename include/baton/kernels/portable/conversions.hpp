// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Conversions to another type: `tfl.quantize`, `baton.quantize`, `tfl.dequantize`, `tfl.cast`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/float_quotient.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/byte_table.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/half.hpp>
#include <baton/kernels/detail/image_rows.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/shared/quantize_to_even.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::portable {

namespace detail {

enum class conversion_kind : std::int32_t {
  by_table,       ///< quantized to quantized, both 8 bits
  rescaled,       ///< quantized to quantized, not both 8 bits
  flipped,        ///< int8 to uint8 or back, with equal scales and zero points 128 apart: the highest bit is inverted
  quantized,      ///< float32 to quantized, rounded half away from zero
  to_even,        ///< float32 or quantized to quantized, rounded half to even
  dequantized,    ///< quantized to float32
  by_channel,     ///< quantized to float32, with a scale for each channel
  from_float16,   ///< float16 to float32
  from_bfloat16,  ///< bfloat16 to float32
  to_float16,     ///< float32 to float16, rounded half to even
  to_bfloat16,    ///< float32 to bfloat16, rounded half to even
  truncated,      ///< float32 to integer
  as_float,       ///< integer to float32
  as_integer,     ///< integer to integer
  copied,         ///< float32 to float32
};

/// The compile-time plan of a conversion.
struct conversion {
  conversion_kind kind = conversion_kind::copied;
  dtype from_type = dtype::float32;
  dtype to_type = dtype::float32;
  std::int32_t count = 1;
  affine quant{};        ///< the quantization of the output (`quantized`, `to_even`) or of the input (`dequantized`)
  affine from_quant{};   ///< the quantization of a quantized input (`to_even`)
  float reciprocal = 0;  ///< 1 / the output's scale, if `to_even` multiplies by it; else 0
  rescaling with{};
  byte_table table{};
  // For `by_channel`:
  std::int32_t channels = 1;
  std::int32_t run = 1;            ///< contiguous elements of one channel
  span<const char> scales{};       ///< float32, one per channel
  span<const char> zero_points{};  ///< int64: none, one, or one per channel
};

/// Returns the integer part of `x`, clamped to the range of `type`; NaN becomes 0. For booleans, returns 0 if `x` is 0, otherwise 1 (also
/// for NaN).
[[gnu::always_inline]] inline auto whole_part(float x, dtype type) -> std::int64_t {
  if (type == dtype::boolean) return x != 0.0f ? 1 : 0;
  const auto limits = limits_of(type);
  if (x <= static_cast<float>(limits.lower)) return limits.lower;
  // The first number above the range is a power of two. The code computes this power as twice its half, because the half is exact in float.
  if (x >= 2.0f * static_cast<float>(limits.upper / 2 + 1)) return limits.upper;
  if (x != x) return 0;
  // Converts to 32 bits if possible, because targets have an instruction for this conversion.
  return type == dtype::int64 || type == dtype::uint32 ? static_cast<std::int64_t>(x) : static_cast<std::int32_t>(x);
}

/// Returns `x` / `scale`, rounded half away from zero as in `baton::quantize`, but clamped to ±2^17. This range suffices for types of up to
/// 16 bits.
[[gnu::always_inline]] inline auto quantized_steps(float x, float scale) -> std::int32_t {
  const auto steps = x / scale;
  const auto near = quantized::bounds<float>{-131072.0f, 131072.0f}.clamp(steps == steps ? steps : 0.0f);
  const auto whole = static_cast<std::int32_t>(near);
  const auto fraction = near - static_cast<float>(whole);
  return whole + (fraction >= 0.5f ? 1 : 0) - (fraction <= -0.5f ? 1 : 0);
}

/// Returns scale · (`number` − zero point). The reference multiplies in double. For types of up to 16 bits, multiplication in float32 has
/// the same result, because the difference is exact in float32.
[[gnu::always_inline]] inline auto real_of(dtype type, std::int64_t number, affine quant) -> float {
  if (type == dtype::int32) return static_cast<float>(static_cast<double>(quant.scale) * static_cast<double>(number - quant.zero_point));
  return quant.scale * static_cast<float>(static_cast<std::int32_t>(number) - quant.zero_point);
}

/// True if quantized numbers of type `from` can be converted to type `to`: between int8, uint8 and int16, and between int32 and int8 or
/// int16. Other conversions are not supported.
constexpr auto is_requantized(dtype from, dtype to) -> bool {
  if (from == dtype::int32) return to == dtype::int8 || to == dtype::int16;
  if (to == dtype::int32) return from == dtype::int8 || from == dtype::int16;
  const auto is_narrow = [](dtype type) { return type == dtype::int8 || type == dtype::uint8 || type == dtype::int16; };
  return is_narrow(from) && is_narrow(to);
}

constexpr void describe_quantize(node_check& check, const operand& in, const operand& out, bool has_table, conversion& plan) {
  const auto to = check.per_tensor(out, "output");
  if (in.is_float()) {
    check.is_one_of(out, {dtype::int8, dtype::uint8, dtype::int16}, "output");
    plan.kind = conversion_kind::quantized;
    plan.quant = to;
    return;
  }
  check.demand(is_requantized(in.type, out.type), "quantization of ", facts(in.type).name, " to ", facts(out.type).name,
               " is not supported");
  const auto from = check.per_tensor(in, "input");
  plan.kind = conversion_kind::rescaled;
  plan.with =
      make_rescaling(from.zero_point, static_cast<double>(from.scale) / static_cast<double>(to.scale), to.zero_point, limits_of(out.type));
  if (!check.ok() || facts(in.type).bits != 8 || facts(out.type).bits != 8) return;
  plan.kind = conversion_kind::by_table;
  if (!has_table) return;
  const auto lower = static_cast<std::int32_t>(limits_of(in.type).lower);
  for (std::int32_t x = lower; x < lower + 256; ++x) {
    plan.table.set(static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(rescale(x - plan.with.from, plan.with)));
  }
}

/// Returns the real value of `number`, which has the quantization `from`, in units of the output's scale. The output's zero point is not
/// added. The real value is rounded to float32, then divided by the output's scale, or multiplied by `reciprocal` if `reciprocal` is not 0.
/// If the scales are equal, returns `number` minus its zero point, rounded to float32.
constexpr auto steps_of(std::int64_t number, affine from, affine to, float reciprocal) -> float {
  constexpr auto max = static_cast<double>(std::numeric_limits<float>::max());
  const auto difference = static_cast<double>(number - from.zero_point);
  if (from.scale == to.scale) return static_cast<float>(difference);
  const auto real = quantized::bounds<double>{-max, max}.clamp(static_cast<double>(from.scale) * difference);
  return reciprocal != 0 ? static_cast<float>(real) * reciprocal : float_quotient(static_cast<float>(real), to.scale);
}

/// Returns `steps` rounded half to even, plus `zero_point`, as a number of the type `type`.
[[gnu::always_inline]] constexpr auto even_number(dtype type, float steps, std::int32_t zero_point) -> std::int32_t {
  if (type == dtype::int32) return quantize_to_even<std::int32_t>(steps, zero_point);
  return range_of(type).clamp(quantize_to_even<std::int16_t>(steps, zero_point));
}

/// Describes `baton.quantize`. `by` is the attribute of this name.
constexpr void describe_quantize_to_even(node_check& check, const operand& in, const operand& out, std::string_view by, bool has_table,
                                         conversion& plan) {
  plan.kind = conversion_kind::to_even;
  check.is_one_of(out, {dtype::int8, dtype::uint8, dtype::int16, dtype::int32}, "output");
  check.demand(by == "quotient" || by == "reciprocal", "the attribute `by` is ", by, "; it must be quotient or reciprocal");
  plan.quant = check.per_tensor(out, "output");
  // The reciprocal of a scale below the smallest normal float may be infinite.
  const bool is_reciprocal = by == "reciprocal";
  check.demand(!is_reciprocal || plan.quant.scale >= std::numeric_limits<float>::min(), "the output's scale has no reciprocal");
  if (check.ok() && is_reciprocal) plan.reciprocal = 1 / plan.quant.scale;
  if (in.is_float()) return;
  check.is_one_of(in, {dtype::int8, dtype::uint8, dtype::int16, dtype::int32}, "input");
  plan.from_quant = check.per_tensor(in, "input");
  if (!check.ok() || facts(in.type).bits != 8 || facts(out.type).bits != 8) return;
  const auto apart = limits_of(out.type).lower - limits_of(in.type).lower;
  const bool is_flipped = apart != 0 && plan.quant.zero_point - plan.from_quant.zero_point == apart;
  plan.kind = is_flipped && plan.from_quant.scale == plan.quant.scale ? conversion_kind::flipped : conversion_kind::by_table;
  if (!has_table || plan.kind == conversion_kind::flipped) return;
  const auto lower = static_cast<std::int32_t>(limits_of(in.type).lower);
  for (std::int32_t x = lower; x < lower + 256; ++x) {
    const auto y = even_number(out.type, steps_of(x, plan.from_quant, plan.quant, plan.reciprocal), plan.quant.zero_point);
    plan.table.set(static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y));
  }
}

/// Describes a dequantization with a scale for each channel. Requires a finite scale for each index of one axis, and zero points in the
/// type's range.
constexpr void describe_channels(node_check& check, const program_view& program, const operand& in, conversion& plan) {
  plan.kind = conversion_kind::by_channel;
  const auto& quant = in.quant;
  const auto axis = static_cast<std::size_t>(quant.axis);  // a negative axis becomes larger than every rank
  if (!check.demand(axis < in.shape.size() && in.shape[axis] == quant.channels, "input has ", quant.channels, " scales along axis ",
                    quant.axis, ", which does not have this size"))
    return;
  if (!check.finite_scales(in, "input")) return;
  plan.scales = program.data(quant.scales);
  plan.zero_points = program.data(quant.zero_points);
  const auto range = range_of(in.type);
  for (std::uint32_t channel = 0; channel < plan.zero_points.size() / 8; ++channel) {
    const auto zero_point = program.zero_point(quant, channel);
    if (zero_point < range.lower || zero_point > range.upper)
      check.demand(false, "input zero point ", channel, " is ", zero_point, ", which is out of range");
  }
  plan.channels = static_cast<std::int32_t>(quant.channels);
  for (auto after = axis + 1; after < in.shape.size(); ++after) plan.run *= in.size(after);
}

constexpr void describe_dequantize(node_check& check, const program_view& program, const operand& in, conversion& plan) {
  plan.kind = conversion_kind::from_float16;
  if (in.type == dtype::float16) return;
  check.is_one_of(in, {dtype::int4, dtype::int8, dtype::uint8, dtype::int16, dtype::int32}, "input");
  if (!check.ok()) return;
  if (in.quant.channels > 1) return describe_channels(check, program, in, plan);
  plan.kind = conversion_kind::dequantized;
  plan.quant = check.per_tensor(in, "input");
}

constexpr void describe_cast(node_check& check, const operand& in, const operand& out, conversion& plan) {
  const auto is_half = [](dtype type) { return type == dtype::float16 || type == dtype::bfloat16; };
  if (is_half(in.type) || is_half(out.type)) {
    check.demand(in.is_float() || out.is_float(), "a cast of ", facts(in.type).name, " to ", facts(out.type).name, " is not supported");
    plan.kind = in.type == dtype::float16    ? conversion_kind::from_float16
                : in.type == dtype::bfloat16 ? conversion_kind::from_bfloat16
                : out.type == dtype::float16 ? conversion_kind::to_float16
                                             : conversion_kind::to_bfloat16;
    return;
  }
  const auto is_known = [](dtype type) { return type == dtype::float32 || limits_of(type) != quantized::bounds<std::int64_t>{}; };
  check.demand(is_known(in.type), "input is ", facts(in.type).name);
  check.demand(is_known(out.type), "output is ", facts(out.type).name);
  plan.kind = in.is_float()    ? (out.is_float() ? conversion_kind::copied : conversion_kind::truncated)
              : out.is_float() ? conversion_kind::as_float
                               : conversion_kind::as_integer;
}

/// Dequantizes a tensor with a scale for each channel.
[[gnu::always_inline]] inline void dequantize_channels(const conversion& plan, const char* from, char* to) {
  const auto zeros = plan.zero_points.size() / 8;
  std::int32_t i = 0;
  while (i < plan.count) {
    for (std::int32_t channel = 0; channel < plan.channels; ++channel) {
      const auto at = zeros == 1 ? 0 : channel;
      const affine quant{load<float>(plan.scales.data(), channel),
                         zeros == 0 ? 0 : static_cast<std::int32_t>(load<std::int64_t>(plan.zero_points.data(), at))};
      for (const auto end = i + plan.run; i < end; ++i) store(to, i, real_of(plan.from_type, load_integer(plan.from_type, from, i), quant));
    }
  }
}

/// Converts element `i`. If `plan` is a compile-time constant, only one case is compiled.
[[gnu::always_inline]] inline void convert_element(const conversion& plan, const char* from, char* to, std::int32_t i) {
  switch (plan.kind) {
    case conversion_kind::by_table:
      return store(to, i, plan.table[load<std::uint8_t>(from, i)]);
    case conversion_kind::rescaled: {
      auto difference = load_integer(plan.from_type, from, i) - plan.with.from;
      if (plan.from_type == dtype::int32) difference = limits_of(dtype::int32).clamp(difference);
      return store_integer(plan.to_type, to, i, rescale(static_cast<std::int32_t>(difference), plan.with));
    }
    case conversion_kind::flipped:
      return store(to, i, static_cast<std::uint8_t>(load<std::uint8_t>(from, i) ^ 0x80u));
    case conversion_kind::to_even: {
      if (plan.from_type != dtype::float32) {
        const auto steps = steps_of(load_integer(plan.from_type, from, i), plan.from_quant, plan.quant, plan.reciprocal);
        return store_integer(plan.to_type, to, i, even_number(plan.to_type, steps, plan.quant.zero_point));
      }
      const auto x = load<float>(from, i);
      const auto steps = plan.reciprocal != 0 ? x * plan.reciprocal : x / plan.quant.scale;
      return store_integer(plan.to_type, to, i, even_number(plan.to_type, steps, plan.quant.zero_point));
    }
    case conversion_kind::quantized:
      return store_integer(plan.to_type, to, i,
                           range_of(plan.to_type).clamp(quantized_steps(load<float>(from, i), plan.quant.scale) + plan.quant.zero_point));
    case conversion_kind::dequantized:
    case conversion_kind::by_channel:  // computed by `dequantize_channels`
      return store(to, i, real_of(plan.from_type, load_integer(plan.from_type, from, i), plan.quant));
    case conversion_kind::from_float16:
      return store(to, i, load_half(from, i));
    case conversion_kind::from_bfloat16:
      return store(to, i, load_bfloat16(from, i));
    case conversion_kind::to_float16:
      return store(to, i, half_bits_of_float(load<float>(from, i)));
    case conversion_kind::to_bfloat16:
      return store(to, i, bfloat16_bits_of_float(load<float>(from, i)));
    case conversion_kind::truncated:
      return store_integer(plan.to_type, to, i, whole_part(load<float>(from, i), plan.to_type));
    case conversion_kind::as_float: {
      const auto number = load_integer(plan.from_type, from, i);
      const bool is_wide = plan.from_type == dtype::int64 || plan.from_type == dtype::uint32;
      return store(to, i, is_wide ? static_cast<float>(number) : static_cast<float>(static_cast<std::int32_t>(number)));
    }
    case conversion_kind::as_integer:
      return store_integer(plan.to_type, to, i, load_integer(plan.from_type, from, i));
    case conversion_kind::copied:
      return store(to, i, load<float>(from, i));
  }
}

/// A kernel that computes conversions. The operators of the namespace `tfl` have the numeric rules of TensorFlow Lite.
/// - `tfl.quantize` from float32 to int8, uint8 and int16 (`AffineQuantize` of `reference/quantize.h`), and between the quantized types of
///   `is_requantized` (`Requantize` of `reference/requantize.h`);
/// - `baton.quantize` from float32, int8, uint8, int16 and int32 to int8, uint8, int16 and int32: a float32 number is divided by the scale,
///   and the quotient is rounded half to even (ONNX's `QuantizeLinear`). A quantized input is first converted to float32 (ONNX's
///   `DequantizeLinear`). If the attribute `by` is "reciprocal", the float32 number is multiplied by the reciprocal of the scale instead
///   (PyTorch's `quantize_per_tensor`);
/// - `tfl.dequantize` of int4, int8, uint8, int16 and int32, per tensor or per channel (`reference/dequantize.h`), and of float16;
/// - `tfl.cast` between float32, booleans, signed integers of 8 to 64 bits and unsigned integers of 8 to 32 bits (`micro/kernels/cast.cc`),
///   and between float32 and float16 or bfloat16, rounded half to even.
struct convert {
  // Some cases are undefined in TensorFlow Lite. In this kernel, a float beyond the range of an integer type becomes the nearest number of
  // the type. NaN becomes 0, or the zero point if the output is quantized. Quantized numbers whose product with the factor exceeds 32 bits
  // saturate.

  static constexpr literal_name operators[] = {"tfl.quantize", "tfl.dequantize", "tfl.cast", "baton.quantize"};

  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<detail::conversion> {
    node_check check{program, record};
    check.conforms();
    check.counts(1, 1);
    const auto in = check.input(0, "input");
    const auto out = check.output();
    detail::conversion plan{.from_type = in.type, .to_type = out.type, .count = in.count};
    const bool has_table = purpose == describe_for::computing;
    if (record.is("tfl.quantize")) {
      detail::describe_quantize(check, in, out, has_table, plan);
    } else if (record.is("baton.quantize")) {
      detail::describe_quantize_to_even(check, in, out, program.text(record, "by", "quotient"), has_table, plan);
    } else if (record.is("tfl.dequantize")) {
      detail::describe_dequantize(check, program, in, plan);
    } else {
      detail::describe_cast(check, in, out, plan);
    }
    auto facts = elementwise_facts(check, program, record);
    if (plan.kind != detail::conversion_kind::by_channel) detail::add_element_chunks(plan.count, facts);
    if (record.is("baton.quantize")) facts.operands[0].window = {};  // an output pixel depends on the same pixel of the input
    return {check.verdict_so_far(), plan, facts};
  }

  [[gnu::always_inline]] static void compute(const detail::conversion& plan, const node_memory& memory) {
    if (plan.kind == detail::conversion_kind::by_channel) return detail::dequantize_channels(plan, memory.inputs[0], memory.outputs[0]);
    compute_elements(plan, memory.inputs[0], memory.outputs[0], plan.count);
  }
  /// Computes `count` elements.
  [[gnu::always_inline]] static void compute_elements(const detail::conversion& plan, const char* from, char* to, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) detail::convert_element(plan, from, to, i);
  }

  /// Computes the chunks [`first`, `last`), each of at most 64 elements (see `kernel_facts::chunks`). Not available for scales per channel.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    detail::compute_element_chunks<convert>(call, first, last);
  }

  /// Computes the output rows [`first`, `last`). Available for a `baton.quantize` of an image [N, H, W, C].
  template <class Call>
    requires(Call::record().is("baton.quantize") && detail::has_image_output<Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    detail::compute_image_rows<convert>(call, first, last);
  }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    detail::compute_image_pixels<convert>(call, row, first, last);
  }
};
static_assert(kernel<convert>);

}  // namespace detail

}  // namespace baton::portable
