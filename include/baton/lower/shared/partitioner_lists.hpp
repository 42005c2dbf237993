// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The types of the partitioner argument of `to_backend`: one partitioner, a list that is applied in order, or a map of partitioners by
// method.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>
#include <baton/partition/partitioner.hpp>

#include <boost/hana/string.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// Returns true if `T` is a partitioner; otherwise stops the compiler with a message.
template <class T>
consteval auto require_partitioner() -> bool {
  static_assert(
      requires(const T& candidate, const exported_program& program) { candidate.partition(program); },
      "baton not_a_partitioner: the partitioner has no function partition; write: constexpr auto partition(const baton::exported_program& "
      "program) const -> baton::partition_result");
  if constexpr (requires(const T& candidate, const exported_program& program) { candidate.partition(program); }) {
    constexpr bool returns_a_result = partitioner<T>;
    static_assert(returns_a_result, "baton not_a_partitioner: partition does not return a baton::partition_result");
  }
  return partitioner<T>;
}

/// Returns `source` if it is a partitioner. If `source` is a lambda without captures, returns the partitioner that the lambda returns. At
/// compile time, a partitioner with state is passed as such a lambda.
template <class Source>
constexpr auto partitioner_of(const Source& source) -> decltype(auto) {
  if constexpr (std::is_invocable_v<const Source&>) {
    return source();
  } else {
    return (source);
  }
}

/// A list of partitioners in order of priority. Each partitioner is applied to the nodes that the previous partitioners did not tag (assign
/// to a delegate).
template <class... Partitioners>
struct partitioner_list {
  std::tuple<Partitioners...> partitioners;
};

/// The partitioners of one method, applied in order. `Name` is a `baton::name`, or a `std::string_view` at run time.
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

/// A map of partitioners, with at most one entry for each method of a model. Methods without an entry do not change.
template <class... Entries>
struct partitioner_map {
  std::tuple<Entries...> entries;

  /// Returns the names of the methods, in the order of the entries.
  constexpr auto names() const -> vector<std::string_view> {
    return std::apply([](const auto&... each) { return vector<std::string_view>{each.method()...}; }, entries);
  }
  /// Fails with `duplicate_method` if two entries are for the same method.
  constexpr auto check_names() const -> failure { return detail::check_method_names(names()); }
};

namespace detail {

/// A position in a list of `count` partitioners. `count` is 0 if the partitioner is not in a list.
struct list_position {
  std::size_t position = 0;
  std::size_t count = 0;

  /// Returns `why` with its reason prefixed by the position, such as "partitioner 2 of 3".
  constexpr auto with_position(failure why) const -> failure {
    if (why && count != 0) why.reason = reason_at_position(baton::view(why.reason));
    return why;
  }
  constexpr auto with_position(static_failure why) const -> static_failure {
    if (why.is_set && count != 0) why.reason = decltype(why.reason)(reason_at_position(why.reason));
    return why;
  }

 private:
  constexpr auto reason_at_position(std::string_view reason) const -> text_buffer {
    return join("partitioner ", position + 1, " of ", count, reason.empty() ? "" : ": ", reason);
  }
};

}  // namespace detail

}  // namespace baton
