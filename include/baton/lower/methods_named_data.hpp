// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The named data of several methods together.
#pragma once

#include <baton/backend/named_data.hpp>
#include <baton/core/error.hpp>
#include <baton/core/nested_graphs.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/program_named_data.hpp>

#include <array>

namespace baton {

/// The named data of all delegates of all methods: a key of several methods stands once. Views, which the methods must outlive.
constexpr auto named_data(const exported_methods& methods, reach how_far = reach::branches) -> named_data_store {
  vector<program_view> programs;
  for (const auto& each : methods) programs.push_back(each.program);
  return value_or_raise(merged_named_data(programs, how_far));
}
template <class... Names, class... Makes>
constexpr auto named_data(static_methods<static_method<Names, Makes>...>, reach how_far = reach::branches) -> named_data_store {
  const std::array<program_view, sizeof...(Makes)> programs{static_program<Makes>::value()...};
  return value_or_raise(merged_named_data(programs, how_far));
}

}  // namespace baton
