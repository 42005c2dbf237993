// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/read_model.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/tflite.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "pipe_importer.hpp"
#include "two_entry_points.hpp"

namespace {

using namespace baton;
using tests::pipe_importer;

// `read_model` reads a TensorFlow Lite file as `tflite::read` does.

constexpr auto model_size = tests::two_entry_points().size();
constexpr auto model_array = [] {
  const auto model = tests::two_entry_points();
  std::array<char, model_size> array{};
  for (std::size_t i = 0; i < model_size; ++i) array[i] = model[i];
  return array;
}();
template <class>
struct embedded;
template <std::size_t... I>
struct embedded<std::index_sequence<I...>> {
  static constexpr char model[] = {model_array[I]..., '\0'};
};
constexpr auto& model = embedded<std::make_index_sequence<model_size>>::model;

constexpr auto both = default_importers + importers<pipe_importer>;

template <class Left, class Right>
inline constexpr bool are_same_type = std::is_same_v<std::remove_cv_t<Left>, std::remove_cv_t<Right>>;
static_assert(are_same_type<decltype(read_model<model>), decltype(tflite::read<model>)>);
static_assert(are_same_type<decltype(read_model<model, both>), decltype(tflite::read<model>)>);
static_assert(are_same_type<decltype(read_model<model, importers<pipe_importer, decltype(both)>>), decltype(tflite::read<model>)>);
static_assert(are_same_type<decltype(read_model<model, both, "decode">), decltype(tflite::read<model, tflite::entry<"decode">>)>);

constexpr auto entry_points_are_read() -> bool {
  return read_model<model>->nodes.size() == 1 && read_model<model, both, "decode">->nodes.size() == 2 &&
         same(read_model<model, both, "decode">, tflite::read_bytes({model, model_size}, {.entry = "decode"}));
}
static_assert(entry_points_are_read());

// A file of a custom format.

inline constexpr char pipe[] = "PIPE3abc";
inline constexpr unsigned char pipe_in_numbers[] = {'P', 'I', 'P', 'E', '2', 'a', 'b'};
constexpr auto program = read_model<pipe, both>;

constexpr auto the_terminating_zero_is_not_part_of_the_model() -> bool {
  return program->values.size() == 1 && program.value().text(program->values[0].data) == "abc" &&
         program->values[0].data.outside == pipe + 5;
}
static_assert(the_terminating_zero_is_not_part_of_the_model());

constexpr auto arrays_of_numbers_are_read_to_the_end() -> bool {
  constexpr auto& numbers = read_model<pipe_in_numbers, importers<pipe_importer>>;
  return numbers.value().text(numbers->values[0].data) == "ab";
}
static_assert(arrays_of_numbers_are_read_to_the_end());

/// An importer with one entry point, `main`.
struct named_importer : pipe_importer {
  using pipe_importer::read;
  static constexpr auto read(span<const char> bytes, std::string_view entry) -> result<exported_program> {
    if (entry != "main") return broken<"unknown_name">("no ", entry);
    return read(bytes);
  }
};

template <const auto& Bytes, auto Importers, fixed_string Entry = "">
constexpr auto failure_of() -> text_buffer {
  using program_type = std::remove_cv_t<decltype(read_model<Bytes, Importers, Entry>)>;
  const auto why = first_failure<program_type>();
  return join(std::string_view{why.rule_name}, ": ", std::string_view{why.reason});
}

inline constexpr char picture[] = "\x89PNG";
inline constexpr char damaged[] = "PIPE9abc";
inline constexpr char cut[] = {'P', 'I', 'P', 'E', '1', 'a'};  // without a terminating zero, so its last byte would be lost

constexpr auto a_custom_importer_reads_an_entry_point() -> bool {
  return read_model<pipe, importers<named_importer>, "main">->values.size() == 1 &&
         view(failure_of<pipe, importers<named_importer>, "other">()) == "unknown_name: no other" &&
         view(failure_of<pipe, both, "main">()) ==
             "unknown_name: there is no entry point main; a file in the format Pipe has a single, unnamed entry point";
}
static_assert(a_custom_importer_reads_an_entry_point());

constexpr auto unknown_and_damaged_files_are_rejected() -> bool {
  return view(failure_of<picture, both>()) == "unknown_format: the formats are: TensorFlow Lite, ExecuTorch, torch.export, ONNX, Pipe" &&
         view(failure_of<pipe, importers<>>()) == "unknown_format: the list is empty" &&
         view(failure_of<damaged, both>()) == "damaged_model: " &&
         view(failure_of<cut, both>()) == "unreadable_bytes: the last char of the array is not zero";
}
static_assert(unknown_and_damaged_files_are_rejected());

}  // namespace

TEST_CASE("read_model reads the selected entry point") { CHECK(entry_points_are_read()); }
TEST_CASE("read_model reads a custom format") {
  CHECK(the_terminating_zero_is_not_part_of_the_model());
  CHECK(arrays_of_numbers_are_read_to_the_end());
  CHECK(a_custom_importer_reads_an_entry_point());
}
TEST_CASE("read_model rejects unknown and damaged files") { CHECK(unknown_and_damaged_files_are_rejected()); }
