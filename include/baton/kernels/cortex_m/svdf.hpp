// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Low-rank filters over time, `tfl.svdf`, on int8 for a Cortex-M with the DSP extension: two products per instruction.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/portable/svdf.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// The requantization of features. A feature is the dot product of the inputs and a filter's feature weights.
struct feature_factor {
  quantized::fixed_multiplier by{};
  scaled_requantization scaled{};
  std::int32_t bits = 0;  ///< left shift of a sum before `scaled` is applied; if 0, no shift is proved exact, so `by` is applied instead
  std::int32_t correction = 0;  ///< added to the high half of the product if the sum is negative (`correction_of`)

  /// Returns the requantized sum, not yet clamped.
  [[gnu::always_inline]] auto apply(std::int32_t sum) const -> std::int32_t {
    if (bits == 0) return quantized::requantize(sum, by);
    const auto scaled_sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) << bits);
    const auto high = smmla(scaled_sum, scaled.multiplier, scaled.offset);
    return (high + (scaled_sum < 0 ? correction : 0)) >> scaled.shift;
  }
};

/// Returns the requantization of features whose sums are within `sums`.
constexpr auto feature_factor_of(quantized::bounds<std::int64_t> sums, quantized::fixed_multiplier by) -> feature_factor {
  const channel_requantization rule{.value = by.value, .right = -by.shift};
  for (std::int32_t bits = 8; bits >= 2; --bits) {
    if (fits_scaled(sums, rule, bits)) return {by, scaled_by(rule, bits), bits, correction_of(-1, rule.right, bits)};
  }
  return {by};
}

/// The requantization of the sums of units. A unit computes one output from `rank` filters. A sum may be any 32-bit number.
struct unit_factor {
  quantized::fixed_multiplier by{};
  std::int32_t zero_point = 0;
  std::int32_t offset = 0;  ///< added to the high half of the product; includes the zero point
  std::int32_t shift = 0;   ///< right shift of the high half; if 0, `quantized::requantize` applies `by`

  /// Returns the requantized sum, not yet clamped. If `shift` is not 0, computes the formula of `scaled_offset` in 64 bits. In this
  /// formula, the addend of a negative sum is smaller by 2^31.
  [[gnu::always_inline]] auto apply(std::int32_t sum) const -> std::int32_t {
    if (shift == 0) return plain::sum_of(quantized::requantize(sum, by), zero_point);
    const auto low = (static_cast<std::uint32_t>(sum) & 0x80000000u) | 0x40000000u;
    const auto addend = static_cast<std::int64_t>(offset + (sum >> 31)) * (std::int64_t{1} << 32) + low;
    return static_cast<std::int32_t>((addend + static_cast<std::int64_t>(sum) * by.value) >> 32) >> shift;
  }
};

/// Returns the requantization of sums of units. For factors from 2^-23 to less than 1/4, the requantization is computed in 64 bits. For
/// other factors, `shift` of the result is 0.
constexpr auto unit_factor_of(quantized::fixed_multiplier by, std::int32_t zero_point) -> unit_factor {
  const auto right = -by.shift;
  // With these shifts, the offset is below 2^29, so its sum with the high half of the product fits 32 bits.
  if (by.value < 0 || right < 2 || right > 22) return {by, zero_point};
  return {by, zero_point, (1 << (right - 2)) + zero_point * (1 << (right - 1)), right - 1};
}

/// The plan of a node: its shape, and the requantization of features and units.
struct svdf_layer {
  portable::detail::svdf_plan shape{};
  feature_factor feature{};
  unit_factor unit{};

  constexpr auto filters() const -> std::int32_t { return shape.units * shape.rank; }
};

/// Computes the features of `filters` filters from inputs that `expand_int8` has expanded to 16 bits. Stores each feature in the oldest
/// element of its filter's state, because the filter drops this element next.
template <class State>
[[gnu::always_inline]] inline void compute_features(const svdf_layer& plan, const char* inputs, const char* weights, char* state,
                                                    std::int32_t filters) {
  for_sums_of_rows<std::int32_t>(inputs, weights, plan.shape.inputs, filters,
                                 [&](std::int32_t, std::int32_t sum) __attribute__((always_inline)) {
                                   const auto feature = plan.feature.apply(sum);
                                   const auto inside = sizeof(State) == 1 ? ssat8(feature) : ssat16(feature);
                                   portable::store(state, 0, static_cast<State>(inside + plan.shape.state_zero_point));
                                   state += static_cast<std::ptrdiff_t>(sizeof(State)) * plan.shape.memory;
                                 });
}

