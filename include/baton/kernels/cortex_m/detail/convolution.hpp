// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an int8 convolution on a Cortex-M: its geometry, and a scaling of its sums (`sum_encoding`) that is proved not to overflow.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/shifts_in_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m::detail {

using portable::flag;

/// The number of products of a segment (see `streams.hpp`); the last segment may be smaller. A segment has 36 groups of eight products. The
/// number of groups per loop iteration must divide 36 and the layer's number of groups. 36 is a multiple of 9, so a loop can have several
/// groups per iteration if windows are 3 × 3 and the number of input channels is a multiple of eight.
inline constexpr std::int32_t segment_products = 288;
static_assert(segment_products <= max_segment_products && segment_products % 8 == 0);

// The sizes of the data of `convolution_windows.hpp`.
inline constexpr std::int32_t window_words = 5;          ///< words of a packed window
inline constexpr std::int32_t window_channel_words = 8;  ///< words of a channel in the stream of packed constants (`streams.hpp`)
inline constexpr std::int32_t window_block = 24;         ///< the maximum number of windows that are packed at a time
inline constexpr std::int32_t window_patch_bytes = 12;   ///< size of a copied window, in bytes: three rows of four bytes

/// The scaling and requantization of a layer's sums.
struct sum_encoding {
  flag is_wide = 0;        ///< whether weights are multiplied by a power of two and stored in 16 bits; if 0, weights are packed
                           ///< (`streams.hpp`)
  flag is_segmented = 0;   ///< whether the products of packed weights are summed in segments of `segment_products`
  std::int32_t scale = 0;  ///< log2 of the scale of the sums; if 0, each channel has the scale that leads to the common `shift`
  std::int32_t shift = 0;  ///< `scaled_requantization::shift` if all channels share it; if 0, each channel has its own
  flag corrects_ties = 0;  ///< whether negative sums need the correction (`correction_of`)
  /// Whether the stream omits two kinds of words: the shifts, and the weights that only pad the products to a multiple of
  /// `convolution::block`. The low byte of each sum is then the shift (`shifts_in_sums.hpp`). This encoding requires
  /// `optimize_for::code_size`, and packed weights without segments.
  flag is_compact = 0;
  /// Whether windows are packed before channels are computed (`convolution_windows.hpp`). This encoding requires
  /// `convolution::has_windows()`, wide weights, a common shift, and outputs that need no clamp.
  flag is_by_windows = 0;

  constexpr auto is_found() const -> bool { return scale != 0 || shift != 0; }
};

/// The geometry of a convolution, and the encoding of its sums. The type is structural, so that equal layers share their code.
struct convolution {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t out_channels = 1;
  portable::window_axis rows{};
  portable::window_axis columns{};
  std::int32_t row_pixels = 1;  ///< output pixels of an image row, even if all pixels are joined into one row of `columns.output` pixels
  std::int32_t input_zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;
  std::int32_t block = 4;  ///< the number of products per output is rounded up to a multiple of `block`
  /// Whether the inputs of each pixel are gathered from the image, with zero points for inputs in the padding. A gathered layer has no
  /// strip (see `has_strip`).
  portable::flag is_gathered = 0;
  sum_encoding encoding{};

  constexpr auto run() const -> std::int32_t { return columns.filter * in_channels; }  ///< products per filter row
  constexpr auto products() const -> std::int32_t { return rows.filter * run(); }
  constexpr auto depth() const -> std::int32_t { return (products() + block - 1) / block * block; }  ///< products per output, rounded up
  constexpr auto pixels() const -> std::int32_t { return batches * rows.output * columns.output; }
  constexpr auto pairs() const -> std::int32_t { return (out_channels + 1) / 2; }  ///< pairs of output channels
  /// Returns the number of pairs of output channels of a chunk (see `kernel_facts::chunks`). A chunk has two pixels. If `has_windows()`, a
  /// chunk has all channels, because packed windows may then compute the layer.
  constexpr auto pairs_of_chunk() const -> std::int32_t { return has_windows() ? pairs() : 1; }

