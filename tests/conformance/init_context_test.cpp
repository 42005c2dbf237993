// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-CTX-1 to T-CTX-8: a backend's `init` reads its options. The original's context has a span of options by key. Baton's context has
// the options type of the backend, for example an `option_set`.
#include <baton/compat/executorch/option_set.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/status.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using text = std::string_view;
using options = option_set<3>;

/// Reads an option from a context with these options.
template <class F>
constexpr auto in_context(const options& all, F f) -> bool {
  processed_bytes bytes;
  const init_context<options> context(bytes, {}, "forward", {}, all);
  return f(context);
}
constexpr auto three() -> options { return options{option{"num_threads", 8}, option{"profile", true}, option{"unit", "cpu_and_gpu"}}; }

constexpr auto no_options_are_none() -> bool {
  return in_context({}, [](const auto& context) { return context.options.size() == 0; });
}
constexpr auto all_options_are_there() -> bool {
  return in_context(three(), [](const auto& context) { return context.options.size() == 3; });
}
constexpr auto a_truth_value_is_read() -> bool {
  return in_context(three(), [](const auto& context) { return context.options.template get<bool>("profile").value; });
}
constexpr auto a_number_is_read() -> bool {
  return in_context(three(), [](const auto& context) { return context.options.template get<int>("num_threads").value == 8; });
}
constexpr auto text_is_read() -> bool {
  return in_context(three(), [](const auto& context) {
    return context.options.template get<text>("unit").value == "cpu_and_gpu" &&
           text{context.options.template get<const char*>("unit").value} == "cpu_and_gpu";
  });
}
constexpr auto a_missing_option_is_not_found() -> bool {
  return in_context(three(), [](const auto& context) { return context.options.template get<int>("missing").code == status::not_found; });
}
constexpr auto another_type_is_an_invalid_argument() -> bool {
  return in_context(three(), [](const auto& context) {
    return context.options.template get<bool>("num_threads").code == status::invalid_argument &&
           context.options.template get<text>("profile").code == status::invalid_argument &&
           context.options.template get<int>("unit").code == status::invalid_argument;
  });
}
constexpr auto without_options_nothing_is_found() -> bool {
  return in_context({}, [](const auto& context) { return context.options.template get<int>("num_threads").code == status::not_found; });
}
constexpr auto other_members_are_kept() -> bool {
  return in_context(three(), [](const auto& context) {
    return context.method == "forward" && context.compile_specs.empty() && context.processed_bytes.bytes().empty() &&
           context.named_data.find("key").code == status::not_found;
  });
}
static_assert(no_options_are_none() && all_options_are_there() && a_truth_value_is_read() && a_number_is_read() && text_is_read());
static_assert(a_missing_option_is_not_found() && another_type_is_an_invalid_argument() && without_options_nothing_is_found() &&
              other_members_are_kept());

}  // namespace

TEST_CASE("an init context without options has none (T-CTX-1)") { CHECK(no_options_are_none()); }
TEST_CASE("an init context has the options that were set (T-CTX-2)") { CHECK(all_options_are_there()); }
TEST_CASE("an init context reads a boolean option (T-CTX-3)") { CHECK(a_truth_value_is_read()); }
TEST_CASE("an init context reads a number option (T-CTX-4)") { CHECK(a_number_is_read()); }
TEST_CASE("an init context reads a text option (T-CTX-5)") { CHECK(text_is_read()); }
TEST_CASE("an init context reports a missing option as not found (T-CTX-6)") {
  CHECK(a_missing_option_is_not_found());
  CHECK(without_options_nothing_is_found());
}
TEST_CASE("an init context reports an option of another type as an invalid argument (T-CTX-7)") {
  CHECK(another_type_is_an_invalid_argument());
}
// The original's last field, an allocator, has no counterpart: memory for `init` is in the backend's `state`.
TEST_CASE("options do not change the other members of an init context (T-CTX-8)") { CHECK(other_members_are_kept()); }
