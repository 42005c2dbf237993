#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that cmake/api.awk lists what is public in a small header, and that cmake/api.txt is current: sh tests/release/listing_test.sh FOLDER
# shellcheck source=tests/release/expect.sh
. "$(dirname "$0")/expect.sh"

cat > "$scratch/small.hpp" << 'END'
#pragma once
#define BATON_SWITCH 1
namespace baton {
namespace detail {
struct hidden {};
}  // namespace detail
struct declared;
/// struct in_a_comment { int member; };
enum class [[nodiscard]] kind : int { a, b };
template <class T>
  requires(sizeof(T) == 1)
class type : public kind_base<(sizeof(T) > 1)> {
 public:
  using value = T;
  constexpr explicit type(int first)
      : first_{first}, second_(")};") {
    if (first == '}') return;
  }
  template <class It>
    requires requires(It it) { *it; }
  constexpr auto add(It it,
                     options how = {}) const -> type& {
    return *this;
  }
  void only() requires(sizeof(T) > 2) { f("{\"", 1'000); }
  auto operator==(const type&) const -> bool = default;
  int shown{2};
  static constexpr auto call = [](int a) { return a; };

 private:
  int first_ = 0;
  struct inner { int deep; };
};
template <>
struct type<int> {
  int special;
};
template <class T>
concept concept_of = requires(T a) { a.b(); };
template <class T = std::array<int, 2>>
inline constexpr auto variable = T{};
#if BATON_SWITCH
[[noreturn]] inline void fail();
#endif
}  // namespace baton
namespace baton::detail {
auto hidden_too() -> int;
}  // namespace baton::detail
namespace baton::format {
union both { int a; };
}  // namespace baton::format
END
cat > "$scratch/expected.txt" << END
== $scratch/small.hpp
macro: BATON_SWITCH
baton: enum class [[nodiscard]] kind : int { a, b }
baton: template <class T> requires(sizeof(T) == 1) class type : public kind_base<(sizeof(T) > 1)>
baton::type: using value = T
baton::type: constexpr explicit type(int first)
baton::type: template <class It> requires requires(It it) { *it; } constexpr auto add(It it, options how = {}) const -> type&
baton::type: void only() requires(sizeof(T) > 2)
baton::type: auto operator==(const type&) const -> bool = default
baton::type: int shown
baton::type: static constexpr auto call
baton: template <> struct type<int>
baton: template <class T> concept concept_of = requires(T a) { a.b(); }
baton: template <class T = std::array<int, 2>> inline constexpr auto variable
baton: [[noreturn]] inline void fail()
baton::format: union both
baton::format::both: int a
END
awk -f "$root/cmake/api.awk" "$scratch/small.hpp" > "$scratch/small.txt" || exit 1
diff "$scratch/expected.txt" "$scratch/small.txt" || exit 1

# A file that the program does not understand is an error.
echo "namespace baton { int a" > "$scratch/open.hpp"
expect 1 awk -f "$root/cmake/api.awk" "$scratch/open.hpp"
expect_text "open.hpp ends within a declaration"

expect 0 sh "$root/cmake/api.sh" "$scratch/api.txt"
diff "$root/cmake/api.txt" "$scratch/api.txt" || {
  echo "cmake/api.txt is stale; run in the repository: sh cmake/api.sh" >&2
  exit 1
}
