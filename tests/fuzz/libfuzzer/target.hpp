// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parts that the targets of libFuzzer have in common.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>
#include <baton/transform/default_passes.hpp>

#include "fuzz/memory_of.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

extern "C" auto LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size) -> std::size_t;

namespace fuzz {

/// Ends the program if a property does not hold. libFuzzer then stores the input.
inline void demand(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: this does not hold: %s\n", property);
  std::abort();
}

inline auto chars_of(const std::uint8_t* data, std::size_t size) -> baton::span<const char> {
  return {reinterpret_cast<const char*>(data), size};
}

/// Imports bytes with `read`. A valid program is inspected, transformed and planned, as a tool does at run time. Each step succeeds or
/// fails with a message.
template <class Read>
void import_bytes(baton::span<const char> bytes, Read read) {
  const baton::result<baton::exported_program> imported = read(bytes);
  demand(memory_of(imported.value) <= 64 * bytes.size() + 65536, "the memory of a program is linear in the bytes of its file");
  if (!imported) {
    demand(!baton::message(imported.error).empty() && imported.value.graphs.empty(), "a refused file has a message and no program");
    return;
  }
  demand(!baton::verify(imported.value), "an imported program is valid");
  static_cast<void>(baton::check_inference(imported.value));
  demand(!baton::print(imported.value).empty(), "an imported program can be printed");
  demand(!baton::report::operator_table(imported.value).empty(), "an imported program has a table of operators");
  const auto transformed = baton::default_passes.run(imported.value);
  if (!transformed) {
    demand(!baton::message(transformed.error).empty(), "a pass fails with a message");
    return;
  }
  demand(!baton::verify(transformed.value), "a transformed program is valid");
  if (const auto plan = baton::plan_memory(transformed.value)) demand(!baton::verify_plan(plan.value), "a memory plan is valid");
}

/// Replaces an input of libFuzzer by a damaged copy that `Copies` generates. Inputs that `Copies` cannot parse, and one in four others, are
/// left to libFuzzer. Returns the size of the new input.
template <class Copies>
auto mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed, bool is_parsed) -> std::size_t {
  if (!is_parsed || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  try {
    const auto bytes = chars_of(data, size);
    const baton::vector<char> original(bytes.begin(), bytes.end());
    Copies copies(original, seed);
    const baton::span<const char> copy = copies.next();
    const auto kept = std::min(copy.size(), max_size);
    std::copy_n(copy.begin(), kept, data);
    return kept;
  } catch (const std::exception&) {  // a valid file in a form that the generator of copies does not know
    return LLVMFuzzerMutate(data, size, max_size);
  }
}

}  // namespace fuzz
