// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A method that adds to a cache, and returns it.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/executor.hpp>
#include <baton/lower/methods.hpp>

#include <cstdint>

template <std::int64_t Size>
constexpr auto with_cache() -> baton::exported_program {
  baton::program_builder b;
  const auto type = baton::tensor(baton::dtype::float32, Size);
  const auto cache = b.mutable_buffer("cache", type);
  const auto next = b.call("next", "tfl.add", {cache, b.user_input("x", type)}, type);
  b.mutation(next, "cache");
  b.output(next);
  return b.finish();
}
