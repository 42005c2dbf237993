// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton foreign_file: a file does not have the importer's format; check the path and the format
// EXPECT: because<baton::fixed_string<16>{"no model at all"}>
#include <baton/core/static_program.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

// A refused model is an error at its first use.
constexpr auto make = []() -> baton::result<baton::exported_program> {
#if defined(FIXED)
  return conformance::g_sin();
#else
  return baton::broken<"foreign_file">("no model at all");
#endif
};

constexpr auto target = baton::backends<baton::archetypes::backend>;
constexpr auto lowered = baton::to_backend(target, baton::static_program{make}, baton::archetypes::partitioner{});
