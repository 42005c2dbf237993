// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A broken rule in the compiler: the failure as a constant, its facts as types, and the stop.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/rule.hpp>

#include <boost/hana/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

// Text stands in pieces: Clang shortens what has more than about 36 characters.
template <fixed_string... Method>
struct in_method;
template <std::int64_t Index, fixed_string... Name>
struct at_node;
template <fixed_string... Operator>
struct of_operator;
template <fixed_string... Tag>
struct with_tag;
template <fixed_string... Backend>
struct for_backend;
template <fixed_string... Reason>
struct because;
template <class Type>
struct of_type;

/// The facts of a broken rule; only what is known is named.
template <class... Known>
struct found {
  template <bool IsKnown, class Fact>
  using with = std::conditional_t<IsKnown, found<Known..., Fact>, found>;
};

/// A failure in a form that a template argument can hold; texts beyond the capacity are cut.
struct static_failure {
  static constexpr std::size_t capacity = 120;
  static constexpr std::size_t reason_capacity = 720;  // thirty operators by name
  template <std::size_t Capacity>
  struct text {
    std::size_t size = 0;
    char characters[Capacity] = {};

    constexpr text() = default;
    constexpr explicit text(std::string_view source) : size(source.size() < Capacity ? source.size() : Capacity) {
      for (std::size_t i = 0; i < size; ++i) characters[i] = source[i];
    }
    constexpr explicit text(const text_buffer& buffer) : text(baton::view(buffer)) {}
    constexpr operator std::string_view() const { return {characters, size}; }  // NOLINT(google-explicit-constructor)
  };
  bool broken = false;
  std::int64_t node = -1;
  text<capacity> rule_name, method, node_name, op, tag, backend;
  text<reason_capacity> reason;

  constexpr static_failure() = default;
  constexpr explicit static_failure(const failure& why)
      : broken(static_cast<bool>(why)),
        node(why.node),
        rule_name(why.rule_name),
        method(why.method),
        node_name(why.node_name),
        op(why.op),
        tag(why.tag),
        backend(why.backend),
        reason(why.reason) {}

  /// As `failure::is`.
  template <fixed_string Name>
  constexpr auto is() const -> bool {
    return detail::is_rule<Name>(rule_name);
  }
};

namespace detail {

/// Where the piece of a text that begins here ends: behind a blank where there is one.
template <std::size_t Capacity>
constexpr auto end_of_piece(const static_failure::text<Capacity>& text, std::size_t begin) -> std::size_t {
  constexpr std::size_t most = 32;
  if (text.size - begin <= most) return text.size;
  for (auto end = begin + most; end > begin; --end) {
    if (text.characters[end - 1] == ' ') return end;
  }
  return begin + most;
}

template <auto Text, std::size_t Begin, std::size_t End>
consteval auto piece() -> fixed_string<End - Begin + 1> {
  fixed_string<End - Begin + 1> fixed;
  for (std::size_t i = Begin; i < End; ++i) fixed.characters[i - Begin] = Text.characters[i];
  fixed.characters[End - Begin] = '\0';  // written, so that Clang prints text, not numbers
  return fixed;
}

/// What `f` makes of the pieces of a text.
template <auto Text, std::size_t Begin = 0, fixed_string... Pieces, class F>
consteval auto with_pieces(F f) {
  if constexpr (Begin >= Text.size) {
    return f.template operator()<Pieces...>();
  } else {
    constexpr auto end = end_of_piece(Text, Begin);
    return with_pieces<Text, end, Pieces..., piece<Text, Begin, end>()>(f);
  }
}

template <class Rule>
concept has_report = requires { Rule::template report<found<>>(); };

/// The rule that a failure names, as a type again: the primary template, which is an error, if the rule has no `report`.
template <static_failure Why>
consteval auto rule_broken_by() {
  using named = rule<piece<Why.rule_name, 0, Why.rule_name.size>()>;
  return std::conditional_t<has_report<named>, named, rule<"">>{};
}

}  // namespace detail

/// Stops the compiler with the sentence of a broken rule and its facts; does nothing where no rule is broken.
template <static_failure Why>
consteval void require_unbroken() {
  if constexpr (Why.broken) {
    using broken_rule = decltype(detail::rule_broken_by<Why>());
    using boost::hana::type_c;
    constexpr auto in = detail::with_pieces<Why.method>([]<fixed_string... P>() { return type_c<in_method<P...>>; });
    constexpr auto at = detail::with_pieces<Why.node_name>([]<fixed_string... P>() { return type_c<at_node<Why.node, P...>>; });
    constexpr auto of = detail::with_pieces<Why.op>([]<fixed_string... P>() { return type_c<of_operator<P...>>; });
    constexpr auto tagged = detail::with_pieces<Why.tag>([]<fixed_string... P>() { return type_c<with_tag<P...>>; });
    constexpr auto by = detail::with_pieces<Why.backend>([]<fixed_string... P>() { return type_c<for_backend<P...>>; });
    constexpr bool is_found = !std::is_same_v<broken_rule, rule<"">>;
    constexpr auto source = is_found ? Why.reason : static_failure::text<static_failure::reason_capacity>(Why.rule_name);
    constexpr auto reason = detail::with_pieces<source>([]<fixed_string... P>() { return type_c<because<P...>>; });
    using method = typename found<>::template with<(Why.method.size != 0), typename decltype(in)::type>;
    using facts_at =
        typename method::template with<(Why.node >= 0), typename decltype(at)::type>::template with<(Why.op.size != 0),
                                                                                                    typename decltype(of)::type>;
    using known =
        typename facts_at::template with<(Why.tag.size != 0), typename decltype(tagged)::type>::template with<(Why.backend.size != 0),
                                                                                                              typename decltype(by)::type>;
    broken_rule::template report<typename known::template with<(source.size != 0), typename decltype(reason)::type>>();
  }
}

}  // namespace baton
