// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The remark for a support whose operator names are probably misspelled. Such a support matches no node of a program, or names operators of
// a namespace that the program does not use.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/partition/operator_support.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton::detail {

/// `each(f)` calls `f` with each operator name in `Support`. The primary template is for supports without a list of names, such as `not_of`
/// and user-defined supports.
template <class Support>
struct named_operators {
  template <class F>
  static constexpr void each(F&) {}
};
template <fixed_string... Names>
struct named_operators<operator_names<Names...>> {
  template <class F>
  static constexpr void each(F& f) {
    (f(std::string_view{Names}), ...);
  }
};
template <fixed_string Operator, class... Operands>
struct named_operators<table_row<Operator, Operands...>> {
  template <class F>
  static constexpr void each(F& f) {
    f(std::string_view{Operator});
  }
};
template <class... Members>
struct named_by_members {
  template <class F>
  static constexpr void each(F& f) {
    (named_operators<Members>::each(f), ...);
  }
};
template <class... Rows>
struct named_operators<operator_table<Rows...>> : named_by_members<Rows...> {};
template <class... Members>
struct named_operators<any_of<Members...>> : named_by_members<Members...> {};
template <class... Members>
struct named_operators<all_of<Members...>> : named_by_members<Members...> {};
template <class Member, class Followers>
struct named_operators<with_followers<Member, Followers>> : named_by_members<Member> {};

constexpr auto namespace_of(std::string_view op) -> std::string_view { return op.substr(0, std::min(op.find('.'), op.size())); }

/// True if `op` is in the namespace `tfl` or `aten`, or if Baton, the program or the program's dialect defines `op`. For example, Baton
/// defines `cond`, which has no namespace.
constexpr auto has_known_namespace(const program_view& program, std::string_view op) -> bool {
  const auto hash = hash_of(op);
  return op.starts_with(tflite::operator_prefix) || op.starts_with("aten.") ||
         find_definition(hash, program.operators, program.dialect).name.hash == hash;
}

/// Returns a remark if `Support` matches no node of the program. Also returns a remark if `Support` names operators in an unknown namespace
/// (`has_known_namespace`) that the program does not use. Returns an empty text in all other cases, and for `no_support`. The remark lists
/// at most four operators that `Support` names.
template <operator_support Support>
constexpr auto unmatched_remark(const program_view& program) -> text_buffer {
  if constexpr (std::is_same_v<Support, no_support>) return {};
  constexpr std::size_t max_names = 4;
  const bool is_matched = every_support_matches<Support>(program);
  text_buffer names;
  std::size_t count = 0;
  const auto add = [&](std::string_view name) {
    if (is_matched && has_known_namespace(program, name)) return;
    for (const auto& record : program.nodes) {
      const auto op = program.text(record.target);
      if (is_matched ? namespace_of(op) == namespace_of(name) : op == name) return;
    }
    if (++count > max_names) return;
    append(append(names, count == 1 ? "" : ", "), name);
  };
  named_operators<Support>::each(add);
  if (count > max_names) append(names, view(join(" and ", count - max_names, " more")));
  if (count == 0) {
    if (is_matched) return {};
    return join("the support matches no node of the program");
  }
  if (is_matched) return join("the program has no operator in the namespace of ", view(names), ", which the support names");
  return join("the support matches no node of the program, which has no ", view(names));
}

/// Appends `remark` to the reason `why`. Does nothing if `why` or `remark` is empty.
constexpr void add_remark(text_buffer& why, const text_buffer& remark) {
  if (!why.empty() && !remark.empty()) add_reason(why, "", view(remark));
}

}  // namespace baton::detail
