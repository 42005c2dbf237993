// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/program_named_data.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

constexpr char flash[] = {'w', 'e', 'i', 'g', 'h', 't'};

/// Adds a view, and a copy under the name of the part's first node.
constexpr auto fill(named_data_store& store, const program_view& part) -> failure {
  if (auto why = store.add_view("weights", text{flash, 6}, {.alignment = 8, .external_tag = {}, .layout = {}})) return why;
  constexpr std::int64_t sizes[] = {1, 3};
  named_data_options options;
  options.external_tag = "file";
  options.layout = tensor_layout::row_major(dtype::int8, sizes);
  return store.add(part.text(part.nodes[0].name), text{"own"}, options);
}
constexpr auto collide(named_data_store& store, const program_view& part) -> failure {
  return store.add("packed", part.text(part.nodes[0].name));
}

constexpr auto target = backends<naming_backend<fill>, naming_backend<collide, "Dsp">>;
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
using two_parts = tags::partitioner<tags::part<"t0", "Npu", "mm">, tags::part<"t1", "Npu", "mm_1">>;
constexpr auto lowered = to_backend(target, model, two_parts{});

constexpr auto is_merged(const named_data_store& store) -> bool {
  const auto* const own = store.find("mm_1");
  return store.entries().size() == 3 && store.buffer_count() == 2 && store.bytes(0).data() == flash && store.alignment(0) == 8 &&
         own != nullptr && store.bytes(own->buffer) == "own" && view(own->external_tag) == "file" && own->layout->sizes[1] == 3 &&
         own->layout->type == dtype::int8 && own->layout->dim_order.size() == 2;
}

// Weights remain in flash, and data that both delegates have are stored once.
constexpr auto data_is_stored_once_and_views_remain_views(const program_view& program) -> bool {
  const auto modules = delegates(program);
  const auto first = modules[0].named_data();
  const auto second = modules[1].named_data();
  return is_merged(named_data(program)) && first[0].data.outside == flash && first[0].data == second[0].data &&
         first[1].data == second[1].data && !verify(program);
}
static_assert(data_is_stored_once_and_views_remain_views(lowered));

// Named data are kept if a program is lowered again. Data of a delegate inside another delegate do not belong to the program.
using the_rest = tags::partitioner<tags::part<"t2", "Npu", "sub">>;
constexpr auto named_data_is_kept() -> bool {
  const auto once = to_backend(target, conformance::g_mmadd(), two_parts{});
  const auto twice = to_backend(target, once, the_rest{});
  const auto store = named_data(twice);
  const auto nested = to_backend(target, once, tags::partitioner<tags::part<"t", "Npu", "executorch_call_delegate add">>{});
  return data_is_stored_once_and_views_remain_views(once) && store.entries().size() == 4 && store.find("sub") != nullptr &&
         store.buffer_count() == 2 && named_data(nested).find("mm") == nullptr &&
         named_data(nested, reach::delegates).find("mm") != nullptr;
}

constexpr auto disagreement() -> failure {
  using parts = tags::partitioner<tags::part<"t0", "Dsp", "mm">, tags::part<"t1", "Dsp", "mm_1">>;
  return try_to_backend(target, conformance::g_mmadd(), parts{}, validation::off).error;
}
static_assert(disagreement().is<"conflicting_named_data">());

// E45: a record that is not inline or has an invalid index corresponds to a reference outside of its pool.
constexpr auto bad_references_are_refused() -> bool {
  const auto broken_by = [](auto change) {
    auto program = to_backend(target, conformance::g_mmadd(), two_parts{});
    change(program);
    return verify(program);
  };
  const auto is = [](const failure& why, text sentence, text reason) { return why.rule == sentence && view(why.reason) == reason; };
  constexpr auto misplaced = rule<"misplaced_index">::sentence;
  return is(broken_by([](auto& p) { p.delegates[0].processed_bytes = {nullptr, 0, 0xffffffffu}; }), misplaced, "a lowered module") &&
         is(broken_by([](auto& p) { p.delegates[0].named_data.size = 5; }), misplaced, "a lowered module") &&
         is(broken_by([](auto& p) { p.named_data[1].data.first = static_cast<std::uint32_t>(p.bytes.size()); }), misplaced, "named data") &&
         is(broken_by([](auto& p) { p.named_data[0].alignment = 0; }), rule<"malformed_alignment">::sentence,
            "key weights has the alignment 0");
}

}  // namespace

TEST_CASE("named data of delegates is stored once, and views remain views") {
  CHECK(data_is_stored_once_and_views_remain_views(lowered));
  CHECK(data_is_stored_once_and_views_remain_views(to_backend(target, conformance::g_mmadd(), two_parts{})));
}

TEST_CASE("named data is kept with its delegates") { CHECK(named_data_is_kept()); }

TEST_CASE("parts that disagree on a key of named data are refused, and the error names the backend (E35)") {
  CHECK(std::string(view(message(disagreement()))) ==
        std::string(rule<"conflicting_named_data">::sentence) +
            " [backend: Dsp] [key packed has 2 bytes in the first entry and 4 bytes in the second]");
}

TEST_CASE("a program with references outside of its pools is refused (E45)") { CHECK(bad_references_are_refused()); }
