// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The HTA demo partitioners (R282): the matches of patterns, with their constants.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/demo_backend.hpp"

#include <cstdint>

namespace conformance {

/// An LSTM cell with a convolution of its output: the first eight operators of G-LSTM.
constexpr auto lstm_and_convolution() -> baton::exported_program {
  constexpr auto row = baton::tensor(baton::dtype::float32, 1, 4);
  baton::program_builder b;
  const auto x = b.user_input("x", row);
  const auto h = b.user_input("h", row);
  const auto c = b.user_input("c", row);
  const auto w1 = b.user_input("w1", row);
  const auto w2 = b.user_input("w2", row);
  const auto w3 = b.user_input("w3", row);
  const auto b3 = b.user_input("b3", row);
  const auto mm = b.call("aten.mm.default", {x, w1}, row);
  const auto mm_1 = b.call("aten.mm.default", {h, w2}, row);
  const auto add = b.call("aten.add.Tensor", {mm, mm_1}, row);
  const auto t = b.call("aten.tanh.default", {add}, row);
  const auto cn = b.call("aten.mul.Tensor", {t, c}, row);
  const auto out = b.call("aten.sin.default", {cn}, row);
  b.output(out);
  b.output(b.call("aten.relu.default", {out}, row));
  b.output(cn);
  b.output(b.call("aten.convolution.default", {out, w3, b3}, row));
  return b.finish();
}

/// A difference of two inputs.
constexpr auto difference() -> baton::exported_program {
  constexpr auto row = baton::tensor(baton::dtype::float32, 1, 4);
  baton::program_builder b;
  const auto p = b.user_input("p", row);
  const auto q = b.user_input("q", row);
  b.output(b.call("aten.sub.Tensor", {p, q}, row));
  return b.finish();
}

/// HTAPartitionerOnePatternDemo, or, with several patterns, HTAPartitionerMultiplePatternsDemo, which renumbers its parts.
template <auto... Patterns>
struct hta_partitioner_demo {
  static constexpr auto partition(const baton::program_view& program) -> baton::result<baton::partition_result> {
    auto parts = baton::parts_from_patterns(program, baton::patterns<Patterns...>::make());
    if (!parts) return parts.error;
    std::uint32_t id = 0;
    if (sizeof...(Patterns) > 1) {
      for (auto& part : parts.value) part.id = id++;
    }
    baton::partition_result tagged{program};
    if (auto why = baton::tag_parts(tagged, program, parts.value, "tag", baton::delegation_spec{baton::to_text(demo_backend::id)}))
      return why;
    baton::tag_constant_data(tagged, program);
    return tagged;
  }
};

}  // namespace conformance