  /// Returns the number of products, 0 or 4, that have no weight in a compact stream (`sum_encoding::is_compact`). These products come
  /// first, and their inputs are 0.
  constexpr auto skipped() const -> std::int32_t {
    const auto weights = has_runs() ? rows.filter * whole_run() : (products() + 3) / 4 * 4;
    return encoding.is_compact != 0 ? depth() - weights : 0;
  }

  /// True if packed windows (`convolution_windows.hpp`) can compute the layer, and packing is worthwhile. The layer must not be gathered
  /// (`is_gathered`), and windows must have 3 × 3 inputs of one channel without column dilation. The column stride and the number of output
  /// channels must fit the immediate offset of a load or a store. Windows that extend into the padding are copied, so packing them is
  /// faster only if a row has enough outputs. Packing was slower with 64 outputs per row, and a quarter faster with 384.
  constexpr auto has_windows() const -> bool {
    const bool is_worthwhile = is_inside() || columns.output * out_channels >= 96;
    return is_gathered == 0 && in_channels == 1 && rows.filter == 3 && columns.filter == 3 && columns.dilation == 1 &&
           columns.stride < 256 && out_channels < 256 && is_worthwhile;
  }

  /// True if no window extends beyond the image into the padding.
  constexpr auto is_inside() const -> bool { return !rows.has_padding() && !columns.has_padding(); }
  constexpr auto whole_run() const -> std::int32_t { return (run() + 3) / 4 * 4; }  ///< `run()` rounded up to whole words
  /// True if the inputs of each filter row are read from the image or the strip in place, rounded up to whole words. This requires that the
  /// inputs of a filter row are contiguous, and that all rounded filter rows together have at most `depth()` inputs. The weights of the
  /// additional inputs are 0. If false, the inputs of an output pixel are first copied to a patch.
  constexpr auto has_runs() const -> bool { return is_gathered == 0 && columns.dilation == 1 && rows.filter * whole_run() <= depth(); }
  /// Returns the number of bytes that are read past the last input of a filter row.
  constexpr auto overread() const -> std::int32_t { return has_runs() ? whole_run() - run() : 0; }
  /// Returns the size of the patch (the copied inputs of one output pixel), in bytes. Returns 0 if `has_runs()`.
  constexpr auto patch() const -> std::int32_t { return has_runs() ? 0 : depth(); }

  // If windows extend into the padding and the layer is not gathered, the input rows that windows cover are copied to a strip. The strip
  // also contains the padding.
  constexpr auto has_strip() const -> bool { return !is_inside() && is_gathered == 0; }
  /// Returns the number of input rows, or columns, from the first to the last tap of a window.
  static constexpr auto span_of(const portable::window_axis& axis) -> std::int32_t { return (axis.filter - 1) * axis.dilation + 1; }
  /// Returns the number of rows of the strip, or 0 if there is no strip. The strip holds the input rows of one output row, or of two output
  /// rows if a pair of pixels can be in different rows.
  constexpr auto strip_rows() const -> std::int32_t {
    if (!has_strip()) return 0;
    return span_of(rows) + (columns.output % 2 != 0 && rows.output > 1 ? rows.stride : 0);
  }
  constexpr auto strip_columns() const -> std::int32_t { return (columns.output - 1) * columns.stride + span_of(columns); }
  /// Returns the row stride of the memory from which windows are read (the strip or the image), in bytes.
  constexpr auto pitch() const -> std::int32_t { return (has_strip() ? strip_columns() : columns.input) * in_channels; }
  constexpr auto strip_bytes() const -> std::int32_t { return strip_rows() * pitch(); }