/// Shifts the state of a filter by one step and appends the newest feature, which `compute_features` has stored in place of the oldest
/// feature. Returns `sum` plus the products of the state and the time weights. Sums wrap around. `zero_points` has the negated zero point
/// of the state in both halves. For a state in int16, `zero_points` is 0.
template <class State>
[[gnu::always_inline]] inline auto filter_over_time(char* state, const char* weights, std::int32_t memory, std::uint32_t zero_points,
                                                    std::int32_t sum) -> std::int32_t {
  constexpr auto bytes = static_cast<std::int32_t>(sizeof(State));
  constexpr std::int32_t per_word = 4 / bytes;
  const auto newest = portable::load<State>(state);
  const auto add_word = [&](std::uint32_t word) {
    const auto by = portable::load<std::uint32_t>(weights);
    portable::store(state, 0, word);
    if constexpr (bytes == 1) {
      sum = smlad(sxtab16(zero_points, word), sxtb16(by), sum);
      sum = smlad(sxtab16_ror8(zero_points, word), sxtb16_ror8(by), sum);
    } else {
      sum = smlad(word, by, sum);
    }
    state += 4;
    weights += 4;
  };
  const auto add_one = [&](State x) {
    portable::store(state, 0, x);
    sum = plain::sum_of(sum, portable::load<State>(weights) * (x + bottom(zero_points)));
    state += bytes;
    weights += bytes;
  };
  const auto whole = (memory - 1) / per_word;  // words without the newest feature
  const auto remaining = memory - whole * per_word;
  for (auto word = whole; word > 0; --word) add_word(portable::load<std::uint32_t>(state + bytes));
  if (remaining == per_word) {
    add_word(portable::load<std::uint32_t>(state) >> 8 * bytes | static_cast<std::uint32_t>(newest) << (32 - 8 * bytes));
    return sum;
  }
  for (std::int32_t k = 1; k < remaining; ++k) add_one(portable::load<State>(state, 1));
  add_one(newest);
  return sum;
}

#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_UNALIGNED)

/// True if `compute_units_dsp` supports a layer and its addresses.
template <class State>
[[gnu::always_inline]] inline auto supports_units_dsp(const svdf_layer& plan, const char* state, const char* weights) -> bool {
  if (sizeof(State) != 2 || plan.shape.memory % 8 != 0 || plan.unit.shift == 0) return false;
  return ((reinterpret_cast<std::uintptr_t>(state) | reinterpret_cast<std::uintptr_t>(weights)) & 3) == 0;
}

/// The constants of a layer that `compute_units_dsp` reads.
struct unit_loop {
  std::int32_t units;
  std::int32_t rank;
  std::int32_t eights;  ///< features that a filter keeps, divided by 8
  std::int32_t multiplier;
  std::int32_t offset;
  std::int32_t shift;
};

/// Does the same as `compute_units` for a state in int16, in assembly, because compilers use a separate instruction to load or store each
/// word. In the inner loop, eight products take 12 instructions. The last eight products of a filter take 11 instructions, not counting the
/// loop over the filters. All layers share the function.
[[gnu::noinline]] inline void compute_units_dsp(const unit_loop& loop, char* state, const char* weights, const char* biases, char* to) {
  register char* oldest asm("r0") = state;
  register const char* by asm("r1") = weights;
  register char* out asm("r2") = to;
  register char* end asm("r3") = to + loop.units;
  register const char* bias asm("r4") = biases;
  register std::int32_t filters asm("r5") = loop.rank;
  register std::int32_t steps asm("r6") = loop.eights;
  register std::int32_t multiplier asm("r8") = loop.multiplier;
  register std::int32_t offset asm("r9") = loop.offset;
  register std::int32_t shift asm("r10") = loop.shift;
  // r2: iterations left; r3: sum; r4-r6, r8: state; r9-r12: weights; lr: newest feature; r7: filters left. Register r7 may be the frame
  // pointer, so it cannot be declared as a clobber. Instead, the assembly code saves and restores it. Offsets on the stack, in bytes: `out`
  // 0, `end` 4, `bias` 8, `filters` 12, `steps` 16, `multiplier` 20, `offset` 24, `shift` 28.
  asm volatile(
      "push {r7}\n push {r2-r6,r8-r10}\n"
      "1: ldrd r4,r7,[sp,#8]\n mov r3,#0\n cbz r4,2f\n ldr r3,[r4],#4\n str r4,[sp,#8]\n"
      "2: ldrh lr,[r0]\n ldr r2,[sp,#16]\n subs r2,#1\n beq 4f\n"
      "3: ldr r4,[r0,#2]\n ldr r5,[r0,#6]\n ldr r6,[r0,#10]\n ldr r8,[r0,#14]\n ldmia r1!,{r9-r12}\n"
      " smlad r3,r4,r9,r3\n smlad r3,r5,r10,r3\n smlad r3,r6,r11,r3\n smlad r3,r8,r12,r3\n"
      " stmia r0!,{r4-r6,r8}\n subs r2,#1\n bne 3b\n"
      "4: ldr r4,[r0,#2]\n ldr r5,[r0,#6]\n ldr r6,[r0,#10]\n ldrh r8,[r0,#14]\n ldmia r1!,{r9-r12}\n orr r8,r8,lr,lsl #16\n"
      " smlad r3,r4,r9,r3\n smlad r3,r5,r10,r3\n smlad r3,r6,r11,r3\n smlad r3,r8,r12,r3\n"
      " stmia r0!,{r4-r6,r8}\n subs r7,#1\n bne 2b\n"
      // `unit_factor::apply`
      " ldrd r4,r5,[sp,#20]\n ldr r6,[sp,#28]\n and r2,r3,#0x80000000\n orr r2,r2,#0x40000000\n add r5,r5,r3,asr #31\n"
      " smlal r2,r5,r3,r4\n asrs r5,r6\n ssat r5,#8,r5\n"
      " ldrd r2,r3,[sp]\n strb r5,[r2],#1\n str r2,[sp]\n cmp r2,r3\n bne 1b\n"
      " add sp,#32\n pop {r7}\n"
      : "+r"(oldest), "+r"(by), "+r"(out), "+r"(end), "+r"(bias), "+r"(filters), "+r"(steps), "+r"(multiplier), "+r"(offset), "+r"(shift)
      :
      : "r11", "r12", "lr", "cc", "memory");
}

