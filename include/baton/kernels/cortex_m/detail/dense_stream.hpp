// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of a fully connected layer on a Cortex-M: its shape, the proof that its sums fit 32 bits, and its packed weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/portable/fully_connected.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m::detail {

/// The plan of a fully connected layer that reads its weights from a stream of packed constants (`streams.hpp`).
///
/// The stream consists of blocks of four outputs, or of two. A block begins with the scaled initial sum of each output
/// (`weight_totals::start`). For each group of four inputs, a word of weights per output follows. With scales per channel, the multiplier
/// and offset of each output follow, and then the shift of each output.
///
/// If the bounds of the sums do not prove that the sums fit 32 bits at scale 2^`packed_bits`, the inputs are divided into segments
/// (`streams.hpp`).
struct dense_stream {
  portable::channel_output out{};
  std::int32_t batches = 1;
  std::int32_t inputs = 1;
  std::int32_t segments = 1;
  std::int32_t width = 4;                  ///< outputs per block: 2 or 4
  std::int32_t words = 1;                  ///< groups of four inputs per segment
  portable::flag scales_segment_sums = 0;  ///< whether the sums of segments are added at scale 2^`folded_bits`
  portable::flag reads_bytes = 0;          ///< whether each block expands the inputs to 16 bits in registers, so that no scratch is needed
  std::int32_t unrolled = 1;               ///< words per iteration of the inner loop
  scaled_requantization tensor_scale{};    ///< the requantization of all outputs if they share one scale

  /// True if negative sums need the correction (`correction_of`): outputs are rounded twice, and the range includes values below the zero
  /// point.
  constexpr auto corrects_ties() const -> bool { return out.corrects_ties(); }
  constexpr auto scale_bits() const -> std::int32_t { return scales_segment_sums != 0 ? folded_bits : packed_bits; }
  constexpr auto input_words() const -> std::int32_t { return segments * words; }
  constexpr auto blocks() const -> std::int32_t { return (out.channels + width - 1) / width; }
  constexpr auto block_words() const -> std::int32_t { return width * (1 + input_words() + (out.is_per_channel != 0 ? 3 : 0)); }
  constexpr auto scratch_bytes() const -> std::int32_t { return reads_bytes != 0 ? 0 : 8 * input_words(); }
};
static_assert(portable::has_no_padding<dense_stream>);

/// Returns the multipliers and biases of the output channels. If the filter has one scale, the product of this scale and the input's scale
/// is rounded to float, as in TensorFlow Lite.
constexpr auto dense_numbers(const program_view& program, const node& record, const dense_stream& plan) -> channel_numbers {
  return numbers_of(program, record, plan.out, plan.inputs, portable::channel_scaling::one_scale_in_float);
}

/// Returns the number of words per iteration of the inner loop. The number is the largest divisor of `words` up to `limit`, so no words
/// remain after the loop.
constexpr auto unrolled_words(std::int32_t words, std::int32_t limit) -> std::int32_t {
  auto result = std::min(words, limit);
  while (words % result != 0) --result;
  return result;
}

/// Returns the number of outputs per block. For each group of four inputs, a block of four outputs takes 14.5 instructions, and a block of
/// two takes 8.5, including the overhead of the loop. In addition, a block of four takes about 32 instructions, and a block of two about
/// 22. The last block of four may compute outputs that do not exist. So a layer of up to ten outputs may take fewer instructions and store
/// fewer weights if its blocks have two outputs.
constexpr auto block_width(std::int32_t channels, std::int32_t inputs) -> std::int32_t {
  const std::int64_t words = (inputs + 3) / 4;
  return (channels + 3) / 4 * (29 * words + 64) > (channels + 1) / 2 * (17 * words + 44) ? 2 : 4;
}

/// The maximum number of blocks of a layer with `reads_bytes`. For each group of four inputs, such a block takes 17 instructions instead of
/// 14. In return, the 7 instructions of the expansion in scratch are omitted. So two blocks would save only one instruction per
/// group, and the loop over two blocks would be additional code.
inline constexpr std::int32_t max_blocks_reading_bytes = 1;

