// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of PyTorch that write an operand in place, and operators whose output shares memory with an operand.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>

#include <cstddef>
#include <string_view>

namespace baton::pt2::detail {

/// The parts of an operator's name: `aten`, `add_` and `Tensor` of `aten.add_.Tensor`.
struct operator_parts {
  std::string_view scope, base, overload;
};
constexpr auto parts_of_operator(std::string_view target) -> operator_parts {
  const auto first = target.find('.');
  if (first == std::string_view::npos) return {{}, target, {}};
  const auto second = target.find('.', first + 1);
  if (second == std::string_view::npos) return {target.substr(0, first), target.substr(first + 1), {}};
  return {target.substr(0, first), target.substr(first + 1, second - first - 1), target.substr(second + 1)};
}

/// True if an operator writes its first operand. By PyTorch's convention, the base name of an in-place operator, such as `add_`, ends with
/// a single underscore.
constexpr auto is_in_place_operator(std::string_view target) -> bool {
  const auto base = parts_of_operator(target).base;
  return base.size() > 1 && base.back() == '_' && base[base.size() - 2] != '_';
}
/// Returns the name of the operator that returns a new value and does not write in place: `aten.add.Tensor` for `aten.add_.Tensor`.
constexpr auto functional_name(std::string_view target) -> text_buffer {
  const auto parts = parts_of_operator(target);
  return join(parts.scope, ".", parts.base.substr(0, parts.base.size() - 1), ".", parts.overload);
}

/// True if an operator only checks its operands.
constexpr auto is_assertion(std::string_view target) -> bool {
  return target.starts_with("aten._assert_") || target.starts_with("aten.sym_constrain_range");
}

/// True if outputs of an operator may share the memory of the first operand.
constexpr auto is_view_operator(std::string_view target) -> bool {
  constexpr literal_name bases[] = {"_reshape_alias",
                                    "_unsafe_view",
                                    "alias",
                                    "as_strided",
                                    "broadcast_to",
                                    "chunk",
                                    "contiguous",
                                    "detach",
                                    "diagonal",
                                    "dropout",
                                    "expand",
                                    "expand_as",
                                    "flatten",
                                    "hsplit",
                                    "lift",
                                    "lift_fresh",
                                    "mT",
                                    "movedim",
                                    "moveaxis",
                                    "narrow",
                                    "numpy_T",
                                    "permute",
                                    "positive",
                                    "ravel",
                                    "reshape",
                                    "reshape_as",
                                    "resolve_conj",
                                    "select",
                                    "slice",
                                    "split",
                                    "split_with_sizes",
                                    "squeeze",
                                    "swapaxes",
                                    "swapdims",
                                    "t",
                                    "tensor_split",
                                    "to",
                                    "transpose",
                                    "type_as",
                                    "unbind",
                                    "unflatten",
                                    "unfold",
                                    "unsqueeze",
                                    "view",
                                    "view_as",
                                    "vsplit"};
  const auto parts = parts_of_operator(target);
  return parts.scope == "aten" && is_among(hash_of(parts.base), bases);
}

}  // namespace baton::pt2::detail
