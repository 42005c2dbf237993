// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of a node's operands, sizes, quantization and options. A kernel can rely on checked properties even if the model is damaged.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/baton_operators.hpp>
#include <baton/operators/shared/first_not_finite.hpp>
#include <baton/operators/shared/window.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

namespace baton::portable {

/// The maximum size of an operand, in bytes. Because of this limit, an element's index and the sum of two indices fit int32 if elements
/// have at least one byte.
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 30;

namespace detail {
inline constexpr std::array<std::int64_t, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
}

/// An operand that is not omitted and has a fixed size. After a failed check, `node_check` returns a default-constructed operand. All sizes
/// of this operand are 1, so that arithmetic on the operand is safe.
struct operand {
  dtype type = dtype::float32;
  value_kind kind = value_kind::intermediate;
  span<const std::int64_t> shape = detail::ones;
  std::int32_t count = 1;  ///< the number of elements
  quantization quant{};
  byte_ref data{};
  value_id id = none<value_id>;

  /// Returns the size of an axis, which must exist.
  constexpr auto size(std::size_t axis) const -> std::int32_t { return static_cast<std::int32_t>(shape[axis]); }
  /// Returns the size of the last axis, or 1 for a scalar.
  constexpr auto last() const -> std::int32_t { return shape.empty() ? 1 : static_cast<std::int32_t>(shape.back()); }
  constexpr auto is_float() const -> bool { return type == dtype::float32; }
  constexpr auto is_int8() const -> bool { return type == dtype::int8; }
};

/// Returns the value range of a quantized type: the full range of int16 and uint8, and the range of int8 for every other type.
constexpr auto range_of(dtype type) -> quantized::bounds<std::int32_t> {
  if (type == dtype::uint8) return {0, 255};
  return type == dtype::int16 ? quantized::bounds<std::int32_t>{-32768, 32767} : quantized::bounds<std::int32_t>{-128, 127};
}

/// The scale and zero point of a tensor with per-tensor quantization.
struct affine {
  float scale = 1;
  std::int32_t zero_point = 0;
};

/// Returns the bounds of the outputs of a quantized type (see `range_of`) after a fused activation.
constexpr auto fused_range(dtype type, quantized::activation fused, affine quant) -> quantized::bounds<std::int32_t> {
  if (type == dtype::uint8) return quantized::quantized_bounds<std::uint8_t>(fused, quant.scale, quant.zero_point);
  if (type == dtype::int16) return quantized::quantized_bounds<std::int16_t>(fused, quant.scale, quant.zero_point);
  return quantized::quantized_bounds<std::int8_t>(fused, quant.scale, quant.zero_point);
}

/// The padding of a window along one axis: SAME, or `before` and `after` elements. VALID is the default: no element on either side.
struct axis_padding {
  bool is_same = false;
  std::int32_t before = 0;
  std::int32_t after = 0;
  bool is_ceil = false;  ///< whether the last window may extend beyond the padding (`pooled_size`)
};
/// The padding of a window along both axes of an image.
struct image_padding {
  axis_padding rows{};
  axis_padding columns{};
};

/// A check of the requirements of a kernel on a node. The first requirement that does not hold becomes the reason of the verdict. From then
/// on, all functions return values that are safe to compute with. A kernel's `describe` can therefore state all requirements in sequence
/// and read the verdict once, at the end.
class node_check {
 public:
  constexpr node_check(const program_view& program, const node& record) : program_(program), record_(record) {}

  /// Adds the requirement `holds`; `reason` is the text of the verdict if the requirement is the first that fails. Returns true if all
  /// requirements so far hold.
  template <class... Parts>
  constexpr auto demand(bool holds, Parts... reason) -> bool {
    if (verdict_.accepted && !holds) verdict_ = refuse(reason...);
    return verdict_.accepted;
  }
  /// True if all requirements so far hold.
  constexpr auto ok() const -> bool { return verdict_.accepted; }
  /// Moves the verdict out of this object and returns it.
  constexpr auto verdict_so_far() -> verdict { return std::move(verdict_); }

