// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-MAP-1 to T-MAP-14: a run-time map from backends to their options.
#include <baton/compat/executorch/load_options.hpp>
#include <baton/compat/executorch/option_set.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

constexpr auto is_ok(status code) -> bool { return code == status::ok; }

constexpr auto value_of(baton::span<const option> options, text key) -> int {
  const auto* const entry = find_option(options, key);
  return entry == nullptr ? -1 : entry->get<int>().value;
}

constexpr auto a_new_map_is_empty() -> bool {
  const load_options map;
  return map.size() == 0 && !map.has("Npu") && map.entries().empty();
}
static_assert(a_new_map_is_empty());

constexpr auto options_are_read_back() -> bool {
  const option_set options{option{"num_threads", 4}, option{"enable_profiling", true}};
  load_options map;
  const bool was_set = is_ok(map.set("Npu", options.entries()));
  const auto read = map.get("Npu");
  return was_set && read.size() == 2 && value_of(read, "num_threads") == 4 && find_option(read, "enable_profiling")->get<bool>().value;
}
static_assert(options_are_read_back());

constexpr auto only_the_id_that_was_set_has_options() -> bool {
  const option_set options{option{"num_threads", 4}};
  load_options map;
  return is_ok(map.set("Npu", options.entries())) && map.has("Npu") && !map.has("Dsp") && !map.has("Np") && map.get("Dsp").empty();
}
static_assert(only_the_id_that_was_set_has_options());

constexpr auto two_backends_have_their_own() -> bool {
  const option_set first{option{"num_threads", 4}};
  const option_set second{option{"level", 1}};
  load_options map;
  return is_ok(map.set("Npu", first.entries())) && is_ok(map.set("Dsp", second.entries())) && map.size() == 2 &&
         map.get("Npu").size() == 1 && value_of(map.get("Dsp"), "level") == 1;
}
static_assert(two_backends_have_their_own());

constexpr auto a_second_set_replaces_the_first() -> bool {
  const option_set first{option{"num_threads", 4}};
  const option_set second{option{"num_threads", 8}};
  load_options map;
  return is_ok(map.set("Npu", first.entries())) && is_ok(map.set("Npu", second.entries())) && map.size() == 1 &&
         value_of(map.get("Npu"), "num_threads") == 8;
}
static_assert(a_second_set_replaces_the_first());

constexpr auto a_ninth_backend_is_refused() -> bool {
  const option_set options{option{"num_threads", 4}};
  load_options map;
  bool is_stored = true;
  for (char digit = '1'; digit <= '8'; ++digit) is_stored = is_stored && is_ok(map.set(text{&digit, 1}, options.entries()));
  const bool is_ninth_refused = map.set("9", options.entries()) == status::invalid_argument && map.size() == 8 && !map.has("9");
  return is_stored && is_ninth_refused && is_ok(map.set("8", {})) && map.get("8").empty() && map.size() == 8;
}
static_assert(a_ninth_backend_is_refused());

constexpr auto no_id_is_no_backend() -> bool {
  const char* const null = nullptr;
  load_options map;
  return map.set(null, {}) == status::invalid_argument && map.get(null).empty() && !map.has(null) && map.size() == 0;
}
static_assert(no_id_is_no_backend());

constexpr auto an_empty_id_is_refused() -> bool {
  load_options map;
  return map.set("", {}) == status::invalid_argument && map.size() == 0;
}
static_assert(an_empty_id_is_refused());

constexpr auto an_empty_list_counts() -> bool {
  load_options map;
  return is_ok(map.set("Npu", {})) && map.has("Npu") && map.get("Npu").empty() && map.size() == 1;
}
static_assert(an_empty_list_counts());

constexpr auto an_id_of_64_characters_is_refused() -> bool {
  constexpr text long_id = "0123456789012345678901234567890123456789012345678901234567890123";
  static_assert(long_id.size() == 64);
  load_options map;
  const bool refused = map.set(long_id, {}) == status::invalid_argument && map.size() == 0;
  return refused && is_ok(map.set(long_id.substr(1), {})) && map.has(long_id.substr(1));
}
static_assert(an_id_of_64_characters_is_refused());

