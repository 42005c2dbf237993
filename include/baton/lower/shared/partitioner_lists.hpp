// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What stands for one or more partitioners: alone, one after the other, by method.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/partition/partitioner.hpp>

#include <boost/hana/string.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// Stops the compiler with a sentence if a type is no partitioner.
template <class T>
consteval auto require_partitioner() -> bool {
  static_assert(
      requires(const T& candidate, const exported_program& program) { candidate.partition(program); },
      "baton not_a_partitioner: a partitioner has no partition; write: constexpr auto partition(const baton::exported_program& program) "
      "const -> baton::partition_result");
  if constexpr (requires(const T& candidate, const exported_program& program) { candidate.partition(program); }) {
    constexpr bool returns_a_result = partitioner<T>;
    static_assert(returns_a_result, "baton not_a_partitioner: partition does not return a baton::partition_result");
  }
  return partitioner<T>;
}

/// A partitioner, or what a lambda without captures makes: the form in which the compiler is given one with state.
template <class Given>
constexpr auto partitioner_of(const Given& given) -> decltype(auto) {
  if constexpr (std::is_invocable_v<const Given&>) {
    return given();
  } else {
    return (given);
  }
}

/// Partitioners in the order of their priority, each for what those before it left.
template <class... Partitioners>
struct partitioner_list {
  std::tuple<Partitioners...> partitioners;
};

/// The partitioners of one method, applied one after the other. `Name` is a `baton::name`, or a `std::string_view` at run time.
template <class Name, class... Partitioners>
struct method_partitioners {
  Name name;
  std::tuple<Partitioners...> partitioners;

  constexpr auto method() const -> std::string_view {
    if constexpr (std::is_same_v<Name, std::string_view>) {
      return name;
    } else {
      return to_text(name);
    }
  }
};

/// Partitioners for some of the methods of a model, in order; methods that have none are left as they are.
template <class... Entries>
struct partitioner_map {
  std::tuple<Entries...> entries;
};

namespace detail {

/// A position in a list of partitioners; a partitioner that was given alone has none.
struct list_position {
  std::size_t position = 0;
  std::size_t count = 0;

  /// The failure, "partitioner 2 of 3" before its reason.
  constexpr auto with_position(failure why) const -> failure {
    if (why && count != 0) why.reason = reason_at_position(baton::view(why.reason));
    return why;
  }
  constexpr auto with_position(static_failure why) const -> static_failure {
    if (why.broken && count != 0) why.reason = decltype(why.reason)(reason_at_position(why.reason));
    return why;
  }

 private:
  constexpr auto reason_at_position(std::string_view reason) const -> text_buffer {
    return join("partitioner ", position + 1, " of ", count, reason.empty() ? "" : ": ", reason);
  }
};

}  // namespace detail

}  // namespace baton
