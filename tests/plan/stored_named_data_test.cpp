// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/plan/shared/stored_named_data.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using text = std::string_view;

constexpr char flash[] = {'w', 'e', 'i', 'g', 'h', 't'};

/// Adds a view, and equal bytes in each part with different alignments.
constexpr auto fill(named_data_store& store, const program_view& part) -> failure {
  if (auto why = store.add_view("weights", text{flash, 6})) return why;
  named_data_options options;
  options.alignment = part.text(part.nodes[0].name) == "mm" ? 4 : 64;
  return store.add(part.text(part.nodes[0].name), text{"packed"}, options);
}

constexpr auto target = backends<naming_backend<fill>>;
using two_parts = tags::partitioner<tags::part<"t0", "Npu", "mm">, tags::part<"t1", "Npu", "mm_1">>;
constexpr auto lowered = to_backend(target, static_program{conformance::make<conformance::g_mmadd>{}}, two_parts{});
using lowered_type = std::remove_const_t<decltype(lowered)>;

template <std::uint32_t Entry>
constexpr auto stored = stored_named_data<lowered_type, Entry>();

static_assert(lowered->named_data.size() == 4);
static_assert(stored<0>.data() == flash && stored<2>.data() == flash, "a view stays where it is");
static_assert(stored<1>.data() == stored<3>.data() && stored<1>.size() == 6, "two delegates, one array");

constexpr auto both = to_backend(target,
                                 methods(method<"forward">(static_program{conformance::make<conformance::g_mmadd>{}}),
                                         method<"prefill">(static_program{conformance::make<conformance::g_sin>{}})),
                                 tags::partitioner<tags::part<"t", "Npu", "mm sin">>{});
using forward = std::remove_const_t<decltype(both[name<"forward">])>;
using prefill = std::remove_const_t<decltype(both[name<"prefill">])>;
static_assert(stored_named_data<forward, 1>().data() == stored_named_data<prefill, 1>().data(), "two methods, one array");

constexpr auto odd_alignment() -> failure { return detail::check_alignment(lowered, 1, 12); }
static_assert(odd_alignment().is<"misaligned_image">() && !detail::check_alignment(lowered, 1, 64));

auto address(const char* at) -> std::uintptr_t { return reinterpret_cast<std::uintptr_t>(at); }

}  // namespace

TEST_CASE("named data is stored once, aligned for all of its keys (Q17, U14)") {
  CHECK(address(stored<1>.data()) % 64 == 0);
  CHECK(text{stored<1>.data(), stored<1>.size()} == "packed");
  CHECK(address(stored_named_data<prefill, 1>().data()) % 64 == 0);
}

TEST_CASE("a combined alignment that is not a power of two is refused for an image") {
  CHECK(std::string(view(message(odd_alignment()))) ==
        std::string(rule<"misaligned_image">::sentence) + " [the keys with the bytes of key mm have the common alignment 12]");
}