  /// Returns the number of words that hold the inputs of two pixels, expanded to 16 bits. Scratch holds these words, then two patches, then
  /// the strip and the bytes that are read past the end of the strip.
  constexpr auto expanded_words() const -> std::int32_t { return depth(); }
  /// Returns the size of scratch, in bytes. For pairs of pixels, scratch has the layout that `expanded_words` describes. For packed
  /// windows, scratch holds up to `window_block` packed windows, a copied window, and a row of zero points if there is padding above or
  /// below the image. If `has_windows()`, returns the larger of the two sizes, because `encoding` is not known when memory is planned.
  constexpr auto scratch_bytes() const -> std::int32_t {
    const auto pairs = 4 * expanded_words() + 2 * patch() + (has_strip() ? strip_bytes() + overread() : 0);
    if (!has_windows()) return pairs;
    const auto windows = 4 * window_words * std::min(window_block, columns.output) + window_patch_bytes;
    return std::max(pairs, windows + (rows.has_padding() ? columns.input : 0));
  }

  /// Returns the number of words of a pair of output channels in the stream. The pair has two initial sums, the weights with alternating
  /// words of the two channels, and then the multiplier, offset and shift of each channel. A compact stream lacks the shifts. With packed
  /// windows (`sum_encoding::is_by_windows`), each channel has `window_channel_words` words instead.
  constexpr auto pair_words() const -> std::int32_t {
    if (encoding.is_by_windows != 0) return 2 * window_channel_words;
    return 2 + 2 * rule_words() + (encoding.is_wide != 0 ? depth() : (depth() - skipped()) / 2);
  }
  /// Returns the number of words that follow the weights of a pair, for each of its two channels.
  constexpr auto rule_words() const -> std::int32_t { return encoding.is_compact != 0 ? 2 : 3; }
};
static_assert(portable::has_no_padding<convolution>);

/// The address and layout of a convolution's weights, and the multipliers and biases of its channels.
struct convolution_data {
  const char* weights = nullptr;
  std::int32_t channel_step = 1;  ///< distance between the weights of adjacent output channels, in bytes
  std::int32_t product_step = 1;  ///< distance between adjacent weights of an output channel, in bytes
  channel_numbers numbers{};

  constexpr auto bias_of(std::int32_t channel) const -> std::int32_t { return numbers.bias_of(static_cast<std::size_t>(channel)); }
  constexpr auto weights_of(std::int32_t channel) const -> const char* { return weights + channel * channel_step; }
};

/// The requantization of a channel and the bounds of its sums.
struct channel_facts {
  channel_requantization rule{};
  quantized::bounds<std::int64_t> sums{};
  std::int32_t constant = varies;  ///< the output if it is the same for all inputs, else `varies`

  constexpr auto fits(std::int32_t scale, bool corrects_ties) const -> bool {
    return constant != varies || ((rule.right > 0 || !corrects_ties) && fits_scaled(sums, rule, scale));
  }
};

// The maximum number of weights of a layer that `choose_encoding` and `safe_encoding` read to narrow the bounds of the layer's sums. The
// limit of `safe_encoding` is lower, because one constant expression may call it for all layers of a program.
inline constexpr std::int64_t max_weights_read = 131072;
inline constexpr std::int64_t max_weights_read_by_safe_encoding = 8192;
/// The maximum number of channels of a compact stream. Each channel takes about 700 of Clang's constexpr steps.
inline constexpr std::int32_t max_compact_channels = 512;

/// A convolution and its channels. The bounds of a channel's sums hold for arbitrary weights until `read` narrows them.
struct convolution_facts {
  convolution plan{};
  convolution_data data{};
  vector<channel_facts> channels{};
  std::int64_t read_budget = 0;  ///< the number of weights that later calls of `read` may read in total

