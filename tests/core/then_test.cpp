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
constexpr auto with_list = static_program{[] { return conformance::g_sin(); }, backend_list<a, b>{}};
static_assert(std::is_same_v<backends_with<decltype(plain)>, backend_list<>>);
static_assert(std::is_same_v<backends_with<decltype(with_list)>, backend_list<a, b>>);
static_assert(same(plain, with_list));

// A step keeps the backends of its program.
constexpr auto without_names = [](const program_view& program) {
  auto copy = thaw(program);
  for (auto& node : copy.nodes) node.name = {};
  return copy;
};
constexpr auto changed = then(with_list, without_names);
static_assert(std::is_same_v<backends_with<decltype(changed)>, backend_list<a, b>>);
constexpr auto a_step_returns_the_same_at_run_time() -> bool {
  return same(changed, without_names(conformance::g_sin())) && !same(changed, with_list);
}
static_assert(a_step_returns_the_same_at_run_time());

// The backends of several programs are joined in order, without duplicates, and a step may add backends. The members of the step are
// members of the stage.
struct nodes_of_both {
  using backend_types = backend_list<c, a>;
  static constexpr int answer = 42;
  constexpr auto operator()(const program_view& first, const program_view& second) const -> result<exported_program> {
    auto larger = thaw(first.nodes.size() < second.nodes.size() ? second : first);
    return larger;
  }
};
using other = static_program<detail::with_backends<conformance::make<conformance::g_crt>, backend_list<b, c>>>;
using both = static_program<stage<nodes_of_both, std::remove_const_t<decltype(with_list)>, other>>;
static_assert(std::is_same_v<both::backend_types, backend_list<a, b, c>>);
static_assert(std::is_same_v<static_program<stage<nodes_of_both, std::remove_const_t<decltype(plain)>, other>>::backend_types,
                             backend_list<b, c, a>>);
static_assert(both::stage_type::answer == 42 && same(both{}, conformance::g_crt()));

// If a program is invalid, so are the programs computed from it, and their steps are not evaluated. A step may also fail.
constexpr auto rejected = [] { return result<exported_program>{broken<"foreign_file">("no model")}; };
using no_program = static_program<std::remove_const_t<decltype(rejected)>>;
static_assert(!static_program<stage<nodes_of_both, no_program, other>>::is_valid);
static_assert(!decltype(then(no_program{}, without_names))::is_valid);
struct refuses {
  constexpr auto operator()(const program_view&) const -> result<exported_program> { return broken<"foreign_file">("not this one"); }
};
static_assert(!decltype(then(plain, refuses{}))::is_valid);
static_assert(std::string_view{first_failure<decltype(then(changed, without_names)), decltype(then(plain, refuses{}))>().reason} ==
              "not this one");

// A user's callable may have an unrelated member `embedded`. It is the bytes of a model only if it returns an array of characters.
constexpr char model_bytes[] = "model";
constexpr std::array<char, 2> more_bytes{'a', 'b'};
template <class Value>
struct with_embedded : conformance::make<conformance::g_sin> {
  static constexpr auto embedded() -> decltype(auto) { return Value{}(); }
};
struct as_flag {
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
struct not_constexpr : conformance::make<conformance::g_sin> {
  static auto embedded() -> const char (&)[6] { return model_bytes; }
};
struct with_parameter : conformance::make<conformance::g_sin> {
  static constexpr auto embedded(int size) -> int { return size; }
};
template <class Make>
using result_of = std::remove_const_t<decltype(then(static_program<Make>{}, without_names))>;
template <class Make>
constexpr bool forwards = requires { result_of<Make>::stage_type::embedded(); };
static_assert(forwards<with_embedded<as_characters>> && forwards<with_embedded<as_array>>);
static_assert(&result_of<with_embedded<as_characters>>::stage_type::embedded() == &model_bytes);
static_assert(!forwards<with_embedded<as_flag>> && !forwards<with_embedded<as_text>> && !forwards<with_embedded<as_numbers>>);
static_assert(!forwards<not_constexpr> && !forwards<with_parameter> && !forwards<conformance::make<conformance::g_sin>>);
constexpr auto an_unrelated_member_embedded_is_ignored() -> bool {
  return same(result_of<with_embedded<as_flag>>{}, changed) && same(result_of<with_embedded<as_text>>{}, changed) &&
         same(result_of<with_parameter>{}, changed);
}
static_assert(an_unrelated_member_embedded_is_ignored());

}  // namespace

TEST_CASE("an unrelated member `embedded` of a callable is ignored") { CHECK(an_unrelated_member_embedded_is_ignored()); }
TEST_CASE("a step returns the same program at compile time and at run time") { CHECK(a_step_returns_the_same_at_run_time()); }
