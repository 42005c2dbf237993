// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/with_names.hpp>

#include <doctest/doctest.h>

namespace {

struct names {
  int looked_for;
};

template <class T>
constexpr auto has_name() -> bool {
  return !requires { &baton::with_names<T, names>::looked_for; };
}

struct nothing {};
struct constant {
  [[maybe_unused]] static constexpr int looked_for = 1;
};
struct function {
  static void looked_for();
};
struct function_template {
  template <class T>
  static void looked_for(const T&);
};
struct type {
  struct looked_for {};
};
struct derived : function_template {};
class hidden {
  [[maybe_unused]] static constexpr int looked_for = 1;
};
struct last final {
  [[maybe_unused]] static constexpr int looked_for = 1;
};

TEST_CASE("a member of any kind is detected by name, except in a final class") {
  static_assert(!has_name<nothing>() && !has_name<last>() && !has_name<int>());
  static_assert(has_name<constant>() && has_name<function>() && has_name<function_template>());
  static_assert(has_name<type>() && has_name<derived>() && has_name<hidden>());
  CHECK(has_name<function_template>());
  CHECK_FALSE(has_name<nothing>());
}

}  // namespace
