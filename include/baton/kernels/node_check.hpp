// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel demands of a node before it relies on it: operands, sizes, quantization and options, whatever a damaged model holds.
#pragma once

#include <baton/core/program.hpp>
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

/// The largest operand in bytes: positions, and sums of a few of them, stay inside int32.
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 30;

namespace detail {
inline constexpr std::array<std::int64_t, 8> ones{1, 1, 1, 1, 1, 1, 1, 1};
}

/// An operand that is there and has a fixed size. The default stands for one that failed: arithmetic on it does no harm.
struct operand {
  dtype type = dtype::float32;
  value_kind kind = value_kind::intermediate;
  span<const std::int64_t> shape = detail::ones;
  std::int32_t count = 1;  ///< elements
  quantization quant{};
  byte_ref data{};
  value_id id = none<value_id>;

  constexpr auto size(std::size_t axis) const -> std::int32_t { return static_cast<std::int32_t>(shape[axis]); }
  constexpr auto last() const -> std::int32_t { return shape.empty() ? 1 : static_cast<std::int32_t>(shape.back()); }
  constexpr auto is_float() const -> bool { return type == dtype::float32; }
  constexpr auto is_int8() const -> bool { return type == dtype::int8; }
};

/// The numbers of a quantized type: of int16 and uint8 theirs, of all others those of int8.
constexpr auto range_of(dtype type) -> bounds<std::int32_t> {
  if (type == dtype::uint8) return {0, 255};
  return type == dtype::int16 ? bounds<std::int32_t>{-32768, 32767} : bounds<std::int32_t>{-128, 127};
}

/// The scale and zero point of a tensor that has one of each.
struct affine {
  float scale = 1;
  std::int32_t zero_point = 0;
};

/// Collects what a kernel demands of a node; the first demand that does not hold is the reason of the verdict.
/// After it every reading gives something harmless, so that a description is written as a straight line and asked once.
class node_check {
 public:
  constexpr node_check(const program_view& program, const node& record) : program_(program), record_(record) {}

  /// Notes a demand; says whether all demands so far hold.
  template <class... Parts>
  constexpr auto demand(bool holds, Parts... reason) -> bool {
    if (found_.accepted && !holds) found_ = refuse(reason...);
    return found_.accepted;
  }
  constexpr auto ok() const -> bool { return found_.accepted; }
  constexpr auto verdict_so_far() -> verdict { return std::move(found_); }

  /// Demands what the operator's definition says: the operands that are needed, outputs of the types and shapes that follow from them, and
  /// so many outputs. Every size is then one that `operators/` allows; what a kernel has no form for is left to the kernel. If an operator
  /// is not defined, by the program or the library, or has no rule of inference, only the outputs are counted.
  constexpr void conforms(std::size_t outputs = 1) {
    if (!demand(record_.outputs.size == outputs, "the operator has ", record_.outputs.size, " outputs")) return;
    for (const auto id : program_.inputs(record_)) {
      const bool is_there = id == none<value_id> || index(id) < program_.values.size();
      if (!demand(is_there, "an operand is missing")) return;
    }
    const auto inferred = infer(program_, record_);
    if (!inferred) {
      found_ = refuse(view(inferred.error.reason));
      return;
    }
    const auto made = program_.outputs_of(record_);
    for (std::size_t i = 0; i < inferred.value.size(); ++i) {
      const auto& type = inferred.value[i];
      const auto& stated = program_[made[i]];
      demand(!type.has_type || type.type == stated.type, "output is ", facts(stated.type).name, ", it follows ", facts(type.type).name);
      demand(!type.has_shape || is_shape_like(type.shape.view(), program_.shape(made[i])), "output has another shape than follows");
      demand(byte_count(stated.type, program_.shape(made[i])) >= 0, "output is of unknown size");
    }
  }

  /// Demands a number of operands, counting those left out, and one output.
  constexpr void counts(std::uint32_t least, std::uint32_t most) {
    demand(record_.inputs.size >= least && record_.inputs.size <= most, "the operator has ", record_.inputs.size, " operands");
    demand(record_.outputs.size == 1, "the operator has ", record_.outputs.size, " outputs");
  }

