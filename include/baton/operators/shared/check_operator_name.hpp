// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A check of operator names that suggests a correction for a misspelled name. The caller passes the dialects, so that a translation unit
// that only runs models need not compile the operator tables of all dialects.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/detail/nearest_name.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The name that was probably meant by an unknown operator name.
struct meant_name {
  text_buffer text;               ///< the meant name, or two names, as in `tfl.add or onnx.Add`; empty if no correction is suggested
  bool has_no_namespace = false;  ///< true if the checked name has no namespace
};

/// Returns the bound with which `nearest_name` searches for a name of `size` characters without a namespace. One character of the name may
/// differ, because the bound is exclusive. In a name of fewer than five characters, no character may differ, because many short names are
/// similar to each other.
constexpr auto strict_bound(std::size_t size) -> std::size_t { return size < 5 ? 1 : 2; }

/// Returns the digits of a name as one number, or 0 if there are none.
constexpr auto digits_of(std::string_view name) -> std::uint64_t {
  std::uint64_t number = 0;
  for (const char c : name) number = c >= '0' && c <= '9' ? 10 * number + static_cast<std::uint64_t>(c - '0') : number;
  return number;
}

/// Returns the operator of TensorFlow Lite whose name without the prefix `tfl.` is nearest to `suffix`, or an empty view if none is near.
constexpr auto nearest_operator(std::string_view suffix, std::size_t bound) -> std::string_view {
  nearest_name search(suffix, bound);
  for (const auto& candidate : tflite::operator_names) {
    if (candidate.text == "tfl.custom") continue;  // the builtin operator code that all custom operators share
    search.offer(candidate.text.substr(tflite::operator_prefix.size()), candidate.text);
  }
  return search.nearest();
}

/// Dialects whose operators are known. Null pointers are ignored.
using dialect_list = span<const operator_dialect* const>;

/// True if a dialect has the operator whose name consists of `prefix` and `suffix`.
constexpr auto has_operator(dialect_list dialects, std::string_view prefix, std::string_view suffix) -> bool {
  const auto op = hash_of(suffix, hash_of(prefix));
  for (const auto* const dialect : dialects) {
    if (dialect != nullptr && dialect->find(op) != nullptr) return true;
  }
  return false;
}

/// Calls `search.offer` for the operators of `dialects` whose names begin with `prefix`, a namespace with its dot. `name_in` receives the
/// part of a name after the prefix, and returns the characters to compare. To skip a name, `name_in` returns an empty view.
template <class NameIn>
constexpr void offer_operators(nearest_name& search, dialect_list dialects, std::string_view prefix, NameIn name_in) {
  const auto size = prefix.size();
  const char first = prefix[0];
  for (const auto* const dialect : dialects) {
    if (dialect == nullptr) continue;
    // The cheapest check comes first, because there are several hundred names, and compilers limit the evaluation steps of a constant
    // expression.
    dialect->for_each([&](const operator_definition& definition) {
      const char* const text = definition.name.text.data();
      const auto length = definition.name.text.size();
      if (text[0] != first || length <= size || !search.may_be_near(text + size, length - size)) return;
      if (!definition.name.text.starts_with(prefix)) return;
      const auto candidate = name_in(std::string_view{text + size, length - size});
      if (!candidate.empty()) search.offer(candidate, candidate);
    });
  }
}

/// Returns the operator type of ONNX that was probably meant by `type`. Returns an empty view if `type` is known, is in another domain, or
/// is not similar to a known type. One character may differ, or none in a type of fewer than four characters. Valid operators that the
/// library does not know differ from the known operators in more characters.
constexpr auto meant_onnx_type(std::string_view type, dialect_list dialects) -> std::string_view {
  // PyTorch's former exporter wrote operators without a translation as `ATen`.
  if (type.find('.') != std::string_view::npos || type == "ATen" || has_operator(dialects, "onnx.", type)) return {};
  nearest_name search(type, type.size() < 4 ? 1 : 2);
  offer_operators(search, dialects, "onnx.", [](std::string_view candidate) {
    return candidate.find('.') == std::string_view::npos ? candidate : std::string_view{};
  });
  return search.nearest();
}

/// The overloads that most of PyTorch's operators have.
inline constexpr std::string_view aten_overloads[] = {"default", "Tensor", "Scalar"};

/// True if PyTorch may have both operators: they differ in a digit (`max_pool2d`, `max_pool3d`), or in an underscore at an end
/// (`softmax`, `_softmax`; `relu`, `relu_`).
constexpr auto are_variants(std::string_view a, std::string_view b) -> bool {
  if (a.starts_with('_') != b.starts_with('_') || a.ends_with('_') != b.ends_with('_')) return true;
  return digits_of(a) != digits_of(b);
}

/// The operator that was probably meant by an operator name in the namespace `aten`. Both names are without their overloads.
struct meant_base {
  bool is_known = false;    ///< a dialect has an overload of the operator
  std::string_view text{};  ///< the nearest known operator; empty if the operator is known, or if no known operator is near
};

/// Returns the operator that was probably meant by `base`, an operator in the namespace `aten` without its overload. PyTorch has many
/// operators that the library does not know. So one character may differ in a name of at least eight characters, and none in a shorter
/// name.
constexpr auto meant_aten_base(std::string_view base, dialect_list dialects) -> meant_base {
  nearest_name search(base, base.size() < 8 ? 1 : 2);
  bool is_known = false;
  offer_operators(search, dialects, "aten.", [&](std::string_view candidate) {
    const auto known = candidate.substr(0, candidate.find('.'));
    is_known |= known == base;
    return are_variants(known, base) ? std::string_view{} : known;
  });
  if (is_known) return {true};
  return {false, search.nearest()};
}

