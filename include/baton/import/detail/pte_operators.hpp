// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of a method of an ExecuTorch program, and the layout of the arguments of a call. A value number is a position in the
// method's list of values.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// An operator of the method.
struct method_operator {
  byte_ref target{};       ///< the name in the program, without the underscore of an in-place operator
  std::uint64_t hash = 0;  ///< the hash of `target`
  bool is_in_place = false;
};

/// The operators of one method.
class operator_table {
 public:
  constexpr explicit operator_table(reading& model) : model_(model) {}

  constexpr void read(const table& method) {
    const auto stored = method.elements<table>(slot::execution_plan::operators);
    model_.reader.charge(reading::cost_of_record * stored.size());
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok(); ++i)
      add(stored[i].text(slot::operation::name), stored[i].text(slot::operation::overload));
  }
  constexpr auto size() const -> std::size_t { return operators_.size(); }
  constexpr auto operator[](std::size_t at) const -> const method_operator& { return operators_[at]; }
  /// Returns the name of an operator in the program.
  constexpr auto name_of(std::size_t at) -> std::string_view { return model_.builder.draft().text(operators_[at].target); }

 private:
  /// Adds an operator: `aten::add` with the overload `out` becomes `aten.add.out`.
  constexpr void add(std::string_view name, std::string_view overload) {
    text_buffer text;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool is_separator = name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':';
      text.push_back(is_separator ? '.' : name[i]);
      if (is_separator) ++i;
    }
    method_operator added;
    const auto size = text.size();
    added.is_in_place = size > 2 && text[size - 1] == '_' && text[size - 2] != '_';
    if (added.is_in_place) text.pop_back();
    if (!overload.empty()) append(append(text, "."), overload);
    added.hash = hash_of(baton::view(text));
    added.target = model_.own(text);
    operators_.push_back(added);
  }

  reading& model_;
  vector<method_operator> operators_;
};

/// The roles of the arguments of a call. The file usually lists the operands, then the tensors to which the outputs are written, then the
/// same tensors again, as outputs. `call_reader` lists all layouts.
struct call_layout {
  std::size_t operands = 0;       ///< the number of arguments that are neither outputs nor memory of outputs
  vector<std::uint32_t> outputs;  ///< the value numbers of the outputs that are tensors
  std::uint32_t number = npos;    ///< the value number of the output if it is a scalar, otherwise `npos`
  bool is_in_place = false;       ///< whether the output is also the first operand
};

/// A reader of calls. It checks the arguments of a call, and finds the outputs among them. The schema of an operator is not in the file, so
/// the layout is derived from the types and the value numbers of the arguments:
/// - `x, …, out, out`: one output;
/// - `x, …, out_0, out_1, [out_0, out_1]`, or `x, …, [out_0, out_1], [out_0, out_1]`: several outputs;
/// - `x, …, x` of an operator whose name ends with an underscore: `x` is written in place;
/// - `x, …, out`: operators of the runtime, such as `executorch_prim::et_view`, and operators with a number as their output.
class call_reader {
 public:
  using arguments = flatbuffer::vector<std::int32_t>;

  constexpr call_reader(reading& model, method_values& values, operator_table& operators)
      : model_(model),
        values_(values),
        operators_(operators) {}

  /// Checks the operator and the arguments of the kernel call that is instruction `at`. Returns false after an error.
  constexpr auto check(std::int32_t op, const arguments& list, std::size_t at) -> bool {
    if (op < 0 || static_cast<std::size_t>(op) >= operators_.size())
      return model_.refuse<"damaged_model">("instruction ", at, " calls operator ", op, ", but the number of operators is ",
                                            operators_.size());
    return check(list, at);
  }
  constexpr auto check(const arguments& list, std::size_t at) -> bool {
    if (list.empty()) return model_.refuse<"damaged_model">("instruction ", at, " has no arguments");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!values_.has(list[i]))
        return model_.refuse<"damaged_model">("argument ", i, " of instruction ", at, " is value ", list[i],
                                              ", but the number of values is ", values_.size());
    }
    return model_.check_errors("the arguments of instruction ", at);
  }

  /// Returns the layout of a checked call. After an error, which is recorded, the returned layout is empty.
  constexpr auto layout_of(const method_operator& op, const arguments& list, std::size_t at) -> call_layout {
    const auto count = list.size();
    const auto last = number_at(list, count - 1);
    const auto type = values_.type_of(last);
    if (method_values::is_scalar(type)) return {count - 1, {}, last, false};
    if (type == value_type::tensor) {
      const bool is_first = number_at(list, 0) == last;
      if (op.is_in_place && is_first) return {count - 1, {last}, npos, true};
      const bool is_twice = count >= 2 && number_at(list, count - 2) == last;
      return {count - (is_twice ? 2 : 1), {last}, npos, false};
    }
    if (type == value_type::tensors) return layout_of_list(list, last, at);
    model_.refuse<"unsupported_model">("instruction ", at, " calls ", operators_name(op),
                                       ", which has no output that is a tensor or a number");
    return {};
  }

  /// Returns the value numbers of the tensors in a list, or an empty list after an error.
  constexpr auto tensors_of(std::uint32_t list, std::size_t at) -> vector<std::uint32_t> {
    vector<std::uint32_t> tensors;
    const auto items = values_.literal(list).elements<std::int32_t>(slot::literal::value);
    model_.reader.charge(reading::cost_of_element * items.size());
    for (std::size_t i = 0; i < items.size() && model_.reader.ok(); ++i) {
      if (!values_.has(items[i]) || !values_.is_tensor(static_cast<std::uint32_t>(items[i]))) {
        model_.refuse<"damaged_model">("instruction ", at, ": list value ", list, " contains value ", items[i], ", which is not a tensor");
        return {};
      }
      tensors.push_back(static_cast<std::uint32_t>(items[i]));
    }
    return tensors;
  }

  static constexpr auto number_at(const arguments& list, std::size_t at) -> std::uint32_t { return static_cast<std::uint32_t>(list[at]); }

 private:
  constexpr auto operators_name(const method_operator& op) -> std::string_view { return model_.builder.draft().text(op.target); }

  constexpr auto layout_of_list(const arguments& list, std::uint32_t last, std::size_t at) -> call_layout {
    call_layout layout{list.size() - 1, tensors_of(last, at), npos, false};
    const auto count = layout.outputs.size();
    if (layout.operands >= 1 && values_.type_of(number_at(list, layout.operands - 1)) == value_type::tensors) {
      const auto memory = tensors_of(number_at(list, layout.operands - 1), at);
      if (memory.size() == count && is_equal(memory, layout.outputs)) layout.operands -= 1;
      return layout;
    }
    if (layout.operands < count) return layout;
    for (std::size_t i = 0; i < count; ++i) {
      if (number_at(list, layout.operands - count + i) != layout.outputs[i]) return layout;
    }
    layout.operands -= count;
    return layout;
  }
  static constexpr auto is_equal(const vector<std::uint32_t>& a, const vector<std::uint32_t>& b) -> bool {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  reading& model_;
  method_values& values_;
  operator_table& operators_;
};

}  // namespace baton::pte::detail