  /// Whether an operand that may be left out is there.
  constexpr auto has_input(std::size_t i) const -> bool {
    return ok() && i < record_.inputs.size && program_.inputs(record_)[i] != none<value_id>;
  }
  /// Operand `i`, of that rank (0: any).
  constexpr auto input(std::size_t i, std::string_view what, std::size_t rank = 0) -> operand {
    return ok() ? read(id_at(program_.inputs(record_), i), what, rank) : operand{};
  }
  /// The same; a dimension may have size 0. All other readings refuse operands without elements, so that sizes are divisors.
  constexpr auto input_or_empty(std::size_t i, std::string_view what) -> operand {
    return ok() ? read(id_at(program_.inputs(record_), i), what, 0, true) : operand{};
  }
  constexpr auto output(std::size_t rank = 0) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), 0), "output", rank) : operand{};
  }
  /// Output `i` of several.
  constexpr auto output_at(std::size_t i) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), i), "output", 0) : operand{};
  }
  /// The same; a dimension may have size 0.
  constexpr auto output_or_empty_at(std::size_t i) -> operand {
    return ok() ? read(id_at(program_.outputs_of(record_), i), "output", 0, true) : operand{};
  }

  /// Operand `i`, a mutable buffer that the node writes.
  constexpr auto state(std::size_t i, std::string_view what) -> operand {
    const auto found = input(i, what);
    demand(found.kind == value_kind::mutable_buffer, what, " is no variable tensor");
    return found;
  }

  /// The numbers of operand `i`; demands that they are constant. Ask the check before reading them.
  constexpr auto constant_integers(std::size_t i, std::string_view what) -> known_sizes {
    if (!ok()) return {};
    const known_sizes found{i < record_.inputs.size ? known_integers::in(program_, program_.inputs(record_)[i]) : known_integers{}};
    demand(found.are_known, what, " is no constant of int32 or int64");
    return found;
  }

  /// An integer option between `least` and `most`.
  constexpr auto option(literal_name key, std::int64_t absent, std::int64_t least, std::int64_t most) -> std::int32_t {
    const auto given = program_.integer(record_, key, absent);
    return demand(given >= least && given <= most, key.text, " is ", given) ? static_cast<std::int32_t>(given) : 1;
  }
  /// A real option, or the given number where it is left out. An integer is a real number, too.
  constexpr auto real_option(literal_name key, double absent) -> double {
    const auto* given = program_.find(record_, key);
    const bool is_number = given == nullptr || given->kind == attribute_kind::real || given->kind == attribute_kind::integer;
    return demand(is_number, key.text, " is no number") ? program_.real(record_, key, absent) : absent;
  }
  /// The fused activation.
  constexpr auto fused() -> activation {
    const auto name = program_.text(record_, "fused_activation_function", "none");
    const auto found = activation_of(name);
    demand(found != activation::unknown, "fused activation ", name);
    return found;
  }
  /// Whether padding is SAME; demands that it is that or VALID.
  constexpr auto is_same_padding() -> bool {
    const auto name = program_.text(record_, "padding");
    demand(name == "same" || name == "valid", "padding is ", name);
    return name == "same";
  }

  /// An axis of the node's window; demands that the output has the size that follows.
  constexpr auto axis(std::string_view what, bool is_same, std::int32_t in, std::int32_t out, std::int32_t filter, std::int32_t stride,
                      std::int32_t dilation) -> window_axis {
    demand(filter_span(filter, dilation) <= max_bytes / 2, "filter ", what, " ", filter, " with dilation ", dilation);
    const auto expected = window_size(is_same, in, filter, stride, dilation);
    if (!demand(out == expected, "output ", what, " is ", out, ", geometry gives ", expected)) return {};
    return {in, out, filter, stride, dilation, static_cast<std::int32_t>(padding_before(in, out, filter, stride, dilation))};
  }

  /// Demands that a tensor's type is one of a kernel's.
  constexpr void is_one_of(const operand& of, std::initializer_list<dtype> types, std::string_view what) {
    bool is_known = false;
    for (const auto type : types) is_known = is_known || type == of.type;
    demand(is_known, what, " is ", facts(of.type).name);
  }

  /// Demands an output of the input's type.
  constexpr void same_type(const operand& in, const operand& out) {
    demand(in.type == out.type, "input is ", facts(in.type).name, ", output ", facts(out.type).name);
  }

  /// Demands one usable scale and a zero point in the range of the tensor's type (int8, uint8, int16; of others, of int8), and gives them.
  constexpr auto per_tensor(const operand& of, std::string_view what) -> affine {
    if (!ok()) return {};
    const auto& quant = of.quant;
    const bool is_there = quant.channels == 1 && quant.scales.size == 4 && (quant.zero_points.size == 0 || quant.zero_points.size == 8);
    if (!demand(is_there, what, " has no quantization per tensor")) return {};
    const auto scale = program_.scale(quant);
    demand(scale > 0 && scale <= std::numeric_limits<float>::max(), what, " has a scale that is not positive and finite");
    const auto zero_point = program_.zero_point(quant);
    const auto range = range_of(of.type);
    if (!demand(zero_point >= range.lower && zero_point <= range.upper, what, " has zero point ", zero_point)) return {};
    return {scale, static_cast<std::int32_t>(zero_point)};
  }

  /// Demands that two quantized tensors mean the same by the same number; scales may differ by what TensorFlow Lite lets pass (1e-6).
  constexpr void same_quantization(const operand& in, const operand& out) {
    const auto from = per_tensor(in, "input");
    const auto to = per_tensor(out, "output");
    demand(from.scale - to.scale <= 1e-6f && to.scale - from.scale <= 1e-6f, "scales of input and output differ");
    demand(from.zero_point == to.zero_point, "zero point ", from.zero_point, " becomes ", to.zero_point);
  }

  /// Demands data that never changes and is wholly there.
  constexpr void constant_data(const operand& of, std::string_view what) {
    const bool is_constant = is_owned_data(of.kind) && of.kind != value_kind::mutable_buffer;
    const auto bytes = byte_count(of.type, of.shape);
    if (!ok() || (is_constant && of.data.size == bytes)) return;
    demand(!is_from_float16(of.id), what,
           " is dequantized from float16 and must be a constant of float32; leave the node to the portable kernels, or convert without "
           "float16");
    demand(false, what, " is no constant of ", bytes, " bytes");
  }

  /// Demands complete weights: a constant, the output of a node, or a user input.
  constexpr void weights(const operand& of, std::string_view what) {
    if (is_owned_data(of.kind)) constant_data(of, what);
  }

  /// Demands a finite scale for each channel that a tensor states, and zero points for none, one or all of them.
  constexpr auto finite_scales(const operand& of, std::string_view what) -> bool {
    if (!ok()) return false;
    const auto& quant = of.quant;
    const auto zeros = quant.zero_points.size;
    const bool is_valid =
        quant.scales.size == std::uint64_t{4} * quant.channels && (zeros == 0 || zeros == 8 || zeros == std::uint64_t{8} * quant.channels);
    if (!demand(is_valid, what, " has a damaged quantization")) return false;
    const char* const scales = program_.data(quant.scales).data();
    const char* const end = scales + quant.scales.size;
    const char* const wrong = first_not_finite(scales, end);
    return demand(wrong == end, what, " scale ", static_cast<std::size_t>(wrong - scales) / 4, " is not finite");
  }

  /// Demands symmetric int8 weights: one scale, or one for each of `channels` along `axis`; every scale finite, zero points 0. Scales may
  /// be negative.
  constexpr void symmetric_weights(const operand& of, std::int32_t channels, std::int32_t along) {
    if (!ok()) return;
    const auto& quant = of.quant;
    const bool fits = quant.channels == 1 || (quant.channels == static_cast<std::uint32_t>(channels) && quant.axis == along);
    if (!demand(fits, "filter has ", quant.channels, " scales along axis ", quant.axis, " for ", channels, " channels along axis ", along))
      return;
    if (!finite_scales(of, "filter")) return;
    const auto zero_points = program_.data(quant.zero_points);
    for (std::size_t i = 0; i < zero_points.size(); i += 8) {
      if (!are_zero(zero_points.data() + i)) demand(false, "filter zero point ", i / 8, " is not 0");
    }
  }

 private:
  /// Whether a node computes the value from a float16 constant; converters store weights so, to halve their size.
  constexpr auto is_from_float16(value_id id) const -> bool {
    const auto producer = producer_of(program_, id);
    if (producer == none<node_id> || !program_[producer].is("tfl.dequantize") || program_[producer].inputs.size != 1) return false;
    const auto from = program_.inputs(program_[producer])[0];
    return from != none<value_id> && program_[from].type == dtype::float16 && is_owned_data(program_[from].kind);
  }

  // A thousand channels must cost little in a constant: each check is one statement.
  static constexpr auto are_zero(const char* at) -> bool { return (at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7]) == 0; }

  static constexpr auto id_at(span<const value_id> ids, std::size_t i) -> value_id { return i < ids.size() ? ids[i] : none<value_id>; }
  constexpr auto read(value_id id, std::string_view what, std::size_t rank, bool may_be_empty = false) -> operand {
    if (!demand(index(id) < program_.values.size(), what, " is missing")) return {};
    const auto& record = program_[id];
    const auto shape = program_.integer_list(record.shape);
    if (!demand(rank == 0 || shape.size() == rank, what, " has rank ", shape.size(), ", not ", rank)) return {};
    // Of more dimensions nothing is inferred, so that nothing would be known of the output.
    if (!demand(shape.size() <= tensor_type::max_rank, what, " has rank ", shape.size())) return {};
    const auto bytes = byte_count(record.type, shape);
    const bool has_size = may_be_empty && bytes == 0 ? has_small_extent(record.type, shape) : bytes > 0 && bytes <= max_bytes;
    if (!demand(has_size, what, " is empty, of unknown size or over ", max_bytes, " bytes")) return {};
    return {record.type, record.kind, shape, static_cast<std::int32_t>(element_count(shape)), record.quant, record.data, id};
  }

  /// Whether strides of a tensor without elements stay inside int32: sizes of 0 count as 1.
  static constexpr auto has_small_extent(dtype type, span<const std::int64_t> shape) -> bool {
    std::int64_t extent = facts(type).bits;
    for (const auto size : shape) {
      if (size > max_bytes || extent > 8 * max_bytes) return false;
      extent *= size == 0 ? 1 : size;
    }
    return extent <= 8 * max_bytes;
  }

  const program_view& program_;
  const node& record_;
  verdict found_ = accept();
};

}  // namespace baton::portable
