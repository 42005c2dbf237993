// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What images compare, and what they say of it.
#pragma once

#include "cortex_m/semihosting.hpp"
#include "kernels/layer.hpp"

#include <baton/core/shared/user_values.hpp>
#include <baton/run/basic_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace firmware {

inline std::uint32_t random_state = 2463534242u;
inline auto random() -> std::uint32_t { return one_layer::next_random(random_state); }

inline unsigned compared = 0;
inline unsigned differences = 0;

/// Says the first element that differs, behind the words that tell of what.
template <class T, class... Words>
void check_equal(const T* found, const T* wanted, std::size_t count, const Words&... words) {
  ++compared;
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i] == wanted[i]) continue;
    print(words..., ": differs at ", i, "\n");
    ++differences;
    return;
  }
}

/// What main() returns: 0 if all are equal, and as many as there must be.
inline auto verdict(unsigned comparisons) -> int {
  print(compared, " comparisons, ", differences, " differ\n");
  return differences == 0 && compared == comparisons ? 0 : 1;
}

/// Weights over the range of converters, which make no -128.
template <one_layer::layer L>
inline constexpr auto weights = [] {
  auto made = one_layer::filter_bytes<L>;
  for (auto& weight : made) weight = weight == '\x80' ? '\x7f' : weight;
  return made;
}();

template <one_layer::layer L>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    const auto& bias = one_layer::bias_bytes<L>;
    return one_layer::build(L, {weights<L>.data() + 1, weights<L>.size() - 1}, {bias.data() + 1, bias.size() - 1});
  }
};

/// The only node of a program by the kernel that is wanted and by others, each in an arena of its own, with the end of the range among the
/// inputs.
template <class Make, class Wanted, class... Kernels>
void compare_kernels(const char* what) {
  static constexpr baton::static_program<Make> program{};
  static_assert((baton::ask_kernel<Kernels>(program.value(), program.value().nodes[0]).support.accepted && ...));
  static baton::basic_executor<program, baton::kernels<Wanted>> wanted;
  unsigned kernel = 0;
  const auto compare = [&]<class Kernel>() {
    static baton::basic_executor<program, baton::kernels<Kernel>> found;
    for (unsigned round = 0; round < 4; ++round) {
      const auto draw = [round](auto to, auto same) {
        for (auto& x : to) x = round == 3 ? '\x80' : static_cast<char>(random() >> 24);
        std::memcpy(same.data(), to.data(), to.size());
      };
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (draw(found.template input<I>(), wanted.template input<I>()), ...);
      }(std::make_index_sequence<baton::user_inputs_of(program.value(), baton::graph_id{0}).size()>{});
      found.run();
      wanted.run();
      check_equal(found.output().data(), wanted.output().data(), wanted.output().size(), what, ", comparison ", compared, ", kernel ",
                  kernel, ", round ", round);
    }
    ++kernel;
  };
  (compare.template operator()<Kernels>(), ...);
}

}  // namespace firmware