struct npu_options {
  option_set<3> options;
  static constexpr auto backend_id() -> text { return "Npu"; }
  constexpr auto view() const -> baton::span<const option> { return options.entries(); }
};
static_assert(backend_options_builder<npu_options>);

constexpr auto a_builder_brings_its_options() -> bool {
  const npu_options builder{option_set{option{"num_threads", 4}, option{"fast", true}, option{"level", 2}}};
  load_options map;
  return is_ok(map.set(builder)) && map.size() == 1 && value_of(map.get("Npu"), "num_threads") == 4 &&
         value_of(map.get("Npu"), "level") == 2 && find_option(map.get("Npu"), "fast")->get<bool>().value;
}
static_assert(a_builder_brings_its_options());

constexpr auto a_builder_replaces_earlier_options() -> bool {
  const npu_options first{option_set<3>{option{"num_threads", 4}}};
  const npu_options second{option_set<3>{option{"num_threads", 8}}};
  load_options map;
  return is_ok(map.set(first)) && is_ok(map.set(second)) && map.size() == 1 && value_of(map.get("Npu"), "num_threads") == 8;
}
static_assert(a_builder_replaces_earlier_options());

constexpr auto entries_come_in_the_order_of_insertion() -> bool {
  const option_set first{option{"num_threads", 4}};
  const option_set second{option{"level", 1}};
  load_options map;
  const bool was_set = is_ok(map.set("Npu", first.entries())) && is_ok(map.set("Dsp", second.entries()));
  const auto entries = map.entries();
  return was_set && entries.size() == 2 && text{entries[0].backend_id} == "Npu" && text{entries[1].backend_id} == "Dsp" &&
         entries[0].options.data() == first.entries().data() && entries[1].options.data() == second.entries().data();
}
static_assert(entries_come_in_the_order_of_insertion());

}  // namespace

TEST_CASE("load options are empty at first (T-MAP-1)") { CHECK(a_new_map_is_empty()); }
TEST_CASE("load options are read back by backend id (T-MAP-2)") { CHECK(options_are_read_back()); }
TEST_CASE("load options of one backend are not visible under another id (T-MAP-3)") { CHECK(only_the_id_that_was_set_has_options()); }
TEST_CASE("a backend that is not in the load options has none (T-MAP-4)") { CHECK(only_the_id_that_was_set_has_options()); }
TEST_CASE("two backends have separate load options (T-MAP-5)") { CHECK(two_backends_have_their_own()); }
TEST_CASE("setting the load options of a backend again replaces the first ones (T-MAP-6)") { CHECK(a_second_set_replaces_the_first()); }
TEST_CASE("load options of a ninth backend are refused, new options of a known backend are accepted (T-MAP-7, E58)") {
  CHECK(a_ninth_backend_is_refused());
}
TEST_CASE("load options under a null id are refused, and none are read under it (T-MAP-8, E58)") { CHECK(no_id_is_no_backend()); }
TEST_CASE("load options under an empty id are refused (T-MAP-9, E58)") { CHECK(an_empty_id_is_refused()); }
TEST_CASE("an empty list counts as load options of a backend (T-MAP-10)") { CHECK(an_empty_list_counts()); }
TEST_CASE("load options under an id of 64 characters are refused, under an id of 63 they are accepted (T-MAP-11, E58)") {
  CHECK(an_id_of_64_characters_is_refused());
}
TEST_CASE("a builder of options can be set as load options (T-MAP-12)") { CHECK(a_builder_brings_its_options()); }
TEST_CASE("a builder of options replaces existing load options (T-MAP-13)") { CHECK(a_builder_replaces_earlier_options()); }
TEST_CASE("load options are listed in the order in which they were set, without a copy (T-MAP-14)") {
  CHECK(entries_come_in_the_order_of_insertion());
}
