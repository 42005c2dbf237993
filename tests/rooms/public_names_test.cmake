# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests public_names.cmake on a small repository: the names that it must count and must not count, and that it fails above its limit.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

set(house "${SCRATCH}/public_names_test")
file(REMOVE_RECURSE "${house}")
file(WRITE "${house}/include/baton/core/interface.hpp" [=[
#pragma once
namespace baton {
namespace detail {
struct hidden {};
constexpr auto hidden_too(int a) -> int { return a; }
}  // namespace detail
/// struct in_a_comment
enum class [[nodiscard]] kind : int { a, b };
template <class T, const auto& Bytes>
  requires(sizeof(T) == 1)
inline constexpr holder<std::conditional_t<sizeof(T) == 0, T, void>, Bytes>
    variable{};
inline constexpr int numbers[] = {1, 2};
template <class T>
concept concept_of = requires(T a) { a.b(); };
using alias = vector<int>;
template <class T>
struct type {
  int member = 0;
  constexpr auto function_inside() const -> int { return member; }
};
template <>
struct type<int> {};
constexpr auto overloaded(const type<int>& a) -> int { return a.member; }
constexpr auto overloaded(const type<char>& a,
                          int b = 2) -> int {
  return a.member + b;
}
constexpr auto operator==(const type<int>& a, const type<int>& b) -> bool { return a.member == b.member; }
}  // namespace baton
namespace baton::format {
[[noreturn]] void function();
}  // namespace baton::format
]=])
file(WRITE "${house}/include/baton/core/detail/inside.hpp" "namespace baton {\nstruct inside {};\n}  // namespace baton\n")
file(WRITE "${house}/include/baton/core/shared/tool.hpp"
     "namespace baton {\nstruct alias_of;\nstruct kind;\nconstexpr auto tool() -> int { return 1; }\nstruct int16_tool {};\n}  // namespace baton\n")
file(WRITE "${house}/include/baton/backends/vendor/vendor.hpp" "namespace baton {\nstruct vendor {};\n}  // namespace baton\n")
file(WRITE "${house}/include/baton/run/again.hpp" "namespace baton {\nstruct kind;\nstruct more {};\n}  // namespace baton\n")

# run(<limit>): runs the check. Sets `status`, its output `said`, and `in_a_line`, the output without line breaks.
macro(run limit)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${house}" "-DLIMIT=${limit}" -DSHARED_LIMIT=3 -DLIST=ON -P "${ROOT}/tests/rooms/public_names.cmake"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " in_a_line "${said}")  # CMake breaks the lines of errors
endmacro()
run(9)
set(expected "core: 8
  baton::alias
  baton::concept_of
  baton::format::function
  baton::kind
  baton::numbers
  baton::overloaded
  baton::type
  baton::variable
run: 1
  baton::more
shared: 3
  baton::alias_of
  baton::int16_tool
  baton::tool
public names: 9
")
if(NOT status STREQUAL "0" OR NOT said STREQUAL expected)
  message(FATAL_ERROR "expected:\n${expected}\nactual:\n${said}")
endif()
run(8)
if(status STREQUAL "0" OR NOT in_a_line MATCHES "more than 8 public names")
  message(FATAL_ERROR "the check must fail above its limit, but prints:\n${said}")
endif()
foreach(used IN ITEMS "baton::tool()" "baton::tool::member" "f(baton::alias_of{})" "baton::int16_tool")
  file(WRITE "${house}/examples/use.cpp" "int main() { return ${used}; }\n")
  run(9)
  if(status STREQUAL "0" OR NOT in_a_line MATCHES "use.cpp uses baton::(tool|alias_of|int16_tool),")
    message(FATAL_ERROR "the check must fail if an example uses the shared name ${used}, but prints:\n${said}")
  endif()
endforeach()
file(WRITE "${house}/examples/use.cpp" "int main() { return baton::tools() + baton::concept_of; }\n")
run(9)
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "the check must pass if an example uses only public names, but prints:\n${said}")
endif()
file(REMOVE_RECURSE "${house}/examples")
file(APPEND "${house}/include/baton/core/shared/tool.hpp" "namespace baton {\nstruct one_more {};\n}  // namespace baton\n")
run(9)
if(status STREQUAL "0" OR NOT in_a_line MATCHES "more than 3 names in shared/")
  message(FATAL_ERROR "the check must fail above the limit of shared names, but prints:\n${said}")
endif()
file(WRITE "${house}/include/baton/core/shared/tool.hpp" "namespace baton {\n}  // namespace baton\n")
file(WRITE "${house}/docs/core.md" "variable, numbers, concept_of, alias, type, kind, overloaded, function\n")
run(9)
if(status STREQUAL "0" OR NOT in_a_line MATCHES "no example: baton::more;")
  message(FATAL_ERROR "the check must fail if no page has a name, but prints:\n${said}")
endif()
