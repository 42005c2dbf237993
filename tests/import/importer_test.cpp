// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/importer.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "laws/importer.hpp"
#include "pipe_importer.hpp"

namespace {

using tests::pipe_importer;
static_assert(baton::importer<pipe_importer>);
static_assert(baton::detail::require_importer<pipe_importer>());

struct without_format {
  static constexpr auto recognizes(baton::span<const char>) -> bool { return false; }
  static constexpr auto read(baton::span<const char>) -> baton::result<baton::exported_program> { return baton::exported_program{}; }
};
static_assert(!baton::importer<without_format>);
static_assert(!baton::importer<int>);

constexpr auto the_laws_hold(std::string_view text) -> bool {
  const baton::span<const char> bytes{text.data(), text.size()};
  return laws::importer::all<pipe_importer>(bytes) && laws::importer::all<baton::archetypes::importer>(bytes);
}
static_assert(the_laws_hold("PIPE3abc") && the_laws_hold("PIPE3ab") && the_laws_hold("PIPE") && the_laws_hold(""));

}  // namespace

TEST_CASE("the laws of importers hold for a custom importer and for the archetype") {
  for (const std::string_view text : {"PIPE3abc", "PIPE3ab", "PIPE0", "PIPE", "TFL3", ""}) CHECK(the_laws_hold(text));
}
