# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests detail_names.cmake on small repositories: a valid one, and one for each way to use a detail of another room.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(house "${SCRATCH}/detail_names_test")
set(core "namespace baton {\nnamespace detail {\nstruct inner {};\nconstexpr auto inner_sum(int a) -> int { return a; }\n}  // namespace detail
constexpr auto outer() -> int { return detail::inner_sum(1); }\n}  // namespace baton\n")

# expect(<text> <file> <content>): tests a repository with the header of core and this file. The check must pass if <text> is "passes", and
# otherwise fail with this text.
function(expect text file content)
  file(REMOVE_RECURSE "${house}")
  file(WRITE "${house}/include/baton/core/outer.hpp" "${core}")
  file(WRITE "${house}/${file}" "${content}")
  baton_expect(detail_names "${house}" "${text}")
endfunction()

expect("passes" tests/core/a_test.cpp "int main() { return baton::detail::inner_sum(baton::outer()); }\n")
expect("passes" include/baton/core/b.hpp "namespace baton::detail {\nconstexpr auto more() -> int { return inner_sum(2); }\n}  // namespace baton::detail\n")
expect("inner_sum is a detail of core" tests/run/a_test.cpp "int main() { return baton::detail::inner_sum(1); }\n")
expect("examples/a.cpp: inner is a detail of core" examples/a.cpp "baton::detail::inner x;\n")
expect("run/b.hpp: inner is a detail of core" include/baton/run/b.hpp "namespace baton {\nstruct mine : detail::inner {};\n}  // namespace baton\n")
# All rooms use the namespace `detail`, so a function that is called in it may belong to another room.
expect("run/b.hpp: inner_sum is a detail of core" include/baton/run/b.hpp
       "namespace baton::detail {\nconstexpr auto more() -> int { return inner_sum(2); }\n}  // namespace baton::detail\n")
# A call may be the argument of another call, or follow a square bracket or a semicolon, which have a meaning in lists of CMake.
foreach(statement IN ITEMS "return last_of(inner_sum(2))@" "return table_of<inner_sum(2)>()@" "return values[inner_sum(2)]@" "[[maybe_unused]] int a[last_of(1)]@inner_sum(2)@")
  string(REPLACE "@" ";" statement "${statement}")
  expect("run/b.hpp: inner_sum is a detail of core" include/baton/run/b.hpp
         "namespace baton::detail {\nconstexpr auto more() -> int { ${statement} }\n}  // namespace baton::detail\n")
endforeach()
expect("passes" include/baton/run/b.hpp "namespace baton::detail {\nconstexpr auto more() -> int {\n  const auto inner_sum = [] { return 1; };\n  return inner_sum();\n}\n}  // namespace baton::detail\n")
expect("passes" include/baton/run/b.hpp "namespace baton {\n/// Not `detail::inner_sum(1)`.\nstruct mine {};\n}  // namespace baton\n")
# If several rooms declare a name, each of them may use it.
expect("passes" include/baton/run/b.hpp
       "namespace baton::detail {\nconstexpr auto inner_sum(char) -> int { return 0; }\nconstexpr auto more() -> int { return detail::inner_sum('a'); }\n}  // namespace baton::detail\n")