/// Makes the blocks of a small layer read the inputs as bytes, and divides the inputs into segments of equal size. No segment may have
/// padding, because bytes after the last input must not be read. Returns false, and changes nothing, if this is impossible or not
/// worthwhile.
constexpr auto split_bytes(dense_stream& plan) -> bool {
  if (plan.blocks() > max_blocks_reading_bytes || plan.inputs % 4 != 0) return false;
  const auto words = plan.inputs / 4;
  const auto min_segments = plan.scales_segment_sums != 0 ? (words + max_segment_products / 4 - 1) / (max_segment_products / 4) : 1;
  for (auto segments = min_segments; segments <= (plan.scales_segment_sums != 0 ? 2 * min_segments : 1); ++segments) {
    const auto unrolled = unrolled_words(words / segments, 8);
    if (words % segments != 0 || (unrolled < 4 && words > 8)) continue;
    plan.reads_bytes = 1;
    plan.segments = segments;
    plan.words = words / segments;
    plan.unrolled = unrolled;
    return true;
  }
  return false;
}

/// Divides the inputs into segments of equal size. Zero weights pad the last segment. An iteration of the inner loop has at most
/// `max_words` words.
constexpr void pad_segments(dense_stream& plan, const options& with, std::int32_t max_words) {
  const auto words = (plan.inputs + 3) / 4;
  plan.segments = plan.scales_segment_sums != 0 ? (words + max_segment_products / 4 - 1) / (max_segment_products / 4) : 1;
  plan.words = (words + plan.segments - 1) / plan.segments;
  // An unrolled word takes 56 bytes of code. The loop has an overhead of two instructions per iteration. With 8 words per iteration instead
  // of 16, a loop takes 1 % more instructions. In a small layer, the overhead is negligible in total. So the loops of small layers and long
  // loops (more than 64 words) are unrolled less.
  const bool is_small = with.optimize == optimize_for::code_size || std::int64_t{plan.inputs} * plan.out.channels < 8192;
  const auto limit = is_small ? 4 : plan.words > 64 ? 8 : max_words;
  if (plan.words > limit && unrolled_words(plan.words, limit) < 4) plan.words = (plan.words + 3) / 4 * 4;
  plan.unrolled = unrolled_words(plan.words, limit);
}

constexpr void split_inputs(dense_stream& plan, const options& with) {
  if (!split_bytes(plan)) pad_segments(plan, with, 16);
}

/// Makes all blocks read the inputs as bytes. The blocks may also read bytes past the last input; the weights of these bytes are 0.
constexpr void read_bytes(dense_stream& plan, const options& with) {
  pad_segments(plan, with, 8);
  plan.reads_bytes = 1;
}

constexpr auto describe_dense(const program_view& program, const node& record, const options& with) -> node_description<dense_stream> {
  auto description = portable::detail::describe_dense(program, record);
  dense_stream plan;
  if (!description.support) return {std::move(description.support), plan};
  plan.out = description.plan.out;
  plan.batches = description.plan.batches;
  plan.inputs = description.plan.inputs;
  plan.width = block_width(plan.out.channels, plan.inputs);
  if (!is_supported(plan.out.by)) return {refuse("the Cortex-M kernel supports only int8 with 8-bit weights"), plan};
  if (!has_constant_weights(program, record))
    return {refuse("the Cortex-M kernel packs weights at compile time, but the filter is not a constant"), plan};
  const auto numbers = dense_numbers(program, record, plan);
  if (numbers.has_real_bias) plan.out.is_per_channel = 1;  // each channel has its own offset
  const auto sums = bounds_of_sums(numbers, plan.out.channels);
  bool fits = true;
  for (std::size_t c = 0; c < plan.out.table_size(); ++c) {
    const auto rule = numbers.rule_of(c);
    if (rule.value < 0 || rule.right < 1)
      return {refuse("the Cortex-M kernel supports only requantization factors from 0 to less than 1/2"), plan};
    if (!fits_scaled(sums, rule, packed_bits)) plan.scales_segment_sums = 1;
    fits = fits && fits_scaled(sums, rule, folded_bits);
  }
  if (plan.scales_segment_sums != 0 && !fits) return {refuse("sums of ", plan.inputs, " products and a bias may not fit 29 bits"), plan};
  split_inputs(plan, with);
  if (plan.out.is_per_channel == 0) plan.tensor_scale = scaled_by(numbers.rule_of(0), plan.scale_bits());
  return {accept(), plan};
}