#endif

/// Computes the outputs of `units` units. In `state`, the newest feature of each filter is in place of the oldest feature.
template <class State>
[[gnu::always_inline]] inline void compute_units(const svdf_layer& plan, char* state, const char* weights, const char* biases, char* to,
                                                 std::int32_t units) {
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_UNALIGNED)
  if (supports_units_dsp<State>(plan, state, weights)) {
    const unit_loop loop{units, plan.shape.rank, plan.shape.memory / 8, plan.unit.by.value, plan.unit.offset, plan.unit.shift};
    return compute_units_dsp(loop, state, weights, biases, to);
  }
#endif
  const auto memory = plan.shape.memory;
  const auto row_bytes = static_cast<std::ptrdiff_t>(sizeof(State)) * memory;
  const auto zero_points = halfwords(-plan.shape.state_zero_point, -plan.shape.state_zero_point);
  for (std::int32_t unit = 0; unit < units; ++unit) {
    auto sum = biases != nullptr ? portable::load<std::int32_t>(biases, unit) : 0;
    for (std::int32_t r = 0; r < plan.shape.rank; ++r, state += row_bytes, weights += row_bytes)
      sum = filter_over_time<State>(state, weights, memory, zero_points, sum);
    to[unit] = static_cast<char>(ssat8(plan.unit.apply(sum)));
  }
}

template <class State>
[[gnu::always_inline]] inline void run_svdf(const svdf_layer& plan, const node_memory& memory) {
  using operand = portable::detail::svdf_operand;
  const auto& shape = plan.shape;
  const auto* biases = shape.has_bias != 0 ? memory.inputs[operand::bias] : nullptr;
  const auto state_bytes = static_cast<std::ptrdiff_t>(sizeof(State)) * plan.filters() * shape.memory;
  for (std::int32_t batch = 0; batch < shape.batches; ++batch) {
    auto* state = memory.states[operand::state] + batch * state_bytes;
    auto* inputs = memory.scratch.data();
    expand_int8(memory.inputs[operand::input] + std::ptrdiff_t{batch} * shape.inputs, shape.input_zero_point, shape.inputs, inputs);
    compute_features<State>(plan, inputs, memory.inputs[operand::feature_weights], state, plan.filters());
    compute_units<State>(plan, state, memory.inputs[operand::time_weights], biases, memory.outputs[0] + std::ptrdiff_t{batch} * shape.units,
                         shape.units);
  }
}

/// The number of units of a chunk (see `kernel_facts::chunks`). The last chunk of a batch item may have fewer units.
inline constexpr std::int32_t units_per_svdf_chunk = 4;

/// Returns the number of chunks of a batch item.
constexpr auto chunks_of_item(const svdf_layer& plan) -> std::int32_t {
  return (plan.shape.units + units_per_svdf_chunk - 1) / units_per_svdf_chunk;
}

