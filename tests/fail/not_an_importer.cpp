// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_an_importer: the importer type has no function recognizes; write: static constexpr auto recognizes(baton::span<const char> bytes) -> bool
#include <baton/core/span.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/read_model.hpp>

#include <string_view>

struct reader {
  static constexpr std::string_view format = "of our own";
#if defined(FIXED)
  static constexpr auto recognizes(baton::span<const char>) -> bool { return true; }
#endif
  static constexpr auto read(baton::span<const char>) -> baton::result<baton::exported_program> { return baton::exported_program{}; }
};

alignas(16) inline constexpr char file[] = "our own bytes";
constexpr auto model = baton::read_model<file, baton::importers<reader>>;
static_assert(model->nodes.size() == 0);
