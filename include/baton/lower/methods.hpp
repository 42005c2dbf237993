// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Methods: the named entry points of a model, each with a program, at run time and at compile time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/invalid_program.hpp>
#include <baton/core/shared/position_of_duplicate.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/method_name.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/shared/unknown_method.hpp>

#include <boost/hana/string.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// A method at run time.
struct exported_method {
  text_buffer name;
  exported_program program;
};

/// A method at compile time. `Name` is a `baton::name`.
template <class Name, class Stage>
struct static_method {
  using name = Name;
  using program = static_program<Stage>;
};

/// Returns a method. `baton::method<"prefill">(program)` works at compile time and at run time, `baton::method(text, program)` at run time.
template <fixed_string Name, class Stage>
constexpr auto method(static_program<Stage>) {
  return static_method<std::remove_const_t<decltype(name<Name>)>, Stage>{};
}
constexpr auto method(std::string_view name, exported_program program) -> exported_method { return {join(name), std::move(program)}; }
template <fixed_string Name>
constexpr auto method(exported_program program) -> exported_method {
  return method(Name, std::move(program));
}

namespace detail {

/// Fails with `duplicate_method` at the first name that occurs twice.
constexpr auto check_method_names(span<const std::string_view> names) -> failure {
  const auto duplicate = position_of_duplicate(names);
  if (duplicate == names.size()) return {};
  auto why = broken<"duplicate_method">();
  why.method = join(names[duplicate]);
  return why;
}

}  // namespace detail

/// The methods of a model at run time, in order. If a program has delegates, its root graph is renamed to the method's name, because
/// delegates receive the name of the root graph. Raises `duplicate_method` if two methods have the same name.
class exported_methods {
 public:
  constexpr exported_methods() = default;
  constexpr explicit exported_methods(vector<exported_method> all) : all_(std::move(all)) {
    if (auto why = detail::check_method_names(names())) raise(why);
    for (auto& each : all_) detail::set_root_graph_name(each.program, view(each.name));
  }

  constexpr void add(exported_method added) {
    all_.push_back(std::move(added));
    if (auto why = detail::check_method_names(names())) raise(why);
    detail::set_root_graph_name(all_.back().program, view(all_.back().name));
  }

  /// Returns the program of a method, or null if no method has this name. O(methods).
  constexpr auto find(std::string_view name) const -> const exported_program* {
    for (const auto& candidate : all_) {
      if (view(candidate.name) == name) return &candidate.program;
    }
    return nullptr;
  }
  /// Returns the program of a method. Raises `unknown_method` if no method has this name.
  constexpr auto operator[](std::string_view name) const -> const exported_program& {
    const auto* program = find(name);
    if (program == nullptr) raise(unknown_method(name, names()));
    return *program;
  }
  template <char... C>
  constexpr auto operator[](boost::hana::string<C...> name) const -> const exported_program& {
    return (*this)[to_text(name)];
  }

  /// Returns the methods, with each program replaced by `f(name, program)`. `f` returns a program or a `result` of a program. If `f` fails,
  /// raises the failure of `f` with the method's name added.
  template <class F>
  constexpr auto with_programs(F f) const -> exported_methods {
    vector<exported_method> converted;
    converted.reserve(all_.size());
    for (const auto& each : all_) {
      result<exported_program> program{f(baton::view(each.name), each.program)};
      if (!program) program.error.method = each.name;
      converted.push_back({each.name, value_or_raise(std::move(program))});
    }
    return exported_methods(std::move(converted));
  }

  constexpr auto names() const -> vector<std::string_view> {
    vector<std::string_view> names;
    for (const auto& each : all_) names.push_back(view(each.name));
    return names;
  }
  constexpr auto size() const -> std::size_t { return all_.size(); }
  constexpr auto begin() const { return all_.begin(); }
  constexpr auto end() const { return all_.end(); }
  /// Moves the methods out of the object: `std::move(methods).release()`.
  constexpr auto release() && -> vector<exported_method> { return std::move(all_); }

 private:
  vector<exported_method> all_;
};

/// The methods of a model at compile time. The object is empty; `operator[]` returns the static program of a method by name. Fails at
/// compile time with `duplicate_method` if two methods have the same name.
template <class... Methods>
struct static_methods;
template <class... Names, class... Stages>
struct static_methods<static_method<Names, Stages>...> {
  static constexpr std::array<std::string_view, sizeof...(Names)> names{to_text(Names{})...};

 private:
  static consteval auto require_names() -> bool {
    constexpr static_failure why{detail::check_method_names(names)};
    require_no_failure<why>();
    return !why.is_set;
  }

 public:
  /// True if the names are distinct. If `is_valid` is false, the error has been reported.
  static constexpr bool is_valid = require_names();

  static constexpr auto size() -> std::size_t { return sizeof...(Names); }

  /// Returns the program of a method: `methods[baton::name<"prefill">]`. If the program has delegates, its root graph is renamed to the
  /// method's name, because delegates receive the name of the root graph. Fails at compile time with `unknown_method` if no method has this
  /// name.
  template <char... C>
  constexpr auto operator[](boost::hana::string<C...>) const {
    using wanted = boost::hana::string<C...>;
    constexpr auto position = [] {
      std::size_t at = 0;
      static_cast<void>(((std::is_same_v<Names, wanted> || (++at, false)) || ...));
      return at;
    }();
    if constexpr (position < sizeof...(Names)) {
      using stage = std::tuple_element_t<position, std::tuple<std::type_identity<Stages>...>>;
      return typename detail::method_program<wanted, typename stage::type>::type{};
    } else {
      constexpr static_failure why{unknown_method(to_text(wanted{}), names)};
      require_no_failure<why>();
      return invalid_program(static_program<no_program>{});
    }
  }

  /// Returns the methods, with each program replaced by the static program `f(name, program)`. If the names are not distinct, returns the
  /// methods unchanged.
  template <class F>
  static constexpr auto with_programs([[maybe_unused]] F f) {
    if constexpr (is_valid) {
      return with_stages(f(Names{}, static_program<Stages>{})...);
    } else {
      return static_methods{};
    }
  }

 private:
  template <class... NewStages>
  static constexpr auto with_stages(static_program<NewStages>...) -> static_methods<static_method<Names, NewStages>...> {
    return {};
  }
  struct no_program {
    constexpr auto operator()() const -> exported_program { return {}; }
  };
};

/// Returns the methods of a model, in order. All methods must be static, or all must be run-time methods. Example: `constexpr auto both =
/// baton::methods(baton::method<"forward">(model), baton::method<"prefill">(other));`.
template <class... Names, class... Stages>
constexpr auto methods(static_method<Names, Stages>...) -> static_methods<static_method<Names, Stages>...> {
  static_assert(static_methods<static_method<Names, Stages>...>::is_valid || true);  // instantiates the check without a second message
  return {};
}
template <class... Methods>
  requires(sizeof...(Methods) != 0 && (std::is_same_v<Methods, exported_method> && ...))
constexpr auto methods(Methods... each) -> exported_methods {
  vector<exported_method> all;
  all.reserve(sizeof...(each));
  (all.push_back(std::move(each)), ...);
  return exported_methods(std::move(all));
}

}  // namespace baton