  /// Narrows the bounds of a channel's sums by reading its weights. Reads no weights if the current bounds already prove that the output is
  /// constant, or if `read_budget` is too small. Narrow bounds often prove that an output is constant. For example, no input changes the
  /// output if the channel's weights are near 0 after training and its bias is far outside the range.
  constexpr void read(std::int32_t channel) {
    auto& entry = channels[static_cast<std::size_t>(channel)];
    entry.constant = constant_output(entry.sums, entry.rule);
    if (entry.constant != varies || read_budget < plan.products()) return;
    read_budget -= plan.products();
    entry.sums =
        sum_bounds(data.bias_of(channel), sum_weights(data.weights_of(channel), plan.products(), data.product_step), plan.input_zero_point);
    entry.constant = constant_output(entry.sums, entry.rule);
  }
  constexpr auto corrects_ties() const -> bool { return !channels[0].rule.hides_negative_rounding(); }

  constexpr auto all_fit(std::int32_t scale) const -> bool {
    const auto corrected = corrects_ties();
    return std::all_of(channels.begin(), channels.end(), [&](const auto& each) { return each.fits(scale, corrected); });
  }
  /// True if every constant output, multiplied by 2^`shift`, fits 32 bits. Outputs are int8 numbers, so each fits if `shift` is below 24.
  /// For a shift of 24 or more, returns true only if no channel has a constant output.
  constexpr auto constants_fit(std::int32_t shift) const -> bool {
    return shift < 24 || std::all_of(channels.begin(), channels.end(), [](const auto& each) { return each.constant == varies; });
  }
  /// Returns the shift that all channels share if all sums are scaled by 2^`scale`. Returns 0 if the shifts differ, or if `constants_fit`
  /// is false for the shift.
  constexpr auto shift_at(std::int32_t scale) const -> std::int32_t {
    std::int32_t shift = 0;
    for (const auto& each : channels) {
      if (each.constant != varies) continue;
      const auto own = each.rule.right + scale - 1;
      if (shift != 0 && own != shift) return 0;
      shift = own;
    }
    return constants_fit(shift) ? shift : 0;
  }
  /// Returns a shift that all channels share if each channel has its own scale. Tries only one shift: the largest shift that any channel
  /// has if all sums are scaled by 2^2. Returns 0 if a channel needs a scale above 2^8 for this shift, or if its sums do not fit at its
  /// scale. Also returns 0 if `constants_fit` is false for this shift.
  constexpr auto common_shift() const -> std::int32_t {
    std::int32_t shift = 1;
    for (const auto& each : channels) {
      if (each.constant == varies && each.rule.right + 1 > shift) shift = each.rule.right + 1;
    }
    for (const auto& each : channels) {
      if (each.constant != varies) continue;
      const auto scale = shift - each.rule.right + 1;
      if (scale > 8 || !fits_scaled(each.sums, each.rule, scale)) return 0;
    }
    return constants_fit(shift) ? shift : 0;
  }

  constexpr auto packed_encoding(bool shares_code) const -> sum_encoding {
    const bool is_segmented = !all_fit(packed_bits);
    const auto scale = is_segmented ? folded_bits : packed_bits;
    if (is_segmented && (plan.depth() % 8 != 0 || !all_fit(scale))) return {};
    return {.is_segmented = is_segmented,
            .scale = scale,
            .shift = shares_code ? 0 : shift_at(scale),
            .corrects_ties = corrects_ties(),
            .is_compact = shares_code && !is_segmented && all_have_shifts()};
  }
  /// True if the sums of all channels can contain the shift (`start_with_shift`), and there are at most `max_compact_channels` channels.
  constexpr auto all_have_shifts() const -> bool {
    return plan.out_channels <= max_compact_channels && std::all_of(channels.begin(), channels.end(), [](const auto& each) {
             return each.constant != varies || start_with_shift(each.sums, each.rule).is_found;
           });
  }
  constexpr auto wide_encoding(bool shares_code) const -> sum_encoding {
    const auto shift = common_shift();
    for (std::int32_t scale = 8; scale >= 2 && (shares_code || shift == 0); --scale) {
      if (all_fit(scale)) return {.is_wide = 1, .scale = scale, .corrects_ties = corrects_ties()};
    }
    if (shift == 0) return {};
    return {.is_wide = 1, .shift = shift, .corrects_ties = corrects_ties()};
  }
  /// Returns a `sum_encoding` with wide weights. If no such `sum_encoding` is proved to fit, `is_found` of the result is false. Reads the
  /// weights of a channel only if its sums are not proved to fit for arbitrary weights. Reads at most `max_weights_read_by_safe_encoding`
  /// weights in total.
  constexpr auto safe_encoding(bool shares_code) -> sum_encoding {
    read_budget = max_weights_read_by_safe_encoding;
    const auto corrected = corrects_ties();
    for (std::int32_t c = 0; c < plan.out_channels; ++c) {
      const auto& each = channels[static_cast<std::size_t>(c)];
      if (each.constant == varies && !each.fits(2, corrected)) read(c);
    }
    return wide_encoding(shares_code);
  }
};

