// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/then.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/shared/rules.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;

template <fixed_string Id>
struct named_backend {
  static constexpr auto id = name<Id>;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
using a = named_backend<"A">;
using b = named_backend<"B">;
using c = named_backend<"C">;

template <class Program>
using backends_with = typename std::remove_const_t<Program>::backend_types;

constexpr auto plain = static_program{conformance::make<conformance::g_sin>{}};
constexpr auto by_hand = static_program{[] { return conformance::g_sin(); }, backend_list<a, b>{}};
static_assert(std::is_same_v<backends_with<decltype(plain)>, backend_list<>>);
static_assert(std::is_same_v<backends_with<decltype(by_hand)>, backend_list<a, b>>);
static_assert(same(plain, by_hand));

// A step around a program keeps its backends.
constexpr auto without_names = [](const program_view& program) {
  auto made = thaw(program);
  for (auto& node : made.nodes) node.name = {};
  return made;
};
constexpr auto changed = then(by_hand, without_names);
static_assert(std::is_same_v<backends_with<decltype(changed)>, backend_list<a, b>>);
constexpr auto a_step_is_the_same_in_both_times() -> bool {
  return same(changed, without_names(conformance::g_sin())) && !same(changed, by_hand);
}
static_assert(a_step_is_the_same_in_both_times());

// Of several programs the backends are joined, each once, in order; a step may add its own; its members are the stage's.
struct nodes_of_both {
  using backend_types = backend_list<c, a>;
  static constexpr int answer = 42;
  constexpr auto operator()(const program_view& first, const program_view& second) const -> result<exported_program> {
    auto made = thaw(first.nodes.size() < second.nodes.size() ? second : first);
    return made;
  }
};
using other = static_program<detail::with_backends<conformance::make<conformance::g_crt>, backend_list<b, c>>>;
using both = static_program<stage<nodes_of_both, std::remove_const_t<decltype(by_hand)>, other>>;
static_assert(std::is_same_v<both::backend_types, backend_list<a, b, c>>);
static_assert(std::is_same_v<static_program<stage<nodes_of_both, std::remove_const_t<decltype(plain)>, other>>::backend_types,
                             backend_list<b, c, a>>);
static_assert(both::make::answer == 42 && same(both{}, conformance::g_crt()));

// Where one could not be made, what follows is not, and evaluates nothing; a step may fail itself.
constexpr auto refused = [] { return result<exported_program>{broken<"foreign_file">("no model")}; };
using no_program = static_program<std::remove_const_t<decltype(refused)>>;
static_assert(!static_program<stage<nodes_of_both, no_program, other>>::is_valid);
static_assert(!decltype(then(no_program{}, without_names))::is_valid);
struct refuses {
  constexpr auto operator()(const program_view&) const -> result<exported_program> { return broken<"foreign_file">("not this one"); }
};
static_assert(!decltype(then(plain, refuses{}))::is_valid);
static_assert(std::string_view{first_failure<decltype(then(changed, without_names)), decltype(then(plain, refuses{}))>().reason} ==
              "not this one");

// A callable of a user may have a member `embedded` of its own: only an array of characters is a model's.
constexpr char model_bytes[] = "model";
constexpr std::array<char, 2> more_bytes{'a', 'b'};
template <class What>
struct says : conformance::make<conformance::g_sin> {
  static constexpr auto embedded() -> decltype(auto) { return What{}(); }
};
struct is_so {
  constexpr auto operator()() const -> bool { return true; }
};
struct as_text {
  constexpr auto operator()() const -> std::string_view { return model_bytes; }
};
struct as_numbers {
  static constexpr int numbers[]{1, 2};
  constexpr auto operator()() const -> const int (&)[2] { return numbers; }
};
struct as_characters {
  constexpr auto operator()() const -> const char (&)[6] { return model_bytes; }
};
struct as_array {
  constexpr auto operator()() const -> const std::array<char, 2>& { return more_bytes; }
};
struct at_run_time : conformance::make<conformance::g_sin> {
  static auto embedded() -> const char (&)[6] { return model_bytes; }
};
struct needs_more : conformance::make<conformance::g_sin> {
  static constexpr auto embedded(int size) -> int { return size; }
};
template <class Make>
using made_of = std::remove_const_t<decltype(then(static_program<Make>{}, without_names))>;
template <class Make>
constexpr bool forwards = requires { made_of<Make>::make::embedded(); };
static_assert(forwards<says<as_characters>> && forwards<says<as_array>>);
static_assert(&made_of<says<as_characters>>::make::embedded() == &model_bytes);
static_assert(!forwards<says<is_so>> && !forwards<says<as_text>> && !forwards<says<as_numbers>>);
static_assert(!forwards<at_run_time> && !forwards<needs_more> && !forwards<conformance::make<conformance::g_sin>>);
constexpr auto a_member_of_that_name_is_the_users() -> bool {
  return same(made_of<says<is_so>>{}, changed) && same(made_of<says<as_text>>{}, changed) && same(made_of<needs_more>{}, changed);
}
static_assert(a_member_of_that_name_is_the_users());

}  // namespace

TEST_CASE("a callable's own member `embedded` is no model") { CHECK(a_member_of_that_name_is_the_users()); }
TEST_CASE("what a step makes of a program of the compiler is what it makes at run time") { CHECK(a_step_is_the_same_in_both_times()); }
