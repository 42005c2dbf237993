// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A fully connected layer as a stream of packed weights: its shape, the proof that its sums fit, and its words.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
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

/// A fully connected layer as sums over a stream of packed weights (`streams.hpp`).
///
/// Blocks of four outputs lie one behind the other: four words of constants (biases with all that zero points add to them, scaled), a word
/// of weights for each output and each four inputs, and, with scales per channel, four multipliers with their offsets and four shifts.
///
/// Sums of 256 times the true ones must stay below 2^31. Where the sizes alone do not prove it, sums are taken over segments of the inputs,
/// and added up four times the true ones.
struct dense_stream {
  static constexpr std::int32_t folded_bits = 2;  ///< by which sums of segments are scaled

  portable::channel_output out{};
  std::int32_t batches = 1;
  std::int32_t inputs = 1;
  std::int32_t segments = 1;
  std::int32_t words = 1;             ///< of four inputs each, of a segment
  portable::flag is_folded = 0;       ///< whether the sums of segments are added up at another scale
  std::int32_t unrolled = 1;          ///< words for which the inner loop has code of its own
  scaled_requantization one_scale{};  ///< of all outputs, unless each has its own

  /// Whether negative ties need their correction: where what is below the zero point can be seen.
  constexpr auto rounds_away() const -> bool { return out.range.lower < out.zero_point; }
  constexpr auto scale_bits() const -> std::int32_t { return is_folded != 0 ? folded_bits : packed_bits; }
  constexpr auto input_words() const -> std::int32_t { return segments * words; }
  constexpr auto blocks() const -> std::int32_t { return (out.channels + 3) / 4; }
  constexpr auto block_words() const -> std::int32_t { return 4 + 4 * input_words() + (out.is_per_channel != 0 ? 12 : 0); }
  constexpr auto scratch_bytes() const -> std::int32_t { return 8 * input_words(); }
};
static_assert(portable::has_no_padding<dense_stream>);

/// From zero, 256 times a sum over so many inputs stays below 2^31 whatever they and the weights are: |x_odd - 127| <= 255, |x_even| <=
/// 128, |w| <= 128, so that each adds 128 · (255 + 128) / 2 at most.
inline constexpr std::int32_t most_segment_inputs = 340;  // whole words
static_assert(std::int64_t{most_segment_inputs} * 128 * (255 + 128) / 2 < 1 << 23);

/// The product of the scales is rounded to float where the filter has one, as the reference does.
constexpr auto dense_numbers(const program_view& program, const node& record, const portable::channel_output& out) -> channel_numbers {
  return numbers_of(program, record, out, portable::channel_scaling::one_scale_in_float);
}

/// How many words the inner loop does at once: a divisor, so that nothing is left over.
constexpr auto unrolled_of(std::int32_t words, std::int32_t most) -> std::int32_t {
  auto made = std::min(words, most);
  while (words % made != 0) --made;
  return made;
}

/// Cuts the inputs into segments; zero weights fill them up.
constexpr void cut_inputs(dense_stream& plan, const options& with) {
  const auto words = (plan.inputs + 3) / 4;
  plan.segments = plan.is_folded != 0 ? (words + most_segment_inputs / 4 - 1) / (most_segment_inputs / 4) : 1;
  plan.words = (words + plan.segments - 1) / plan.segments;
  // 56 bytes a word. The loop's own two instructions are a hundredth of long rows, and nothing in a small layer.
  const bool is_small = with.optimize == optimize_for::code_size || std::int64_t{plan.inputs} * plan.out.channels < 8192;
  const auto most = is_small ? 4 : plan.words > 64 ? 8 : 16;
  if (plan.words > most && unrolled_of(plan.words, most) < 4) plan.words = (plan.words + 3) / 4 * 4;
  plan.unrolled = unrolled_of(plan.words, most);
}

constexpr auto describe_dense(const program_view& program, const node& record, const options& with) -> node_description<dense_stream> {
  auto found = portable::detail::describe_dense(program, record);
  dense_stream plan;
  if (!found.support) return {std::move(found.support), plan};
  plan.out = found.plan.out;
  plan.batches = found.plan.batches;
  plan.inputs = found.plan.inputs;
  if (plan.out.by != portable::arithmetic::int8) return {refuse("the Cortex-M form is for int8 with weights of 8 bits"), plan};
  if (!has_constant_weights(program, record))
    return {refuse("the Cortex-M form packs weights in the compiler, and the filter is computed"), plan};
  const auto numbers = dense_numbers(program, record, plan.out);
  const auto sums = bounds_of_sums(numbers, plan.out, plan.inputs);
  bool fits = true;
  for (std::size_t c = 0; c < plan.out.table_size(); ++c) {
    const auto rule = numbers.rule_of(c);
    if (rule.value < 0 || rule.right < 1) return {refuse("the Cortex-M form has no factor that is negative or 1/2 and more"), plan};
    if (!fits_scaled(sums, rule, packed_bits)) plan.is_folded = 1;
    fits = fits && fits_scaled(sums, rule, dense_stream::folded_bits);
  }
  if (plan.is_folded != 0 && !fits) return {refuse("sums of ", plan.inputs, " products and a bias may not fit 29 bits"), plan};
  cut_inputs(plan, with);
  if (plan.out.is_per_channel == 0) plan.one_scale = scaled_by(numbers.rule_of(0), plan.scale_bits());
  return {accept(), plan};
}

/// Whether every pair of weights fits a halfword. Few layers have a -128 at all.
constexpr auto pairs_fit(span<const char> weights, std::size_t inputs) -> bool {
  if (all_fit_packed(weights.data(), static_cast<std::int32_t>(weights.size()))) return true;
  for (std::size_t row = 0; row < weights.size(); row += inputs) {
    for (std::size_t k = 1; k < inputs; k += 2) {
      if (!fit_packed(static_cast<signed char>(weights[row + k - 1]), static_cast<signed char>(weights[row + k]))) return false;
    }
  }
  return true;
}

/// Writes blocks from `first` on.
constexpr void pack_dense(const program_view& program, const node& record, const dense_stream& plan, std::size_t first,
                          span<std::uint32_t> to) {
  const char* weights = program.data(program[program.inputs(record)[1]].data).data();
  const auto numbers = dense_numbers(program, record, plan.out);
  const auto inputs = static_cast<std::size_t>(plan.inputs);
  const auto words = static_cast<std::size_t>(plan.input_words());
  const auto size = static_cast<std::size_t>(plan.block_words());
  const auto channels = static_cast<std::size_t>(plan.out.channels);
  for (std::size_t block = 0; (block + 1) * size <= to.size(); ++block) {
    auto* made = to.data() + block * size;
    for (std::size_t i = 0; i < 4 && 4 * (first + block) + i < channels; ++i) {
      const auto channel = 4 * (first + block) + i;
      const auto totals = write_packed(weights + channel * inputs, plan.inputs, 1, made + 4 + i, 4);
      const auto start = totals.start(numbers.bias_of(channel), plan.out.input_zero_point);
      made[i] = static_cast<std::uint32_t>(start) << plan.scale_bits();
      if (plan.out.is_per_channel == 0) continue;
      const auto by = scaled_by(numbers.rule_of(channel), plan.scale_bits());
      made[4 + 4 * words + 2 * i] = static_cast<std::uint32_t>(by.multiplier);
      made[4 + 4 * words + 2 * i + 1] = static_cast<std::uint32_t>(by.offset);
      made[4 + 4 * words + 8 + i] = static_cast<std::uint32_t>(by.shift);
    }
  }
}

}  // namespace baton::cortex_m::detail
