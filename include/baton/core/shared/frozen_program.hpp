// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs that are constants: each pool (array of all records of one kind) is an array of exact size.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/pool_sizes.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace baton {

namespace detail {

/// Copies the first `count` records of a pool into an array that has room for them.
template <class From, class To>
constexpr void copy_records(const From& from, To& to, std::size_t count) {
  if constexpr (std::is_same_v<typename To::value_type, char>) {
    copy_bytes({from.data(), count}, to.data());
  } else {
    const auto* const records = from.data();
    auto* const copies = to.data();
    for (std::size_t i = 0; i < count; ++i) copies[i] = records[i];
  }
}

/// Storage in arrays of exact size, for programs that are constants.
template <pool_sizes Sizes>
struct frozen {
  template <class T, std::size_t I>
  using pool = std::array<T, Sizes[I]>;
};

}  // namespace detail

/// A program that is a constant: each pool is an array of exact size.
template <pool_sizes Sizes>
using frozen_program = basic_program<detail::frozen<Sizes>>;

/// Copies the records of `program` into `copy`, whose pools may be smaller. Records that do not fit are omitted.
template <pool_sizes From, pool_sizes To>
constexpr void copy_frozen(const frozen_program<From>& program, frozen_program<To>& copy) {
  for_each_pool(
      []<class Pool, class Copy>(const Pool& from, Copy& to) {
        if constexpr (std::is_same_v<Pool, Copy>) {
          to = from;  // copies an array of any size at the cost of one record
        } else {
          detail::copy_records(from, to, to.size());
        }
      },
      program, copy);
  copy.operators = program.operators;
  copy.dialect = program.dialect;
}

}  // namespace baton
