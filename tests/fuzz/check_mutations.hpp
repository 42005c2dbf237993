// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Imports damaged copies of a model, and checks that each one is imported or rejected with a message.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/verify.hpp>

#include "fuzz/memory_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>

namespace fuzz {

/// Returns BATON_FUZZ_ITERATIONS, or `otherwise` if it is not set.
inline auto mutation_count(std::size_t otherwise) -> std::size_t {
  const char* set = std::getenv("BATON_FUZZ_ITERATIONS");
  return set == nullptr ? otherwise : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
}

/// Imports `mutations` copies of a model. `read(bytes, number)` imports a copy. `exercise` is called with each imported program, for
/// everything else that must work.
template <class Copies, class Read, class Exercise>
void check_mutations(const std::string& name, Copies copies, std::size_t mutations, Read read, Exercise exercise) {
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const baton::span<const char> bytes = copies.next();
    const baton::result<baton::exported_program> result = read(bytes, i);
    CHECK(memory_of(result.value) <= 64 * bytes.size() + 65536);
    if (result) {
      CHECK(!baton::verify(result.value));
      exercise(result.value);
      ++imported;
    } else {
      CHECK(!baton::message(result.error).empty());
      CHECK(result.value.graphs.empty());
    }
  }
  std::cout << name << ": " << mutations << " mutations, " << imported << " imported, " << mutations - imported << " refused\n";
  if (mutations >= 1000) CHECK((imported > 0 && imported < mutations));
}

}  // namespace fuzz
