// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compiles models of the zoo like those of examples/run_model.sh.
#pragma once

#include "zoo/model.hpp"

#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/import/read_model.hpp>
#include <baton/kernels/signal_kernels.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/transform.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace zoo {

template <const auto& Bytes>
constexpr auto program_of = baton::transform(baton::read_model<Bytes>, baton::default_passes);

template <const auto& Bytes>
baton::executor<program_of<Bytes>, baton::with_kernels<baton::portable_kernels + baton::signal_kernels>> executor_of;

template <const auto& Bytes, std::size_t... I>
auto inputs_of(std::index_sequence<I...>) -> std::array<tensor, sizeof...(I)> {
  auto& net = executor_of<Bytes>;
  return {tensor{net.template input<I>().data(), net.template input<I>().size(), false}...};
}
template <const auto& Bytes, std::size_t... I>
auto outputs_of(std::index_sequence<I...>) -> std::array<tensor, sizeof...(I)> {
  auto& net = executor_of<Bytes>;
  return {tensor{const_cast<char*>(net.template output<I>().data()), net.template output<I>().size(),
                 net.template output_info<I>().type == baton::dtype::float32}...};
}

/// Compiles the model in the array `Bytes`.
template <const auto& Bytes>
auto compiled(std::string_view name) -> model {
  auto& net = executor_of<Bytes>;
  static const auto in = inputs_of<Bytes>(std::make_index_sequence<net.input_count>{});
  static const auto out = outputs_of<Bytes>(std::make_index_sequence<net.output_count>{});
  return {name, in.data(), in.size(), out.data(), out.size(), [] { executor_of<Bytes>.run(); }};
}

}  // namespace zoo