/// Returns the geometry of a convolution and the addresses of its weights, or the reason why the Cortex-M kernels do not support the
/// convolution. Does not choose a `sum_encoding`, so `kernel_facts::prepared` is empty.
constexpr auto geometry_of(const program_view& program, const node& record, const options& with) -> node_description<convolution_facts> {
  node_description<convolution_facts> result;
  auto& plan = result.plan.plan;
  auto& data = result.plan.data;
  portable::channel_output out;
  const bool is_depthwise = record.is("tfl.depthwise_conv_2d") || record.is("baton.depthwise_conv_2d");
  std::int32_t groups = 1;
  if (is_depthwise) {
    auto layer = portable::detail::describe_depthwise(program, record);
    if (!layer.support) return {std::move(layer.support), {}};
    plan = {.batches = layer.plan.batches, .in_channels = 1, .rows = layer.plan.rows, .columns = layer.plan.columns};
    out = layer.plan.out;
    groups = layer.plan.in_channels;
  } else {
    auto layer = portable::detail::describe_convolution(program, record);
    if (!layer.support) return {std::move(layer.support), {}};
    plan = {.batches = layer.plan.batches, .in_channels = layer.plan.in_channels, .rows = layer.plan.rows, .columns = layer.plan.columns};
    out = layer.plan.out;
    groups = layer.plan.groups();
  }
  portable::node_check check{program, record};
  check.demand(is_supported(out.by), "the layer's types are not int8");
  check.demand(groups == 1, "the layer has ", groups, " groups; the Cortex-M kernel supports only one");
  check.demand(plan.rows.meets_input() && plan.columns.meets_input(), "a window is completely in the padding");
  const auto filter = check.input(1, "filter");
  check.constant_data(filter, "filter");
  result.support = check.verdict_so_far();
  if (!result.support) return result;
  plan.out_channels = out.channels;
  plan.row_pixels = plan.columns.output;
  plan.input_zero_point = out.input_zero_point;
  plan.range = out.range;
  plan.round = out.round;
  // Segments consist of groups of eight products. Sums of at most 256 products rarely need segments, so `block` is 4 for such layers if the
  // goal is speed.
  plan.block = with.optimize == optimize_for::code_size || plan.products() > 256 ? 8 : 4;
  plan.is_gathered = with.gathers_inputs && !plan.is_inside();
  auto& input_facts = result.facts.operands[0];
  // The window is set before pixels are joined into one row below, because the window refers to rows of the image.
  input_facts.window = portable::detail::image_window(plan.batches, plan.rows, plan.columns);
  if (plan.products() == plan.in_channels && plan.rows.stride == 1 && plan.columns.stride == 1 && plan.is_inside()) {
    // Each output pixel depends on one input pixel only, so all pixels can be joined into one row.
    plan.columns = {.input = plan.pixels(), .output = plan.pixels()};
    plan.rows = {};
    plan.batches = 1;
  }
  data.weights = program.data(filter.data).data();
  data.channel_step = is_depthwise ? 1 : plan.products();
  data.product_step = is_depthwise ? out.channels : 1;
  data.numbers = numbers_of(program, record, out, plan.products(), portable::channel_scaling::in_double);
  result.facts.scratch_bytes = static_cast<std::uint32_t>(plan.scratch_bytes()) + 3;
  if (!plan.has_strip()) result.facts.overread_bytes = static_cast<std::uint32_t>(plan.overread());
  // The `min_distance` assumes that all inputs of a pixel are read before this pixel or any later pixel is written.
  const portable::window_walk walk{.rows = plan.rows,
                                   .columns = plan.columns,
                                   .in_pixel_bytes = plan.in_channels,
                                   .out_pixel_bytes = plan.out_channels,
                                   .batches = plan.batches};
  input_facts.distance = portable::upward(portable::distance_of(walk, 0));
  // A chunk has `pairs_of_chunk()` pairs of channels of two pixels.
  if (plan.batches == 1) portable::detail::set_chunks(result.facts, 1, {plan.pixels(), 2}, {plan.out_channels, 2 * plan.pairs_of_chunk()});
  return result;
}

