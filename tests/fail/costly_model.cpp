// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_model: the compiler cannot evaluate the import of a model; see the compiler's message above, and raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)
// EXPECT: a file of 14 bytes
// FIRST: any
// LINES: 90
// The compiler first reports the limit, and the place where it was exceeded.
#include <baton/core/span.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/read_model.hpp>

#include "fail/long_work.hpp"

#include <string_view>

/// Runs a loop with many iterations.
struct reader {
  static constexpr std::string_view format = "of our own";
  static constexpr auto recognizes(baton::span<const char>) -> bool { return true; }
  static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program> {
    baton::exported_program program;
    if (long_work(!bytes.empty()) == 1) program.bytes.push_back(bytes[0]);
    return program;
  }
};

alignas(16) inline constexpr char file[] = "our own bytes";
constexpr auto model = baton::read_model<file, baton::importers<reader>>;
static_assert(model->nodes.size() == 0);
