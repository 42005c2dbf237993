// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program with several partitioners: the steps of one partitioner after those of another, in both times.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/validation.hpp>
#include <baton/lower/detail/lowering_stages.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/partitioners.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Lowers at run time, or within a constant, with one partitioner after the other; the first failure ends it.
template <class... Backends, class... Partitioners>
constexpr auto lower_program(backend_list<Backends...> list, const exported_program& program,
                             const partitioner_list<Partitioners...>& order, validation checks) -> result<exported_program> {
  result<exported_program> made;
  list_place at{0, sizeof...(Partitioners)};
  const auto lower_next = [&](const auto& partitioner) {
    if (!made) return;
    made = lower_program(list, at.place == 0 ? program : made.value, partitioner, checks);
    if (!made) made.error = at.told(std::move(made.error));
    at.place += 1;
  };
  std::apply([&](const auto&... each) { (lower_next(each), ...); }, order.partitioners);
  if constexpr (sizeof...(Partitioners) == 0) made.value = program;
  return made;
}

/// Lowers a static program with the partitioner at a place of a list, then with those behind it.
template <list_place At, class List, class Model, validation Checks, class... Partitioners>
constexpr auto lower_static_in_order() {
  if constexpr (At.place == At.count) {
    return Model{};
  } else {
    using partitioner = std::tuple_element_t<At.place, std::tuple<Partitioners...>>;
    using tagged = static_program<partition_stage<List, Model, partitioner, Checks>>;
    if constexpr (!tagged::is_whole) {
      require_unbroken<At.told(first_failure<tagged>())>();
      return Model{};
    } else {
      constexpr auto count = parts_of(tagged::value()).size();
      using stage = lowering_stage<List, Model, tagged, Checks, std::make_index_sequence<count>>;
      constexpr auto why = At.told(stage::why());
      require_unbroken<why>();
      if constexpr (why.broken) {
        return Model{};
      } else {
        return lower_static_in_order<list_place{At.place + 1, At.count}, List, static_program<stage>, Checks, Partitioners...>();
      }
    }
  }
}

}  // namespace baton::detail
