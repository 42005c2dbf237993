// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The default passes, valid for every model. They reduce memory or computation. The outputs of a TensorFlow Lite model are bit-exact if its
// float32 weights are finite (see `fold_padding`). For other file formats, `legalize` may change the last bits of float32 outputs
// (`fold_scales`), and quantized outputs by one quantization step (`fuse_quantization`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/dead_channels.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/legalize.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// A pass that applies `dead_channels` if the removal saves at least a quarter of the multiply-adds. Models with more than
/// `max_weight_bytes` of int8 data are unchanged, so that the compilers' default limits for constant evaluation suffice. If these limits
/// are raised, use `dead_channels` directly.
struct worthwhile_dead_channels {
  static constexpr std::string_view name = "worthwhile_dead_channels";
  static constexpr bool rarely_grows = true;  // the pass removes elements of tensors and adds no records
  static constexpr std::uint64_t max_weight_bytes = 240'000;

  /// True if the int8 data has at most `max_weight_bytes` bytes. Even then, the pass may return the program unchanged.
  static constexpr auto is_needed(const program_view& program) -> bool {
    std::uint64_t weights = 0;
    for (const auto& value : program.values) weights += value.type == dtype::int8 ? value.data.size : 0;
    return weights <= max_weight_bytes;
  }
  static constexpr auto run(const program_view& program) -> exported_program {
    if (!is_needed(program)) return thaw(program);
    return dead_channels::saving_at_least<25>::run(program);
  }
};

}  // namespace detail

/// The passes that CMake's `baton_model()` and the tools apply by default: `legalize`, `fold_constants`, `remove_no_ops`, `fold_padding`,
/// and `dead_channels` under the two conditions of `worthwhile_dead_channels`.
inline constexpr auto default_passes = passes<legalize, fold_constants, remove_no_ops, fold_padding, detail::worthwhile_dead_channels>;

}  // namespace baton