/// Returns the result of `geometry_of`, and adds the bounds of each channel's sums for arbitrary weights.
constexpr auto facts_of(const program_view& program, const node& record, const options& with) -> node_description<convolution_facts> {
  auto result = geometry_of(program, record, with);
  if (!result.support) return result;
  const auto& plan = result.plan.plan;
  const auto& data = result.plan.data;
  auto& channels = result.plan.channels;
  channels.assign(static_cast<std::size_t>(plan.out_channels), channel_facts{});
  const auto weights = max_weights(plan.products());
  for (std::int32_t c = 0; c < plan.out_channels; ++c) {
    auto& each = channels[static_cast<std::size_t>(c)];
    const bool shares_rule = c != 0 && data.numbers.has_one_rule();
    const auto constants =
        shares_rule ? channel_constants{data.bias_of(c), channels[0].rule} : data.numbers.constants_of(static_cast<std::size_t>(c));
    each.rule = constants.rule;
    each.sums = sum_bounds(constants.bias, weights, plan.input_zero_point);
    if (plan.range.lower == plan.range.upper) each.constant = plan.range.lower;
  }
  return result;
}

/// Chooses the `sum_encoding` of a layer. A layer with at most `options::max_wide_weights` weights gets wide weights, a larger layer gets
/// packed weights. The sums of packed weights are divided into segments if the sums are not proved to fit without segments. If no such
/// encoding is found, or if a weight of a larger layer is -128, uses `safe_encoding`, which has wide weights. Narrows the bounds of
/// the channels whose weights it reads.
constexpr void choose_encoding(convolution_facts& facts, const options& with) {
  auto& plan = facts.plan;
  const bool shares_code = with.optimize == optimize_for::code_size;
  const auto weights = std::int64_t{plan.products()} * plan.out_channels;
  facts.read_budget = max_weights_read;
  if (weights <= with.max_wide_weights) {
    // Narrow bounds identify channels with a constant output. Such a channel does not restrict the common shift.
    if (facts.common_shift() == 0) {
      for (std::int32_t c = 0; c < plan.out_channels; ++c) facts.read(c);
    }
    plan.encoding = facts.wide_encoding(shares_code);
    const bool is_plain = plan.encoding.shift != 0 && plan.range.lower == -128 && plan.range.upper == 127;
    plan.encoding.is_by_windows = !shares_code && is_plain && plan.has_windows();
  } else if (all_fit_packed(facts.data.weights, plan.products() * plan.out_channels)) {
    const auto corrected = facts.corrects_ties();
    for (std::int32_t c = 0; c < plan.out_channels; ++c) {
      if (!facts.channels[static_cast<std::size_t>(c)].fits(packed_bits, corrected)) facts.read(c);
    }
    plan.encoding = facts.packed_encoding(shares_code);
  }
  if (!plan.encoding.is_found()) plan.encoding = facts.safe_encoding(shares_code);
}

}  // namespace baton::cortex_m::detail
