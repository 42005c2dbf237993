// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Archives of torch.export as static programs: the index is read in pieces, and weights with strides are deferred.
#include <baton/import/pt2.hpp>

#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_indexer.hpp>
#include <baton/import/read_model.hpp>

#include "import/pt2_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using baton::program_view;
using tests::pt2_graph;
using tests::pt2_program;
using tests::tensor_argument;
using tests::tensors_argument;
using file = baton::vector<char>;

/// y = cond(p, relu(transposed weight), transposed weight), with a weight of 256 bytes.
constexpr auto net() -> pt2_program {
  pt2_program result;
  baton::text_buffer bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  result.data("parameter", "p_w", "w", {8, 8}, baton::view(bytes), {1, 8});
  result.user_input("p", {}, 12);
  result.value("y", {8, 8});
  pt2_graph yes, no;
  for (auto* graph : {&yes, &no}) {
    graph->input("w");
    graph->value("w", {8, 8});
  }
  yes.value("r", {8, 8});
  yes.node("relu", "torch.ops.aten.relu.default", {tensor_argument("w")}, {tensor_argument("r")});
  yes.output("r");
  no.output("w");
  result.node("cond", "torch.ops.higher_order.cond",
              {tensor_argument("p"), yes.argument("yes"), no.argument("no"), tensors_argument({"p_w"})}, {tensor_argument("y")});
  result.user_output("y");
  return result;
}
constexpr auto sound() -> file { return net().file(); }
constexpr auto broken() -> file { return net().file("{\"graph_module\": {]}"); }

template <auto Make>
constexpr auto size_of() -> std::size_t {  // Clang 16 keeps temporaries of template arguments
  return Make().size();
}
template <auto Make>
constexpr auto array_of = [] {
  std::array<char, size_of<Make>()> array{};
  const auto bytes = Make();
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}();
template <auto Make, std::size_t... I>
struct embedded_array {
  static constexpr unsigned char array[] = {static_cast<unsigned char>(array_of<Make>[I])...};
};
template <auto Make, std::size_t... I>
constexpr auto embed(std::index_sequence<I...>) -> embedded_array<Make, I...>;
template <auto Make>
using embedded = decltype(embed<Make>(std::make_index_sequence<size_of<Make>()>()));

constexpr auto model = baton::pt2::read<embedded<sound>::array>;
static_assert(baton::same(model.value(), baton::read_model<embedded<sound>::array>.value()));

constexpr auto a_constant_equals_the_program_at_run_time() -> bool {
  const auto bytes = sound();
  const auto read = baton::pt2::read_bytes(bytes);
  const program_view program = read, constant = model;
  const auto data = constant.data(constant.values[1].data);
  bool is_same = program.nodes.size() == 2 && constant.nodes.size() == 2 && data.size() == 256;
  // Element [i][j] of the weight is element [j][i] of the record.
  for (std::size_t i = 0; i < 64; ++i) is_same = is_same && data[4 * i] == static_cast<char>(4 * (i / 8 + 8 * (i % 8)));
  return is_same && baton::same(program, constant);
}
static_assert(a_constant_equals_the_program_at_run_time());

template <class Program>
constexpr auto failure_of() -> baton::text_buffer {
  const auto why = baton::first_failure<Program>();
  return baton::join(std::string_view{why.rule_name}, ": ", std::string_view{why.reason});
}
constexpr auto failures_are_those_at_run_time() -> bool {
  using read_broken = std::remove_cv_t<decltype(baton::pt2::read<embedded<broken>::array>)>;
  using read_other = std::remove_cv_t<decltype(baton::pt2::read<embedded<sound>::array, baton::pt2::entry<"decode">>)>;
  using read_entry = std::remove_cv_t<decltype(baton::read_model<embedded<sound>::array, baton::default_importers, "encode">)>;
  using read_size = std::remove_cv_t<decltype(baton::pt2::read<embedded<sound>::array, baton::pt2::dimension<"s0", 2>>)>;
  return baton::view(failure_of<read_broken>()) == "damaged_model: record net/models/model.json has an unexpected value at its byte 18" &&
         baton::view(failure_of<read_other>()) == "unknown_name: there is no program decode; there are: model" &&
         baton::view(failure_of<read_entry>()) == "unknown_name: there is no program encode; there are: model" &&
         baton::view(failure_of<read_size>()) == "unknown_name: there is no symbol s0";
}
static_assert(failures_are_those_at_run_time());

/// Returns the words of the index that is read in pieces of about `max_bytes`, and sets the number of pieces.
constexpr auto index_in_pieces(const file& bytes, std::size_t max_bytes, std::size_t& pieces) -> baton::vector<std::uint32_t> {
  using namespace baton::pt2::detail;
  const auto archive = zip_archive::read(bytes);
  const auto texts = texts_of(archive.value, {});
  baton::vector<std::uint32_t> words;
  index_position position;
  for (pieces = 0; !position.is_done && pieces < 1000; ++pieces) {
    indexer index(bytes, texts.value, position, max_bytes);
    if (!index.run()) return {};
    words.insert(words.end(), index.words().begin(), index.words().end());
    position = index.position();
  }
  return words;
}
constexpr auto pieces_have_the_words_of_the_whole() -> bool {
  const auto bytes = sound();
  std::size_t one = 0, many = 0, few = 0;
  const auto whole = index_in_pieces(bytes, static_cast<std::size_t>(-1), one);
  const auto least = index_in_pieces(bytes, 1, many), some = index_in_pieces(bytes, 300, few);
  const auto is_whole = [&](const auto& words) { return std::equal(words.begin(), words.end(), whole.begin(), whole.end()); };
  return one == 1 && many > 10 && few > 2 && few < many && is_whole(least) && is_whole(some);
}

}  // namespace

TEST_CASE("pt2: a static program equals the program at run time") { CHECK(a_constant_equals_the_program_at_run_time()); }
TEST_CASE("pt2: failures of static programs have the sentences of run time") { CHECK(failures_are_those_at_run_time()); }
TEST_CASE("pt2: the index does not depend on its pieces") { CHECK(pieces_have_the_words_of_the_whole()); }