  /// Requires that the node conforms to the operator's definition: the required operands, `outputs` outputs, and the inferred output types
  /// and shapes. All sizes are then consistent with that definition, so a kernel only checks that it supports these sizes. If the operator
  /// has no definition (in the program or in Baton) or no rule for type inference, only operand ids and the number of outputs are checked.
  constexpr void conforms(std::size_t outputs = 1) {
    if (!demand(record_.outputs.size == outputs, "the operator has ", record_.outputs.size, " outputs, not ", outputs)) return;
    for (const auto id : program_.inputs(record_)) {
      const bool is_in_program = id == none<value_id> || index(id) < program_.values.size();
      if (!demand(is_in_program, "an operand is not a value of the program")) return;
    }
    const auto inferred = infer(program_, record_);
    if (!inferred) {
      verdict_ = refuse(view(inferred.error.reason));
      return;
    }
    const auto output_ids = program_.outputs_of(record_);
    for (std::size_t i = 0; i < inferred.value.size(); ++i) {
      const auto& type = inferred.value[i];
      const auto& stated = program_[output_ids[i]];
      demand(!type.has_type || type.type == stated.type, "output is ", facts(stated.type).name, ", but the operator returns ",
             facts(type.type).name);
      demand(!type.has_shape || is_shape_like(type.shape.view(), program_.shape(output_ids[i])),
             "output has a different shape than inferred");
      demand(byte_count(stated.type, program_.shape(output_ids[i])) >= 0, "output has an unknown size");
    }
  }

  /// Requires one output, and `min` to `max` operands, including omitted operands.
  constexpr void counts(std::uint32_t min, std::uint32_t max) {
    demand(record_.inputs.size >= min && record_.inputs.size <= max, "the operator has ", record_.inputs.size, " operands, not ", min,
           " to ", max);
    demand(record_.outputs.size == 1, "the operator has ", record_.outputs.size, " outputs, not 1");
  }

