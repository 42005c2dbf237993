// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Broken rules at compile time: the failure as a constant, its facts as types, and the compile error.
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

// The facts of a broken rule as types. Each text is split into several template arguments, because Clang abbreviates texts of more than
// about 36 characters.
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

/// The facts of a broken rule. Unknown facts are omitted.
template <class... Known>
struct error_facts {
  template <bool IsKnown, class Fact>
  using with = std::conditional_t<IsKnown, error_facts<Known..., Fact>, error_facts>;
};

/// A failure that can be a template argument. Texts that exceed their capacity are truncated.
struct static_failure {
  static constexpr std::size_t capacity = 120;
  static constexpr std::size_t reason_capacity = 720;  // enough for thirty operator names
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
  bool is_set = false;
  std::int64_t node = -1;
  text<capacity> rule_name, method, node_name, op, tag, backend;
  text<reason_capacity> reason;

  constexpr static_failure() = default;
  constexpr explicit static_failure(const failure& why)
      : is_set(static_cast<bool>(why)),
        node(why.node),
        rule_name(why.rule_name),
        method(why.method),
        node_name(why.node_name),
        op(why.op),
        tag(why.tag),
        backend(why.backend),
        reason(why.reason) {}

  /// True if the rule `Name` is broken; see `failure::is`.
  template <fixed_string Name>
  constexpr auto is() const -> bool {
    return detail::is_rule<Name>(rule_name);
  }
};

namespace detail {

/// Returns the end of the piece of `text` that starts at `begin`. A piece has at most 32 characters. If at most 32 characters remain, the
/// piece contains them all. Otherwise, the piece ends after the first "; " in the next 32 characters, so that the next piece begins with a
/// clause. Without "; ", the piece ends after the last blank in these characters. Without a blank, the piece has 32 characters.
template <std::size_t Capacity>
constexpr auto end_of_piece(const static_failure::text<Capacity>& text, std::size_t begin) -> std::size_t {
  constexpr std::size_t max_size = 32;
  if (text.size - begin <= max_size) return text.size;
  auto end = begin;
  for (auto at = begin; at < begin + max_size; ++at) {
    if (text.characters[at] != ' ') continue;
    end = at + 1;
    if (at > begin && text.characters[at - 1] == ';') return end;
  }
  return end == begin ? begin + max_size : end;
}

template <auto Text, std::size_t Begin, std::size_t End>
consteval auto piece() -> fixed_string<End - Begin + 1> {
  fixed_string<End - Begin + 1> fixed;
  for (std::size_t i = Begin; i < End; ++i) fixed.characters[i - Begin] = Text.characters[i];
  fixed.characters[End - Begin] = '\0';  // already zero, but assigned explicitly, because Clang then prints text instead of numbers
  return fixed;
}

/// Calls `f` with the pieces of a text as template arguments, and returns the result of this call.
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
concept has_report = requires { Rule::template report<error_facts<>>(); };

/// Returns an object of the `rule` specialization that a failure names. If this specialization has no `report`, returns an object of the
/// primary template, whose `report` is always an error.
template <static_failure Why>
consteval auto rule_broken_by() {
  using named = rule<piece<Why.rule_name, 0, Why.rule_name.size>()>;
  return std::conditional_t<has_report<named>, named, rule<"">>{};
}

}  // namespace detail

/// If `Why` is a failure, stops the compilation with the sentence of the broken rule and the facts. Does nothing if no rule is broken.
template <static_failure Why>
consteval void require_no_failure() {
  if constexpr (Why.is_set) {
    using broken_rule = decltype(detail::rule_broken_by<Why>());
    using boost::hana::type_c;
    constexpr auto method_type = detail::with_pieces<Why.method>([]<fixed_string... P>() { return type_c<in_method<P...>>; });
    constexpr auto node_type = detail::with_pieces<Why.node_name>([]<fixed_string... P>() { return type_c<at_node<Why.node, P...>>; });
    constexpr auto operator_type = detail::with_pieces<Why.op>([]<fixed_string... P>() { return type_c<of_operator<P...>>; });
    constexpr auto tag_type = detail::with_pieces<Why.tag>([]<fixed_string... P>() { return type_c<with_tag<P...>>; });
    constexpr auto backend_type = detail::with_pieces<Why.backend>([]<fixed_string... P>() { return type_c<for_backend<P...>>; });
    constexpr bool has_rule = !std::is_same_v<broken_rule, rule<"">>;
    constexpr auto source = has_rule ? Why.reason : static_failure::text<static_failure::reason_capacity>(Why.rule_name);
    constexpr auto reason = detail::with_pieces<source>([]<fixed_string... P>() { return type_c<because<P...>>; });
    using method = typename error_facts<>::template with<(Why.method.size != 0), typename decltype(method_type)::type>;
    using facts_at = typename method::template with<(Why.node >= 0), typename decltype(node_type)::type>::template with<
        (Why.op.size != 0), typename decltype(operator_type)::type>;
    using known = typename facts_at::template with<(Why.tag.size != 0), typename decltype(tag_type)::type>::template with<
        (Why.backend.size != 0), typename decltype(backend_type)::type>;
    broken_rule::template report<typename known::template with<(source.size != 0), typename decltype(reason)::type>>();
  }
}

}  // namespace baton
