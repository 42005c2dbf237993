// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Comparisons in firmware images, and their output.
#pragma once

#include "cortex_m/semihosting.hpp"
#include "kernels/layer.hpp"

#include <baton/core/shared/user_values.hpp>
#include <baton/run/basic_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace firmware {

inline std::uint32_t random_state = 2463534242u;
inline auto random() -> std::uint32_t { return one_layer::next_random(random_state); }

inline unsigned compared = 0;
inline unsigned differences = 0;

/// Prints the first element that differs, after `words`, and counts the difference.
template <class T, class... Words>
void check_equal(const T* actual, const T* expected, std::size_t count, const Words&... words) {
  ++compared;
  for (std::size_t i = 0; i < count; ++i) {
    if (actual[i] == expected[i]) continue;
    print(words..., ": differs at ", i, "\n");
    ++differences;
    return;
  }
}

/// Returns the result of main(): 0 if all comparisons are equal and there are `comparisons` of them, else 1.
inline auto verdict(unsigned comparisons) -> int {
  print(compared, " comparisons, ", differences, " differ\n");
  return differences == 0 && compared == comparisons ? 0 : 1;
}

/// Weights in the range of converters, which never produce -128.
template <one_layer::layer L>
inline constexpr auto weights = [] {
  auto result = one_layer::filter_bytes<L>;
  for (auto& weight : result) weight = weight == '\x80' ? '\x7f' : weight;
  return result;
}();

template <one_layer::layer L>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    const auto& bias = one_layer::bias_bytes<L>;
    return one_layer::build(L, {weights<L>.data() + 1, weights<L>.size() - 1}, {bias.data() + 1, bias.size() - 1});
  }
};

/// Runs the only node of a program with the kernel `Reference` and with other kernels, each in a separate arena. In the last round, all
/// inputs are the lowest number of 8 or 16 bits.
template <class Make, class Reference, class... Kernels>
void compare_kernels(const char* label) {
  static constexpr baton::static_program<Make> program{};
  static_assert((baton::ask_kernel<Kernels>(program.value(), program.value().nodes[0]).support.accepted && ...));
  static baton::basic_executor<program, baton::kernels<Reference>> expected;
  unsigned kernel = 0;
  const auto compare = [&]<class Kernel>() {
    static baton::basic_executor<program, baton::kernels<Kernel>> actual;
    for (unsigned round = 0; round < 4; ++round) {
      const auto draw = [round](auto to, auto same) {
        for (auto& x : to) {
          using element = std::remove_reference_t<decltype(x)>;
          constexpr int bits = sizeof(element) == 2 ? 16 : 8;
          x = static_cast<element>(round == 3 ? -(1 << (bits - 1)) : static_cast<std::int32_t>(random()) >> (32 - bits));
        }
        std::memcpy(same.data(), to.data(), to.size());
      };
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (draw(actual.template input<I>(), expected.template input<I>()), ...);
      }(std::make_index_sequence<baton::user_inputs_of(program.value(), baton::graph_id{0}).size()>{});
      actual.run();
      expected.run();
      check_equal(actual.output().data(), expected.output().data(), expected.output().size(), label, ", comparison ", compared, ", kernel ",
                  kernel, ", round ", round);
    }
    ++kernel;
  };
  (compare.template operator()<Kernels>(), ...);
}

/// Compares a kernel on several layers.
template <class Kernel, class Portable, one_layer::layer... Layers>
void compare_layers(const char* label) {
  (compare_kernels<make<Layers>, Portable, Kernel>(label), ...);
}

/// A sum, difference or product of two int8 tensors. If `HasTies`, the factor of the result is a power of two, so that many results are
/// halfway between two numbers.
template <baton::fixed_string Operator, int Count, int ZeroPoint, bool HasTies = false, int LeftScale = 2>
struct pair {
  constexpr auto operator()() const -> baton::exported_program {
    using baton::dtype;
    baton::program_builder b;
    const auto type = baton::tensor(dtype::int8, Count);
    const auto left = b.user_input("left", type);
    const auto right = b.user_input("right", type);
    const auto y = b.call(std::string_view(Operator), {left, right}, type, {{"fused_activation_function", HasTies ? "none" : "relu6"}});
    b.quantize(left, HasTies ? 0.25f : 0.01f * LeftScale, -3);
    b.quantize(right, HasTies ? 0.5f : 0.05f, 7);
    b.quantize(y, HasTies ? 4.0f : 0.03f, ZeroPoint);
    b.output(y);
    return b.finish();
  }
};

}  // namespace firmware
