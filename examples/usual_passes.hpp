// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the tools in this folder do to every model that stays with the portable kernels: all of it exact, and none of it costs an inference.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/multiply_adds.hpp>
#include <baton/transform/dead_channels.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>

#include <cstdint>
#include <string_view>

namespace choices {

/// `dead_channels` where it saves a quarter of the multiply-adds or more: kernels make vectors of whole channel counts, so that a few
/// channels less can take longer. And for models whose weights a constant can read within the compilers' default limits: a larger one is
/// left as it is; with larger limits, name the pass itself.
struct dead_channels_that_pay {
  static constexpr std::string_view name = "dead_channels_that_pay";
  static constexpr std::uint64_t most_weights = 240'000;

  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    std::uint64_t weights = 0;
    for (const auto& value : program.values) weights += value.type == baton::dtype::int8 ? value.data.size : 0;
    if (weights > most_weights) return baton::thaw(program);
    auto made = baton::dead_channels::run(program);
    if (4 * work_of(made) > 3 * work_of(program)) return baton::thaw(program);
    return made;
  }

 private:
  static constexpr auto work_of(const baton::program_view& program) -> std::uint64_t {
    std::uint64_t multiply_adds = 0;
    for (const auto& record : program.nodes) multiply_adds += baton::multiply_adds(program, record);
    return multiply_adds;
  }
};

inline constexpr auto usual_passes =
    baton::passes<baton::fold_constants, baton::remove_no_ops, baton::fold_padding, dead_channels_that_pay>;

}  // namespace choices
