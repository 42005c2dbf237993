// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The passes that suit every model: they keep each output to the last bit, and save memory or work.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/dead_channels.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// `dead_channels` if it saves a quarter of the multiply-adds or more, for models whose weights a constant can read within the compilers'
/// default limits. A larger model is left unchanged; with larger limits, use the pass itself.
struct worthwhile_dead_channels {
  static constexpr std::string_view name = "worthwhile_dead_channels";
  static constexpr std::uint64_t max_weight_bytes = 240'000;

  static constexpr auto run(const program_view& program) -> exported_program {
    std::uint64_t weights = 0;
    for (const auto& value : program.values) weights += value.type == dtype::int8 ? value.data.size : 0;
    if (weights > max_weight_bytes) return thaw(program);
    return dead_channels::that_save<25>::run(program);
  }
};

}  // namespace detail

/// The passes that `baton_model()` of CMake and the tools apply unless others are given: `fold_constants`, `remove_no_ops`, `fold_padding`,
/// and `dead_channels` if it saves a quarter of the multiply-adds.
inline constexpr auto default_passes = passes<fold_constants, remove_no_ops, fold_padding, detail::worthwhile_dead_channels>;

}  // namespace baton
