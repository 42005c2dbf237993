// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the tools in this folder do to every model that stays with the portable kernels: all of it exact, and none of it costs an inference.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/dead_channels.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>

#include <cstdint>
#include <string_view>

namespace choices {

/// `dead_channels` where it saves a quarter of the multiply-adds or more, for models whose weights a constant can read within the
/// compilers' default limits: a larger one is left as it is; with larger limits, name the pass itself.
struct dead_channels_that_pay {
  static constexpr std::string_view name = "dead_channels_that_pay";
  static constexpr std::uint64_t most_weights = 240'000;

  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    std::uint64_t weights = 0;
    for (const auto& value : program.values) weights += value.type == baton::dtype::int8 ? value.data.size : 0;
    if (weights > most_weights) return baton::thaw(program);
    return baton::dead_channels_that_save<25>::run(program);
  }
};

inline constexpr auto usual_passes =
    baton::passes<baton::fold_constants, baton::remove_no_ops, baton::fold_padding, dead_channels_that_pay>;

}  // namespace choices
