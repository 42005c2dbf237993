// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that folds a padding node into the convolution that uses its output.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// One spatial axis of a convolution whose operand is padded.
struct padded_axis {
  std::int64_t size = 0;  ///< the size of the image without the padding
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t filter = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;

  /// True if SAME padding of the original axis yields the same windows as VALID padding of the padded axis. The number of windows and the
  /// position of the first window must be equal.
  constexpr auto is_same_padding() const -> bool {
    constexpr std::int64_t max_size = 1 << 24;  // prevents overflow
    const bool is_valid = size > 0 && before >= 0 && after >= 0 && filter > 0 && stride > 0 && dilation > 0 && size < max_size &&
                          before < max_size && after < max_size && filter < max_size && stride < max_size && dilation < max_size;
    if (!is_valid) return false;
    const auto windows = window_size(true, size, filter, stride, dilation);
    return window_size(false, size + before + after, filter, stride, dilation) == windows &&
           padding_before(size, windows, filter, stride, dilation) == before;
  }
};

/// True if `record`, the node that produces `padded`, pads with the number that represents zero: 0 for float32, else the zero point.
/// `tfl.pad` always pads with this number (kernels/pad.cc). `tfl.padv2` pads with `pad_value`, which must be a constant that equals this
/// number. Returns true only for float32, and for int8, uint8 and int16 with one scale.
constexpr auto pads_with_zero(const program_view& program, const node& record, value_id padded, value_id pad_value) -> bool {
  const auto& padded_record = program[padded];
  if (padded_record.type != dtype::float32 &&
      (padded_record.quant.channels != 1 ||
       (padded_record.type != dtype::int8 && padded_record.type != dtype::uint8 && padded_record.type != dtype::int16))) {
    return false;
  }
  if (record.is("tfl.pad")) return true;
  if (pad_value == none<value_id> || !is_owned_data(program[pad_value].kind) || program[pad_value].kind == value_kind::mutable_buffer)
    return false;
  const auto bytes = program.data(program[pad_value].data);
  if (program[pad_value].type != padded_record.type || element_count(program.shape(pad_value)) != 1 ||
      static_cast<std::int64_t>(bytes.size()) != byte_count(padded_record.type, program.shape(pad_value))) {
    return false;
  }
  const auto zero = padded_record.type == dtype::float32 ? 0 : static_cast<std::uint64_t>(program.zero_point(padded_record.quant));
  for (std::size_t b = 0; b < bytes.size(); ++b) {
    if (static_cast<unsigned char>(bytes[b]) != (zero >> (8 * b) & 0xff)) return false;
  }
  return true;
}

}  // namespace detail

/// A pass that folds a padding node (`tfl.pad` or `tfl.padv2`) into the convolution that is the only user of the node's output. The padding
/// node must pad only height and width, and only with zeros (for quantized values, with the zero point). SAME padding of the convolution
/// must have the same result. The convolution is a `tfl.conv_2d` or `tfl.depthwise_conv_2d` with VALID padding. Both nodes stay if SAME
/// would move the windows. For example, let the filter have size 3, the stride be 2, and the image have an even size. SAME then pads only
/// after the image, so a padding of 1 on each side stays. Both nodes also stay if their tags differ. They also stay if the operand of the
/// padding node is a mutable buffer, which keeps its value from run to run. Such a buffer may be written between the two nodes. The
/// convolution keeps its debug handle, the number that identifies a node of the model. The debug handle of the padding node becomes a
/// folded handle of the convolution, because the padding node is merged into the convolution. In float32, the output is bit-exact only if
/// the weights are finite, because with SAME, a window at the border omits the products with zero.
struct fold_padding {
  static constexpr std::string_view name = "fold_padding";
  static constexpr bool rarely_grows = true;

  /// True if the program has a `tfl.pad` or `tfl.padv2`. The pass may still return the program unchanged.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      if (record.is("tfl.pad") || record.is("tfl.padv2")) return true;
    }
    return false;
  }
  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      if (!change[id].is("tfl.conv_2d") && !change[id].is("tfl.depthwise_conv_2d")) continue;
      const auto padding = change.producer_of(change.input(id, 0));
      if (padding == none<node_id> || !can_fold(change, padding, id)) continue;
      const auto image = change.input(padding, 0);
      change.set_input(id, 0, image);
      change.set_attribute(id, {"padding", "same"});
    }
    return change.finish();
  }

 private:
  static constexpr auto can_fold(rewriter& change, node_id padding, node_id user) -> bool {
    const auto program = change.program();
    const auto& record = program[padding];
    const auto in = change.input(padding, 0), padded = change.output(padding), filter = change.input(user, 1);
    if ((!record.is("tfl.pad") && !record.is("tfl.padv2")) || program.text(program[user], "padding") != "valid" ||
        record.tag != program[user].tag || padded == none<value_id> || in == none<value_id> || filter == none<value_id> ||
        change.uses_of(padded) != 1 || change.is_output(padded)) {
      return false;
    }
    if (program[in].kind == value_kind::mutable_buffer) return false;  // may be written before the convolution runs
    const auto sizes = known_integers::in(program, change.input(padding, 1));
    const auto shape = program.shape(in), weights = program.shape(filter);
    const bool is_image = shape.size() == 4 && weights.size() == 4 && sizes.count == 8 && program[in].type == program[padded].type &&
                          is_same_quantization(program, in, padded) &&
                          detail::pads_with_zero(program, record, padded, change.input(padding, 2));
    if (!is_image || sizes[0] != 0 || sizes[1] != 0 || sizes[6] != 0 || sizes[7] != 0) return false;
    const auto option = [&](literal_name key) { return program.integer(program[user], key, 1); };
    const detail::padded_axis height{shape[1], sizes[2], sizes[3], weights[1], option("stride_h"), option("dilation_h_factor")};
    const detail::padded_axis width{shape[2], sizes[4], sizes[5], weights[2], option("stride_w"), option("dilation_w_factor")};
    return height.is_same_padding() && width.is_same_padding();
  }
};
static_assert(pass<fold_padding>);

}  // namespace baton