  /// True if the optional operand `i` is present and no requirement has failed.
  constexpr auto has_input(std::size_t i) const -> bool {
    return ok() && i < record_.inputs.size && program_.inputs(record_)[i] != none<value_id>;
  }
  /// Returns operand `i`. Requires that the operand is present and has elements, and that its rank is `rank` unless `rank` is 0.
  /// Diagnostics call the operand `name`.
  constexpr auto input(std::size_t i, std::string_view name, std::size_t rank = 0) -> operand {
    return ok() ? read(id_at(program_.inputs(record_), i), name, rank) : operand{};
  }
  /// Returns operand `i` like `input`, but a dimension may have size 0. The functions without `_or_empty` in their names refuse operands
  /// without elements, so that sizes can be divisors.
  constexpr auto input_or_empty(std::size_t i, std::string_view name) -> operand {
    return ok() ? read(id_at(program_.inputs(record_), i), name, 0, true) : operand{};
  }
  /// Returns the first output. Requires that the output has rank `rank`, unless `rank` is 0.
  constexpr auto output(std::size_t rank = 0) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), 0), "output", rank) : operand{};
  }
  /// Returns output `i`.
  constexpr auto output_at(std::size_t i) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), i), "output", 0) : operand{};
  }
  /// Returns output `i` like `output_at`, but a dimension may have size 0.
  constexpr auto output_or_empty_at(std::size_t i) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), i), "output", 0, true) : operand{};
  }

  /// Returns operand `i`, a state that the node writes. Requires that the operand is a mutable buffer.
  constexpr auto state(std::size_t i, std::string_view name) -> operand {
    const auto buffer = input(i, name);
    demand(buffer.kind == value_kind::mutable_buffer, name, " is not a variable tensor");
    return buffer;
  }

  /// Returns the elements of operand `i`. Requires that the operand is a constant of int32 or int64. Check `ok()` before reading the
  /// elements.
  constexpr auto constant_integers(std::size_t i, std::string_view name) -> known_sizes {
    if (!ok()) return {};
    const known_sizes numbers{i < record_.inputs.size ? known_integers::in(program_, program_.inputs(record_)[i]) : known_integers{}};
    demand(numbers.are_known, name, " is not a constant of int32 or int64");
    return numbers;
  }

  /// Returns the integer option `key`, or `absent` if the node does not have this option. Requires that the returned number is in [`min`,
  /// `max`].
  constexpr auto option(literal_name key, std::int64_t absent, std::int64_t min, std::int64_t max) -> std::int32_t {
    const auto value = program_.integer(record_, key, absent);
    return demand(value >= min && value <= max, key.text, " is ", value, ", not ", min, " to ", max) ? static_cast<std::int32_t>(value) : 1;
  }
  /// Returns the real option `key`, or `absent` if the node does not have this option. The option may also be an integer.
  constexpr auto real_option(literal_name key, double absent) -> double {
    const auto* attribute = program_.find(record_, key);
    const bool is_number = attribute == nullptr || attribute->kind == attribute_kind::real || attribute->kind == attribute_kind::integer;
    return demand(is_number, key.text, " is not a number") ? program_.real(record_, key, absent) : absent;
  }
  /// Returns the fused activation. Requires that `activation_of` knows the name of the activation.
  constexpr auto fused() -> quantized::activation {
    const auto name = program_.text(record_, "fused_activation_function", "none");
    const auto result = quantized::activation_of(name);
    demand(result != quantized::activation::unknown, "fused activation ", name, " is not supported");
    return result;
  }
  /// True if the padding is SAME. Requires that the padding is SAME or VALID.
  constexpr auto is_same_padding() -> bool {
    const auto name = program_.text(record_, "padding");
    demand(name == "same" || name == "valid", "padding is ", name, ", not same or valid");
    return name == "same";
  }

  /// Returns the node's padding: the attribute `pads` if the operator has this attribute, else SAME or VALID.
  constexpr auto padding() -> image_padding {
    if (!has_pads(record_)) {
      const axis_padding both{.is_same = is_same_padding()};
      return {both, both};
    }
    const auto pads = image_pads::of(program_, record_);
    demand(pads.is_valid, "pads is not a list of four numbers (top, left, bottom, right) from 0 to ", image_pads::max_pixels);
    return {{.before = pads.top, .after = pads.bottom}, {.before = pads.left, .after = pads.right}};
  }

  /// Returns the node's window along one axis. Requires that `out`, the size of the output, equals the size that the other arguments yield.
  constexpr auto axis(std::string_view name, const axis_padding& with, std::int32_t in, std::int32_t out, std::int32_t filter,
                      std::int32_t stride, std::int32_t dilation) -> window_axis {
    demand(filter_span(filter, dilation) <= max_bytes / 2, "filter ", name, " ", filter, " with dilation ", dilation, " is too large");
    const auto expected = with.is_ceil ? pooled_size(in, with.before, with.after, filter, stride, dilation, true)
                                       : window_size(with.is_same, std::int64_t{in} + with.before + with.after, filter, stride, dilation);
    if (!demand(out == expected, "output ", name, " is ", out, ", expected is ", expected)) return {};
    const auto before = with.is_same ? padding_before(in, out, filter, stride, dilation) : with.before;
    // If a filter has a single tap (a position in the window), its dilation has no effect. The dilation may be too large for products of
    // offsets, so 1 replaces the dilation.
    return {in, out, filter, stride, filter == 1 ? 1 : dilation, static_cast<std::int32_t>(before)};
  }
  constexpr auto axis(std::string_view name, bool is_same, std::int32_t in, std::int32_t out, std::int32_t filter, std::int32_t stride,
                      std::int32_t dilation) -> window_axis {
    return axis(name, axis_padding{.is_same = is_same}, in, out, filter, stride, dilation);
  }

  /// Returns the rounding of a node's quantized outputs. Operators of the namespace `baton` have the attribute `rounding`, "once" (the
  /// default) or "twice"; any other text is refused. All other operators round twice.
  constexpr auto rounding_rule() -> quantized::rounding {
    if (!program_.text(record_.target).starts_with("baton.")) return quantized::rounding::twice;
    const auto name = program_.text(record_, "rounding", "once");
    demand(name == "once" || name == "twice", "rounding is ", name, ", not once or twice");
    return name == "twice" ? quantized::rounding::twice : quantized::rounding::once;
  }
  /// True if the node has the attribute `output_min` or `output_max`.
  constexpr auto has_limits() const -> bool {
    return program_.find(record_, "output_min") != nullptr || program_.find(record_, "output_max") != nullptr;
  }
  /// Returns `range`, the range of the node's outputs, limited by the attributes `output_min` and `output_max`. Requires that the limited
  /// range is not empty.
  constexpr auto limited(quantized::bounds<std::int32_t> range) -> quantized::bounds<std::int32_t> {
    const quantized::bounds<std::int32_t> result{option("output_min", range.lower, INT32_MIN, INT32_MAX),
                                                 option("output_max", range.upper, INT32_MIN, INT32_MAX)};
    const quantized::bounds<std::int32_t> both{result.lower > range.lower ? result.lower : range.lower,
                                               result.upper < range.upper ? result.upper : range.upper};
    return demand(both.lower <= both.upper, "output_min and output_max allow no output: at least ", both.lower, ", at most ", both.upper)
               ? both
               : range;
  }

  /// Requires that the type of a tensor is one of `types`.
  constexpr void is_one_of(const operand& of, std::initializer_list<dtype> types, std::string_view name) {
    bool is_known = false;
    for (const auto type : types) is_known = is_known || type == of.type;
    demand(is_known, name, " is ", facts(of.type).name);
  }

  /// Requires that input and output have the same type.
  constexpr void same_type(const operand& in, const operand& out) {
    demand(in.type == out.type, "input is ", facts(in.type).name, ", output ", facts(out.type).name);
  }

  /// Returns the scale and zero point of a tensor. Requires one positive, finite scale, and a zero point in the type's range (`range_of`).
  constexpr auto per_tensor(const operand& of, std::string_view name) -> affine {
    if (!ok()) return {};
    const auto& quant = of.quant;
    const bool is_whole = quant.channels == 1 && quant.scales.size == 4 && (quant.zero_points.size == 0 || quant.zero_points.size == 8);
    if (!demand(is_whole, name, " has no quantization per tensor")) return {};
    const auto scale = program_.scale(quant);
    demand(scale > 0 && scale <= std::numeric_limits<float>::max(), name, " has a scale that is not positive and finite");
    const auto zero_point = program_.zero_point(quant);
    const auto range = range_of(of.type);
    if (!demand(zero_point >= range.lower && zero_point <= range.upper, name, " has zero point ", zero_point)) return {};
    return {scale, static_cast<std::int32_t>(zero_point)};
  }

  /// Returns the zero point of a tensor: the attribute `key`, or 0 if the node does not have this attribute. Use this function for a node
  /// whose requantization factors are operands or attributes. Requires that this zero point is in the range of the tensor's type
  /// (`range_of`), and equals the zero point of the tensor's quantization, if there is one.
  constexpr auto stated_zero_point(const operand& of, std::string_view name, literal_name key) -> std::int32_t {
    const auto range = range_of(of.type);
    const auto result = option(key, 0, range.lower, range.upper);
    if (!ok() || of.quant.channels == 0) return ok() ? result : 0;
    const auto zero_point = per_tensor(of, name).zero_point;
    demand(zero_point == result, key.text, " is ", result, ", but the quantization of the ", name, " has zero point ", zero_point);
    return result;
  }

  /// Requires equal zero points of two tensors, and scales that differ by at most 1e-6, as in TensorFlow Lite.
  constexpr void same_quantization(const operand& in, const operand& out) {
    const auto from = per_tensor(in, "input");
    const auto to = per_tensor(out, "output");
    demand(from.scale - to.scale <= 1e-6f && to.scale - from.scale <= 1e-6f, "scales of input and output differ");
    demand(from.zero_point == to.zero_point, "zero points of input and output differ: ", from.zero_point, " and ", to.zero_point);
  }

  /// Requires a constant with data for every element; a mutable buffer is not a constant.
  constexpr void constant_data(const operand& of, std::string_view name) {
    const bool is_constant = is_owned_data(of.kind) && of.kind != value_kind::mutable_buffer;
    const auto bytes = byte_count(of.type, of.shape);
    if (!ok() || (is_constant && of.data.size == bytes)) return;
    demand(!is_from_float16(of.id), name,
           " is dequantized from float16 and must be a constant of float32; leave the node to the portable kernels, or convert without "
           "float16");
    demand(false, name, " is not a constant of ", bytes, " bytes");
  }

  /// Requires that the weights are a constant with data for every element, an external constant, the output of a node, or a user input.
  constexpr void weights(const operand& of, std::string_view name) {
    if (is_owned_data(of.kind)) constant_data(of, name);
  }

  /// Requires a finite scale for each channel of a tensor's quantization (`quantization::channels`). The quantization must have no zero
  /// point, one, or one for each channel. Returns true if all requirements so far hold.
  constexpr auto finite_scales(const operand& of, std::string_view name) -> bool {
    if (!ok()) return false;
    const auto& quant = of.quant;
    const auto zeros = quant.zero_points.size;
    const bool is_valid =
        quant.scales.size == std::uint64_t{4} * quant.channels && (zeros == 0 || zeros == 8 || zeros == std::uint64_t{8} * quant.channels);
    if (!demand(is_valid, name, " has a damaged quantization")) return false;
    const char* const scales = program_.data(quant.scales).data();
    const char* const end = scales + quant.scales.size;
    const char* const wrong = first_not_finite(scales, end);
    return demand(wrong == end, name, " scale ", static_cast<std::size_t>(wrong - scales) / 4, " is not finite");
  }

  /// Requires symmetric quantization of weights: one scale, or one for each of `channels` channels along axis `along`. Scales must be
  /// finite, but may be negative; zero points must be 0.
  constexpr void symmetric_weights(const operand& of, std::int32_t channels, std::int32_t along) {
    if (!ok()) return;
    const auto& quant = of.quant;
    const bool fits = quant.channels == 1 || (quant.channels == static_cast<std::uint32_t>(channels) && quant.axis == along);
    if (!demand(fits, "filter has ", quant.channels, " scales along axis ", quant.axis, " for ", channels, " channels along axis ", along))
      return;
    if (!finite_scales(of, "filter")) return;
    const auto zero_points = program_.data(quant.zero_points);
    if (are_zero(zero_points)) return;
    for (std::size_t at = 0; at + 8 <= zero_points.size(); at += 8) {
      demand(are_zero(zero_points.subspan(at, 8)), "filter zero point ", at / 8, " is not 0");
    }
  }

 private:
  /// True if the value is the output of a `tfl.dequantize` of a float16 constant. Converters store weights in this form to halve the size
  /// of the weights.
  constexpr auto is_from_float16(value_id id) const -> bool {
    const auto producer = producer_of(program_, id);
    if (producer == none<node_id> || !program_[producer].is("tfl.dequantize") || program_[producer].inputs.size != 1) return false;
    const auto from = program_.inputs(program_[producer])[0];
    return from != none<value_id> && program_[from].type == dtype::float16 && is_owned_data(program_[from].kind);
  }

  static constexpr auto id_at(span<const value_id> ids, std::size_t i) -> value_id { return i < ids.size() ? ids[i] : none<value_id>; }
  constexpr auto read(value_id id, std::string_view name, std::size_t rank, bool may_be_empty = false) -> operand {
    if (!demand(index(id) < program_.values.size(), name, " is missing")) return {};
    const auto& record = program_[id];
    const auto shape = program_.integer_list(record.shape);
    if (!demand(rank == 0 || shape.size() == rank, name, " has rank ", shape.size(), ", not ", rank)) return {};
    // Type inference does not support higher ranks, so the output's type could not be checked.
    if (!demand(shape.size() <= tensor_type::max_rank, name, " has rank ", shape.size(), "; the maximum is ", tensor_type::max_rank))
      return {};
    const auto bytes = byte_count(record.type, shape);
    const bool has_size = may_be_empty && bytes == 0 ? has_small_extent(record.type, shape) : bytes > 0 && bytes <= max_bytes;
    if (!demand(has_size, name, " is empty, of unknown size or over ", max_bytes, " bytes")) return {};
    const auto count = element_count(shape);  // may exceed `max_bytes` if an element has less than a byte
    if (!demand(count <= INT32_MAX, name, " has ", count, " elements; the maximum is ", INT32_MAX)) return {};
    return {record.type, record.kind, shape, static_cast<std::int32_t>(count), record.quant, record.data, id};
  }

  /// True if the strides of a tensor without elements fit int32. For this check, a size of 0 counts as 1.
  static constexpr auto has_small_extent(dtype type, span<const std::int64_t> shape) -> bool {
    std::int64_t extent = facts(type).bits < 8 ? 8 : facts(type).bits;
    for (const auto size : shape) {
      if (size > max_bytes || extent > 8 * max_bytes) return false;
      extent *= size == 0 ? 1 : size;
    }
    return extent <= 8 * max_bytes;
  }

  const program_view& program_;
  const node& record_;
  verdict verdict_ = accept();
};

}  // namespace baton::portable