/// Computes the chunks [`first`, `last`). Chunk numbers continue from batch item to batch item. The first chunk of an item also expands the
/// inputs of all its chunks.
template <class State>
[[gnu::always_inline]] inline void run_svdf_chunks(const svdf_layer& plan, const node_memory& memory, std::int32_t first,
                                                   std::int32_t last) {
  using operand = portable::detail::svdf_operand;
  const auto& shape = plan.shape;
  const auto filter_bytes = static_cast<std::ptrdiff_t>(sizeof(State)) * shape.memory;
  portable::detail::for_row_ranges(
      chunks_of_item(plan), first, last, [&](std::int32_t item, std::int32_t begin, std::int32_t end) __attribute__((always_inline)) {
        auto* inputs = memory.scratch.data();
        if (begin == 0)
          expand_int8(memory.inputs[operand::input] + std::ptrdiff_t{item} * shape.inputs, shape.input_zero_point, shape.inputs, inputs);
        const std::ptrdiff_t unit = begin * units_per_svdf_chunk;
        const auto units = std::min(end * units_per_svdf_chunk, shape.units) - begin * units_per_svdf_chunk;
        const auto filter = unit * shape.rank;
        auto* state = memory.states[operand::state] + (item * std::ptrdiff_t{plan.filters()} + filter) * filter_bytes;
        compute_features<State>(plan, inputs, memory.inputs[operand::feature_weights] + filter * shape.inputs, state, units * shape.rank);
        compute_units<State>(plan, state, memory.inputs[operand::time_weights] + filter * filter_bytes,
                             shape.has_bias != 0 ? memory.inputs[operand::bias] + 4 * unit : nullptr,
                             memory.outputs[0] + item * std::ptrdiff_t{shape.units} + unit, units);
      });
}

/// Computes a node with code that all nodes with the same type of state share.
template <class State>
[[gnu::noinline]] inline void run_any_svdf(const svdf_layer& plan, const node_memory& memory) {
  run_svdf<State>(plan, memory);
}
/// Computes chunks with code that all nodes with the same type of state share.
template <class State>
[[gnu::noinline]] inline void run_any_svdf_chunks(const svdf_layer& plan, const node_memory& memory, std::int32_t first,
                                                  std::int32_t last) {
  run_svdf_chunks<State>(plan, memory, first, last);
}

/// A kernel that computes `tfl.svdf` on int8, with a state in int8, or in int16 with the zero point 0. Reads the weights of the model
/// without packing them. For each batch item, the inputs are expanded to 16 bits in scratch before the outputs are written. Other
/// requirements are the same as for `portable::detail::svdf`. Results are bit-identical to `portable::detail::svdf`, because all sums wrap
/// in the same way.
template <options Options = options{}>
struct svdf {
  static constexpr literal_name operators[] = {"tfl.svdf"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<svdf_layer> {
    auto described = portable::detail::describe_svdf(program, record);
    node_description<svdf_layer> result{std::move(described.support)};
    if (!result.support) return result;
    const auto& shape = described.plan;
    if (shape.type != dtype::int8) return {refuse("the Cortex-M kernel of SVDF supports only int8")};
    if (shape.state_type == dtype::int16 && shape.state_zero_point != 0)
      return {refuse("the Cortex-M kernel of SVDF requires zero point 0 for an int16 state, not ", shape.state_zero_point)};
    result.plan.shape = shape;
    result.plan.feature = feature_factor_of(sum_bounds(0, max_weights(shape.inputs), shape.input_zero_point), shape.feature_factor);
    result.plan.unit = unit_factor_of(shape.unit_factor, shape.zero_point);
    result.facts.scratch_bytes = 2 * static_cast<std::uint32_t>(shape.inputs);
    // As in a fully connected layer, the inputs of a batch item are read before its outputs are written.
    const std::int64_t growth = shape.units - shape.inputs;
    auto& distance = result.facts.operands[portable::detail::svdf_operand::input].distance;
    distance = {.ascending = growth * (growth > 0 ? shape.batches - 1 : 1)};
    if (shape.batches == 1) distance = {-shape.inputs, -shape.inputs};
    portable::detail::set_chunks(result.facts, shape.batches, {shape.units, units_per_svdf_chunk});
    return result;
  }
  [[gnu::always_inline]] static void compute(const svdf_layer& plan, const node_memory& memory) {
    if constexpr (Options.optimize == optimize_for::code_size) {
      return plan.shape.state_type == dtype::int8 ? run_any_svdf<std::int8_t>(plan, memory) : run_any_svdf<std::int16_t>(plan, memory);
    }
    return plan.shape.state_type == dtype::int8 ? run_svdf<std::int8_t>(plan, memory) : run_svdf<std::int16_t>(plan, memory);
  }
  /// Computes the chunks [`first`, `last`). A chunk has up to four units of a batch item.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      constexpr const auto& plan = node_plan<svdf, Call>;
      using state = std::conditional_t<plan.shape.state_type == dtype::int8, std::int8_t, std::int16_t>;
      if constexpr (Options.optimize == optimize_for::code_size) {
        run_any_svdf_chunks<state>(plan, memory, first, last);
      } else {
        run_svdf_chunks<state>(plan, memory, first, last);
      }
    });
  }
};
static_assert(kernel<svdf<>>);

}  // namespace detail

}  // namespace baton::cortex_m
