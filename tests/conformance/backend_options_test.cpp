// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-OPT-1 to T-OPT-8: options as keys and values, of fixed capacity.
#include <baton/compat/executorch/option_set.hpp>
#include <baton/run/status.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

template <class T, std::size_t N>
constexpr auto reads(const option_set<N>& options, text key, T expected) -> bool {
  const auto read = options.template get<T>(key);
  return read.code == status::ok && read.value == expected;
}
template <class T, std::size_t N>
constexpr auto fails(const option_set<N>& options, text key, status expected) -> bool {
  return options.template get<T>(key).code == expected;
}
constexpr auto is_ok(status code) -> bool { return code == status::ok; }

constexpr auto text_is_set_and_overwritten() -> bool {
  option_set<5> options;
  const bool first = is_ok(options.set("backend_type", "GPU")) && reads<text>(options, "backend_type", "GPU");
  return first && is_ok(options.set("backend_type", text{"CPU"})) && reads<text>(options, "backend_type", "CPU") &&
         text{options.get<const char*>("backend_type").value} == "CPU" && options.size() == 1;
}
static_assert(text_is_set_and_overwritten());

constexpr auto truth_values_are_read_back() -> bool {
  option_set<5> options;
  return is_ok(options.set("debug", true)) && is_ok(options.set("verbose", false)) && reads(options, "debug", true) &&
         reads(options, "verbose", false);
}
static_assert(truth_values_are_read_back());

constexpr auto numbers_are_read_back() -> bool {
  option_set<5> options;
  return is_ok(options.set("num_threads", 256)) && reads(options, "num_threads", 256);
}
static_assert(numbers_are_read_back());

constexpr auto missing_options_and_other_types_are_reported() -> bool {
  option_set<5> options;
  return fails<bool>(options, "missing", status::not_found) && is_ok(options.set("threshold", 100)) &&
         fails<text>(options, "threshold", status::invalid_argument) && fails<bool>(options, "threshold", status::invalid_argument);
}
static_assert(missing_options_and_other_types_are_reported());

constexpr auto a_key_has_the_type_set_last() -> bool {
  option_set<5> options;
  return is_ok(options.set("flag", true)) && is_ok(options.set("flag", 123)) && fails<bool>(options, "flag", status::invalid_argument) &&
         reads(options, "flag", 123);
}
static_assert(a_key_has_the_type_set_last());

constexpr auto entries_can_be_changed_in_place() -> bool {
  option_set<5> options;
  const bool was_set = is_ok(options.set("flag", 0));
  options.entries()[0] = option{"flag", 123};
  return was_set && reads(options, "flag", 123);
}
static_assert(entries_can_be_changed_in_place());

constexpr auto copies_are_independent() -> bool {
  option_set original{option{"debug", true}, option{"num_threads", 4}};
  auto copy = original;
  return is_ok(copy.set("debug", false)) && reads(original, "debug", true) && is_ok(original.set("num_threads", 8)) &&
         reads(copy, "num_threads", 4) && reads(copy, "debug", false);
}
static_assert(copies_are_independent());

constexpr auto assignment_discards_earlier_options() -> bool {
  option_set<2> original{option{"debug", true}};
  option_set<2> other{option{"verbose", true}, option{"level", 3}};
  other = original;
  return fails<bool>(other, "verbose", status::not_found) && fails<int>(other, "level", status::not_found) && reads(other, "debug", true) &&
         is_ok(other.set("debug", false)) && reads(original, "debug", true);
}
static_assert(assignment_discards_earlier_options());

constexpr auto a_full_set_refuses_a_new_key() -> bool {
  option_set options{option{"a", 1}, option{"b", 2}};
  return options.set("c", 3) == status::invalid_argument && options.size() == 2 && fails<int>(options, "c", status::not_found) &&
         is_ok(options.set("a", false)) && reads(options, "a", false);
}
static_assert(a_full_set_refuses_a_new_key());

constexpr auto long_text_is_cut_and_long_keys_are_refused() -> bool {
  char characters[301] = {};
  for (char& c : characters) c = 'x';
  option_set<1> options;
  return is_ok(options.set("text", text{characters, 300})) && options.get<text>("text").value.size() == 255 &&
         option_key::at_run_time({characters, 64}).code == status::invalid_argument &&
         option_key::at_run_time({characters, 63}).value.text().size() == 63;
}
static_assert(long_text_is_cut_and_long_keys_are_refused());

/// Returns the exit status of a child process that runs `f`.
template <class F>
auto signal_that_ends(F f) -> int {
  const auto child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    f();
    _exit(0);
  }
  int ended = 0;
  waitpid(child, &ended, 0);
  return WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
}

}  // namespace

TEST_CASE("a text option of a backend is set, read, set again and read again (T-OPT-1)") { CHECK(text_is_set_and_overwritten()); }
TEST_CASE("a boolean option of a backend is read back (T-OPT-2)") { CHECK(truth_values_are_read_back()); }
TEST_CASE("a number option of a backend is read back (T-OPT-3)") { CHECK(numbers_are_read_back()); }
TEST_CASE("an option that is missing or of another type is reported by a status; text from a null pointer aborts (T-OPT-4, E57)") {
  CHECK(missing_options_and_other_types_are_reported());
  CHECK(signal_that_ends([] {
          option_set<5> options;
          static_cast<void>(options.set("name", static_cast<const char*>(nullptr)));
        }) == SIGABRT);
}
TEST_CASE("an option has the type that was set last (T-OPT-5)") { CHECK(a_key_has_the_type_set_last()); }
TEST_CASE("options can be changed in place (T-OPT-6)") { CHECK(entries_can_be_changed_in_place()); }
TEST_CASE("a copy of a set of options is independent of it (T-OPT-7)") { CHECK(copies_are_independent()); }
TEST_CASE("assigning to a set of options discards its previous contents (T-OPT-8)") { CHECK(assignment_discards_earlier_options()); }
TEST_CASE("a full set of options rejects a new key, but accepts a new value of an existing key (E57)") {
  CHECK(a_full_set_refuses_a_new_key());
}
TEST_CASE("long text is cut, long keys are refused") { CHECK(long_text_is_cut_and_long_keys_are_refused()); }
