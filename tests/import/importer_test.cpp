// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/importer.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/shared/rules.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

#include "laws/importer.hpp"

namespace {

/// A format of one's own: "PIPE", then the size of a vector as a digit, then its bytes: a constant that goes straight out.
struct pipe_importer {
  static constexpr std::string_view format = "Pipe";
  static constexpr auto recognizes(baton::span<const char> bytes) -> bool {
    return std::string_view{bytes.data(), bytes.size()}.starts_with("PIPE");
  }
  static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program> {
    if (!recognizes(bytes)) return baton::broken<"foreign_file">();
    if (bytes.size() < 5 || bytes.size() - 5 != static_cast<std::size_t>(bytes[4] - '0')) return baton::broken<"damaged_model">();
    baton::program_builder build;
    auto record = build.make_value("data", baton::tensor(baton::dtype::uint8, bytes.size() - 5), baton::value_kind::constant);
    record.data = build.view({bytes.data() + 5, bytes.size() - 5});
    build.output(build.add_input(record));
    return build.finish();
  }
};
static_assert(baton::importer<pipe_importer>);
static_assert(baton::detail::require_importer<pipe_importer>());

struct without_format {
  static constexpr auto recognizes(baton::span<const char>) -> bool { return false; }
  static constexpr auto read(baton::span<const char>) -> baton::result<baton::exported_program> { return baton::exported_program{}; }
};
static_assert(!baton::importer<without_format>);
static_assert(!baton::importer<int>);

inline constexpr char embedded[] = "PIPE3abc";
constexpr baton::static_program<baton::read_embedded<pipe_importer, embedded>> program{};
static_assert(program->values.size() == 1);

constexpr auto the_terminating_zero_is_no_part_of_the_model() -> bool {
  return program.value().text(program->values[0].data) == "abc" && program->values[0].data.outside == embedded + 5;
}
static_assert(the_terminating_zero_is_no_part_of_the_model());

constexpr auto the_laws_hold(std::string_view text) -> bool {
  const baton::span<const char> bytes{text.data(), text.size()};
  return laws::importer::all<pipe_importer>(bytes) && laws::importer::all<baton::archetypes::importer>(bytes);
}
static_assert(the_laws_hold("PIPE3abc") && the_laws_hold("PIPE3ab") && the_laws_hold("PIPE") && the_laws_hold(""));

}  // namespace

TEST_CASE("importer: the terminating zero is no part of the model") { CHECK(the_terminating_zero_is_no_part_of_the_model()); }

TEST_CASE("importer: the laws hold for an importer of one's own and for the archetype") {
  for (const std::string_view text : {"PIPE3abc", "PIPE3ab", "PIPE0", "PIPE", "TFL3", ""}) CHECK(the_laws_hold(text));
}