/// Returns the name in the namespace `aten` that was probably meant by `aten.<suffix>`, or an empty text. An overload is corrected only if
/// the operator is known, and the overload has at least five characters. It must differ from one of `aten_overloads` in at most one
/// character, apart from case and underscores.
constexpr auto meant_aten_name(std::string_view suffix, dialect_list dialects) -> text_buffer {
  if (has_operator(dialects, "aten.", suffix)) return {};
  const auto dot = suffix.find('.');
  const auto base = suffix.substr(0, dot);
  const auto overload = dot == std::string_view::npos ? std::string_view{} : suffix.substr(dot + 1);
  const auto meant = meant_aten_base(base, dialects);
  if (!meant.is_known) {
    if (meant.text.empty()) return {};
    auto name = join("aten.", meant.text);
    if (!overload.empty()) append(append(name, "."), overload);
    return name;
  }
  if (overload.size() < 5) return {};
  nearest_name search(overload, 2);
  for (const auto candidate : aten_overloads) {
    if (candidate == overload) return {};
    search.offer(candidate, candidate);
  }
  if (search.nearest().empty()) return {};
  return join("aten.", base, ".", search.nearest());
}

/// True if two namespaces are equal except for case and underscores, or if two neighboring characters are exchanged. Other differences are
/// not accepted, because the namespaces of two projects may differ in one character, as `tfl` and `tflm` do.
constexpr auto is_misspelled(std::string_view text, std::string_view meant) -> bool {
  if (view(plain_name(text)) == meant) return true;
  std::size_t at = 0;
  while (at < text.size() && at < meant.size() && text[at] == meant[at]) ++at;
  return text.size() == meant.size() && at + 1 < text.size() && text[at] == meant[at + 1] && text[at + 1] == meant[at] &&
         text.substr(at + 2) == meant.substr(at + 2);
}

/// Returns the name that was probably meant by an operator name outside of the known namespaces.
constexpr auto meant_outside_namespaces(std::string_view name, dialect_list dialects) -> meant_name {
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) {
    const auto nearest = nearest_operator(name, strict_bound(name.size()));
    meant_name meant{join(digits_of(nearest) == digits_of(name) ? nearest : std::string_view{}), true};
    if (!has_operator(dialects, "onnx.", name)) return meant;
    append(append(meant.text, meant.text.empty() ? "onnx." : " or onnx."), name);
    return meant;
  }
  const auto space = name.substr(0, dot);
  const auto suffix = name.substr(dot + 1);
  if (space.size() < 2 || space.size() > 6) return {};
  if (space == "tf" || space == "tflite" || is_misspelled(space, "tfl")) return {join(nearest_operator(suffix, 1)), false};
  if (is_misspelled(space, "aten") && meant_aten_base(suffix.substr(0, suffix.find('.')), dialects).is_known)
    return {join("aten.", suffix), false};
  if (is_misspelled(space, "onnx") && has_operator(dialects, "onnx.", suffix)) return {join("onnx.", suffix), false};
  return {};
}

/// Returns the name that was probably meant by an operator name that does not have the prefix `tfl.`.
constexpr auto meant_operator(std::string_view name, dialect_list dialects) -> meant_name {
  if (name.starts_with("aten.")) return {meant_aten_name(name.substr(5), dialects), false};
  if (!name.starts_with("onnx.")) return meant_outside_namespaces(name, dialects);
  const auto type = meant_onnx_type(name.substr(5), dialects);
  if (type.empty()) return {};
  return {join("onnx.", type), false};
}

}  // namespace detail

/// Checks the name of an operator. A name with the prefix `tfl.` must be the name of an operator of TensorFlow Lite (`is_operator_name`).
/// Fails with `unknown_operator` for any other name with this prefix, and suggests the nearest name if one is near. Also fails with
/// `unknown_operator` for an unknown name that is similar to an `aten` or `onnx` name in `dialects`, and for a name whose namespace is
/// misspelled if the rest of the name is known. Fails with `operator_without_namespace` for a name without a namespace that is similar to a
/// known name, such as `CONV_2D` or `conv2d`. All other names are valid, because operators are an open set. Null pointers in `dialects` are
/// ignored.
constexpr auto check_operator_name(std::string_view name, span<const operator_dialect* const> dialects) -> failure {
  if (!name.starts_with(tflite::operator_prefix)) {
    const auto meant = detail::meant_operator(name, dialects);
    if (meant.text.empty()) return {};
    failure why;
    if (meant.has_no_namespace) {
      why = broken<"operator_without_namespace">("write ", view(meant.text));
    } else {
      why = broken<"unknown_operator">("the nearest name is ", view(meant.text));
    }
    why.op = join(name);
    return why;
  }
  if (tflite::detail::is_operator_name(name)) return {};
  auto why = broken<"unknown_operator">();
  const auto suffix = name.substr(tflite::operator_prefix.size());
  const bool is_custom = suffix.empty() || suffix.starts_with("custom");
  // At most half of the characters, and at most five characters, may differ.
  const auto nearest = is_custom ? std::string_view{} : detail::nearest_operator(suffix, std::min(suffix.size() / 2, std::size_t{5}) + 1);
  if (!nearest.empty()) why.reason = join("the nearest name is ", nearest, "; ");
  append(append(why.reason, "a custom operator is named "), tflite::custom_operator_prefix);
  append(why.reason, is_custom ? std::string_view{"CODE"} : suffix);
  why.op = join(name);
  return why;
}

}  // namespace baton
