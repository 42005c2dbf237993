// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs with random weights, and comparisons of inferences in slices with whole inferences.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/in_slices.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace node_chunks {

using namespace baton;

/// Builds programs with random weights.
class writer {
 public:
  program_builder build{};

  constexpr auto quantized(value_id id, float scale = 0.2f, int zero_point = -3) -> value_id {
    build.quantize(id, scale, zero_point);
    return id;
  }
  constexpr auto weights(const tensor_type& type, float scale = 0.01f) -> value_id {
    text_buffer bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i) add(bytes, type.type, below(255) - 127);
    const auto id = build.parameter(view(name()), type, view(bytes));
    if (type.type == dtype::int8 || type.type == dtype::int16) build.quantize(id, scale, 0);
    return id;
  }
  constexpr auto integers(std::initializer_list<std::int32_t> numbers) -> value_id {
    text_buffer bytes;
    for (const auto number : numbers) add(bytes, dtype::int32, number);
    return build.parameter(view(name()), tensor(dtype::int32, static_cast<int>(numbers.size())), view(bytes));
  }

 private:
  constexpr auto below(int limit) -> int {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 16) % static_cast<unsigned>(limit));
  }
  constexpr auto name() -> text_buffer { return join("v", count_++); }
  static constexpr void add(text_buffer& to, dtype type, int number) {
    const auto bits =
        type == dtype::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number) / 128) : static_cast<std::uint32_t>(number);
    for (int b = 0; b < (type == dtype::int8 ? 1 : type == dtype::int16 ? 2 : 4); ++b)
      to.push_back(static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * b))));
  }

  std::uint32_t state_ = 99;
  int count_ = 0;
};

/// Runs some inferences in slices. Returns the number of slices; 0 if an output differs from that of an executor without slices.
template <const auto& Program, auto List, std::uint64_t MaxOperations, class Policy = memory_policies::no_overlap>
auto slices_of() -> int {
  static basic_executor<Program, List, plan_options{}> whole;
  static basic_executor<Program, List, plan_options{}, in_slices::of<MaxOperations>, planned_by<Policy>> net;
  int slices = 0;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i)
      whole.input()[i] = net.input()[i] = static_cast<char>((i + 3) * (i + 1) * 37 + 11 * static_cast<std::size_t>(round));
    // The numbers of the first half have a larger magnitude, so that the ranges of two images differ.
    for (std::size_t i = 3; i < whole.input().size() && whole.input_info().type == dtype::float32; i += 4)
      whole.input()[i] = net.input()[i] = 2 * i < whole.input().size() ? 0x3e : 0x3c;
    whole.run();
    slices = 1;
    net.start();
    while (net.step() == status::ok) ++slices;
    if (!std::equal(whole.output().begin(), whole.output().end(), net.output().begin())) return 0;
  }
  return slices;
}

}  // namespace node_chunks