/// True if every even weight and the odd weight after it fit a halfword (`fit_packed`). For most layers, the first check suffices, because
/// no weight is -128.
constexpr auto pairs_fit(span<const char> weights, std::size_t inputs) -> bool {
  if (all_fit_packed(weights.data(), static_cast<std::int32_t>(weights.size()))) return true;
  for (std::size_t row = 0; row < weights.size(); row += inputs) {
    for (std::size_t k = 1; k < inputs; k += 2) {
      if (!fit_packed(static_cast<signed char>(weights[row + k - 1]), static_cast<signed char>(weights[row + k]))) return false;
    }
  }
  return true;
}

/// Returns the number and the size of the stream's blocks. Because compilers limit constant evaluation, one constant expression packs at
/// most 8192 words. If a block is larger, one constant expression packs one block.
constexpr auto prepared_blocks_of(const dense_stream& plan) -> kernel_facts::prepared_blocks {
  const auto words = static_cast<std::size_t>(plan.block_words());
  return {static_cast<std::size_t>(plan.blocks()), words, std::max<std::size_t>(1, 8192 / words)};
}

/// Same as `describe_dense`, but also refuses weights that cannot be packed, and sets `kernel_facts::prepared`.
constexpr auto describe_packed_dense(const program_view& program, const node& record, const options& with)
    -> node_description<dense_stream> {
  auto result = describe_dense(program, record, with);
  if (!result.support) return result;
  const auto weights = program.data(program[program.inputs(record)[1]].data);
  if (!pairs_fit(weights, static_cast<std::size_t>(result.plan.inputs)))
    return {refuse("a negative weight before a weight of -128 cannot be packed into 16 bits")};
  result.facts.prepared = prepared_blocks_of(result.plan);
  return result;
}

/// Fills `to` with blocks of the stream, starting at block `first`.
constexpr void pack_dense(const program_view& program, const node& record, const dense_stream& plan, std::size_t first,
                          span<std::uint32_t> to) {
  const char* weights = program.data(program[program.inputs(record)[1]].data).data();
  const auto numbers = dense_numbers(program, record, plan);
  const auto inputs = static_cast<std::size_t>(plan.inputs);
  const auto words = static_cast<std::size_t>(plan.input_words());
  const auto size = static_cast<std::size_t>(plan.block_words());
  const auto channels = static_cast<std::size_t>(plan.out.channels);
  const auto width = static_cast<std::size_t>(plan.width);
  for (std::size_t block = 0; (block + 1) * size <= to.size(); ++block) {
    auto* words_of_block = to.data() + block * size;
    for (std::size_t i = 0; i < width && width * (first + block) + i < channels; ++i) {
      const auto channel = width * (first + block) + i;
      const auto totals = write_packed(weights + channel * inputs, plan.inputs, 1, words_of_block + width + i, plan.width);
      const auto start = totals.start(numbers.bias_of(channel), plan.out.input_zero_point);
      words_of_block[i] = static_cast<std::uint32_t>(start) << plan.scale_bits();
      if (plan.out.is_per_channel == 0) continue;
      const auto by = scaled_by(numbers.rule_of(channel), plan.scale_bits());
      words_of_block[i] += static_cast<std::uint32_t>(by.nudge);
      auto* rules = words_of_block + width * (1 + words);
      rules[2 * i] = static_cast<std::uint32_t>(by.multiplier);
      rules[2 * i + 1] = static_cast<std::uint32_t>(by.offset);
      rules[2 * width + i] = static_cast<std::uint32_t>(by.shift);
    }
  }
}

}  // namespace baton::cortex_m::detail
