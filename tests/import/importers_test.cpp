// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/importers.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/tflite.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

#include "laws/importer.hpp"
#include "pipe_importer.hpp"
#include "two_entry_points.hpp"

namespace {

using namespace baton;
using tests::pipe_importer;

constexpr auto both = importers<tflite::importer, pipe_importer>;
static_assert(importer<std::remove_cv_t<decltype(both)>>);
static_assert(both.format == "TensorFlow Lite, Pipe" && importers<>.format.empty());
static_assert((importers<pipe_importer, decltype(both)>.format == "Pipe, TensorFlow Lite, Pipe"));
static_assert(std::is_same_v<importer_list<tflite::importer, pte::importer, pt2::importer, onnx::importer, pipe_importer>,
                             decltype(default_importers + importers<pipe_importer>)>);

constexpr auto bytes_of(std::string_view text) -> span<const char> { return {text.data(), text.size()}; }

template <fixed_string Rule>
constexpr auto is_rejected(const result<exported_program>& read, std::string_view reason) -> bool {
  return !read && read.error.rule == rule<Rule>::sentence && view(read.error.reason) == reason && read.value.graphs.empty();
}

constexpr auto the_importer_that_recognizes_a_file_reads_it() -> bool {
  const auto model = tests::two_entry_points();
  return same(both.read(bytes_of("PIPE3abc")).value, pipe_importer::read(bytes_of("PIPE3abc")).value) && both.read(bytes_of("PIPE3abc")) &&
         same(both.read(model).value, tflite::read_bytes(model)) && both.recognizes(model) && both.recognizes(bytes_of("PIPE"));
}
static_assert(the_importer_that_recognizes_a_file_reads_it());

struct greedy_importer : archetypes::importer {
  static constexpr std::string_view format = "anything";
  static constexpr auto recognizes(span<const char>) -> bool { return true; }
};

constexpr auto only_the_first_matching_importer_reads_a_file() -> bool {
  return importers<pipe_importer, greedy_importer>.read(bytes_of("PIPE1a")) &&
         is_rejected<"damaged_model">(importers<greedy_importer, pipe_importer>.read(bytes_of("PIPE1a")), "");
}
static_assert(only_the_first_matching_importer_reads_a_file());

constexpr auto an_unknown_file_is_rejected_with_the_known_formats() -> bool {
  return is_rejected<"unknown_format">(both.read(bytes_of("\x89PNG")), "the formats are: TensorFlow Lite, Pipe") &&
         is_rejected<"unknown_format">(both.read({}), "the formats are: TensorFlow Lite, Pipe") &&
         is_rejected<"unknown_format">(importers<pipe_importer>.read(tests::two_entry_points()), "the formats are: Pipe") &&
         is_rejected<"unknown_format">(importers<>.read(bytes_of("PIPE1a")), "the list is empty") && !importers<>.recognizes({}) &&
         !both.recognizes(bytes_of("\x89PNG"));
}
static_assert(an_unknown_file_is_rejected_with_the_known_formats());

constexpr auto a_damaged_file_is_rejected_by_its_importer() -> bool {
  const auto model = tests::two_entry_points();
  const auto half = span<const char>{model}.first(model.size() / 2);
  return is_rejected<"damaged_model">(both.read(bytes_of("PIPE3ab")), "") && both.read(half).error.is<"damaged_model">() &&
         message(both.read(half).error) == message(tflite::try_read_bytes(half).error);
}
static_assert(a_damaged_file_is_rejected_by_its_importer());

constexpr auto an_entry_point_is_selected_by_name() -> bool {
  const auto model = tests::two_entry_points();
  return same(both.read(model, "decode").value, tflite::read_bytes(model, {.entry = "decode"})) && both.read(model, "decode") &&
         is_rejected<"unknown_name">(both.read(model, "encode"), "there is no entry point encode; there are: prefill decode") &&
         is_rejected<"unknown_name">(both.read(bytes_of("PIPE1a"), "encode"),
                                     "there is no entry point encode; a file in the format Pipe has a single, unnamed entry point");
}
static_assert(an_entry_point_is_selected_by_name());

constexpr auto entry_points_are_listed() -> bool {
  const auto model = tests::two_entry_points();
  const auto points = both.entry_points(model);
  return points.size() == 2 && points[0].name == "prefill" && points[0].is_default && points[1].name == "decode" && !points[1].is_default &&
         both.entry_points(bytes_of("PIPE1a")).empty() && both.entry_points({}).empty() && importers<>.entry_points({}).empty();
}
static_assert(entry_points_are_listed());

constexpr auto the_laws_hold(span<const char> bytes) -> bool {
  return laws::importer::all<decltype(both)>(bytes) && laws::importer::all<decltype(importers<>)>(bytes);
}
static_assert(the_laws_hold(bytes_of("PIPE3abc")) && the_laws_hold(bytes_of("PIPE")) && the_laws_hold({}));
static_assert(the_laws_hold(tests::two_entry_points()));

}  // namespace

TEST_CASE("importers: the first importer that recognizes a file reads it") {
  CHECK(the_importer_that_recognizes_a_file_reads_it());
  CHECK(only_the_first_matching_importer_reads_a_file());
}
TEST_CASE("importers: unknown and damaged files are rejected") {
  CHECK(an_unknown_file_is_rejected_with_the_known_formats());
  CHECK(a_damaged_file_is_rejected_by_its_importer());
}
TEST_CASE("importers: entry points are listed, and selected by name") {
  CHECK(an_entry_point_is_selected_by_name());
  CHECK(entry_points_are_listed());
}
TEST_CASE("importers: a list of importers is an importer") {
  for (const std::string_view text : {"PIPE3abc", "PIPE3ab", "PIPE0", "PIPE", "TFL3", ""}) CHECK(the_laws_hold(bytes_of(text)));
  CHECK(the_laws_hold(tests::two_entry_points()));
}
