// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reader of one method of an ExecuTorch program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_control_flow.hpp>
#include <baton/import/detail/pte_delegates.hpp>
#include <baton/import/detail/pte_file.hpp>
#include <baton/import/detail/pte_kernel_calls.hpp>
#include <baton/import/detail/pte_operators.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/find_definition.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// Returns the instructions of a method. Every known writer writes one chain (list of instructions) per method. Records `unsupported_model`
/// and returns an empty list if the method has several chains or none.
constexpr auto instructions_of(reading& model, const table& method) -> flatbuffer::vector<table> {
  const auto chains = method.elements<table>(slot::execution_plan::chains);
  if (chains.size() == 1) return chains[0].elements<table>(slot::chain::instructions);
  model.refuse<"unsupported_model">("the method has ", chains.size(), " chains of instructions instead of one");
  return {};
}

/// Returns the position of the method with the name `entry`. An empty name selects `forward`, or the first method if there is no `forward`.
/// Fails with `unknown_name` if the program does not have the selected method.
constexpr auto find_method(const flatbuffer::vector<table>& methods, std::string_view entry) -> result<std::size_t> {
  const auto wanted = entry.empty() ? std::string_view{"forward"} : entry;
  auto why = broken<"unknown_name">("there is no method ", baton::view(printable_name(wanted)), "; there are:");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const auto name = methods[i].text(slot::execution_plan::name);
    if (name == wanted) return i;
    append(append(why.reason, " "), baton::view(printable_name(name)));
  }
  if (entry.empty() && !methods.empty()) return std::size_t{0};
  return why;
}

/// Reads the method `user_options.entry` of a program. `depth` is the number of programs that contain this program.
constexpr auto read_parts(const file_parts& parts, const read_options& user_options, std::uint32_t depth = 0) -> result<exported_program>;

/// A reader that adds one method to the root graph of a program.
class method_reader {
 public:
  constexpr method_reader(reading& model, const table& method)
      : model_(model),
        method_(method),
        name_(method.text(slot::execution_plan::name)),
        values_(model, method),
        operators_(model),
        list_(model, instructions_of(model, method)),
        scopes_(model, values_, list_.size() + 1),
        calls_(model, values_, operators_),
        nodes_(model, name_, values_, operators_, calls_, scopes_),
        delegates_(model, values_, nodes_, scopes_, method),
        jumps_(*this, model, values_, scopes_, nodes_) {}
  method_reader(const method_reader&) = delete;  // its members refer to each other
  auto operator=(const method_reader&) -> method_reader& = delete;

  /// Reads the method into the root graph. Returns false after an error.
  constexpr auto run() -> bool {
    if (!model_.check_errors("the values or the instructions of method ", baton::view(printable_name(name_)))) return false;
    operators_.read(method_);
    if (!model_.check_errors("the operators of method ", baton::view(printable_name(name_)))) return false;
    model_.builder.draft().graphs[0].name = model_.view(name_);
    scope root;
    root.names = baton::detail::renaming(values_.size(), nullptr);
    if (!note_updates() || !check_operators() || !add_inputs(root) || !emit(root, 0, list_.size(), 0)) return false;
    return add_outputs(root);
  }

  // A function that `decoded_graphs` calls

  /// Reads the program in the processed bytes of a delegate. Processed bytes are the result of a backend's `preprocess`.
  static constexpr auto read_nested(span<const char> bytes, const read_options& user_options, std::uint32_t depth)
      -> result<exported_program> {
    byte_reader reader{bytes};
    if (!flatbuffer::has_identifier(reader, program_identifier))
      return broken<"damaged_model">("the processed bytes are not an ExecuTorch program");
    const auto parts = program_parts(bytes);
    if (!parts) return parts.error;
    auto options = user_options;
    options.entry = {};
    options.shapes = {};
    return read_parts(parts.value, options, depth);
  }

  // Functions that `control_flow` calls

  constexpr auto name() const -> std::string_view { return name_; }
  constexpr auto instructions() const -> const instruction_list& { return list_; }

  /// A kernel call. `op` is the hash of the operator's name in the program, or 0 if the instruction is not a kernel call.
  struct call {
    std::uint64_t op = 0;
    std::size_t number = 0;  ///< the position of the operator in the method's list of operators
    call_reader::arguments arguments{};

    /// True if the call stores the slice of one loop iteration in a stacked tensor (see `control_flow`).
    constexpr auto is_copy_index() const -> bool {
      return op == literal_name{"executorch_prim.et_copy_index.tensor"}.hash && arguments.size() == 3;
    }
  };
  /// Checks the kernel call of instruction `at` and returns it. Returns an empty call for any other instruction, and after an error.
  constexpr auto call_at(std::size_t at) -> call {
    if (list_.type_at(at) != instruction_type::kernel_call) return {};
    const auto op = list_[at].scalar<std::int32_t>(slot::kernel_call::op_index);
    const auto arguments = list_[at].elements<std::int32_t>(slot::kernel_call::args);
    if (!calls_.check(op, arguments, at)) return {};
    return {operators_[static_cast<std::size_t>(op)].hash, static_cast<std::size_t>(op), arguments};
  }
  /// Appends the tensors that instruction `at` writes.
  constexpr void append_written(const scope& in, std::size_t at, vector<std::uint32_t>& written) {
    const auto type = list_.type_at(at);
    if (type == instruction_type::kernel_call) {
      const auto called = call_at(at);
      if (model_.why) return;
      if (called.is_copy_index()) return written.push_back(call_reader::number_at(called.arguments, 0));
      for (const auto number : calls_.layout_of(operators_[called.number], called.arguments, at).outputs) written.push_back(number);
    } else if (type == instruction_type::move_call) {
      const auto to = list_[at].scalar<std::int32_t>(slot::move_call::move_to);
      if (values_.has(to) && values_.is_tensor(static_cast<std::uint32_t>(to))) written.push_back(static_cast<std::uint32_t>(to));
    } else if (type == instruction_type::delegate_call) {
      const auto arguments = list_[at].elements<std::int32_t>(slot::delegate_call::args);
      if (!calls_.check(arguments, at)) return;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto number = call_reader::number_at(arguments, i);
        const bool is_output = values_.is_tensor(number) && scopes_.is_unwritten(in, number) &&
                               (i + 1 == arguments.size() || scopes_.viewed(in, number) == npos);
        if (is_output) written.push_back(number);
      }
    }
  }

  /// Adds the nodes of the instructions from `begin` to `end` (exclusive) to the current graph. `depth` is the number of enclosing branches
  /// and loops. Returns false after an error.
  constexpr auto emit(scope& in, std::size_t begin, std::size_t end, std::uint32_t depth) -> bool {
    for (auto at = begin; at < end;) {
      if (!model_.reader.charge(1)) return model_.check_errors("instruction ", at);
      const auto back = list_.loop_at(at, end);
      if (back != npos) {
        if (!jumps_.add_loop(in, at, back, depth)) return false;
        continue;
      }
      if (list_.type_at(at) == instruction_type::jump_false_call) {
        if (!jumps_.add_cond(in, at, end, depth)) return false;
        continue;
      }
      if (!emit_one(in, at)) return false;
      ++at;
    }
    return true;
  }

 private:
  constexpr auto emit_one(scope& in, std::size_t at) -> bool {
    switch (list_.type_at(at)) {
      case instruction_type::kernel_call: {
        const auto called = call_at(at);
        if (model_.why) return false;
        if (in.counter != npos && jumps_.is_slice(called, in.counter)) return true;
        if (in.counter != npos && jumps_.is_row(called, in.counter)) return add_row(in, called, at);
        return nodes_.emit(in, called.number, called.arguments, at);
      }
      case instruction_type::delegate_call: {
        const auto arguments = list_[at].elements<std::int32_t>(slot::delegate_call::args);
        if (!calls_.check(arguments, at)) return false;
        return delegates_.emit(in, list_[at].scalar<std::int32_t>(slot::delegate_call::delegate_index), arguments, at);
      }
      case instruction_type::move_call:
        return move(in, at);
      case instruction_type::free_call:
        return true;
      default:
        return model_.refuse<"damaged_model">("instruction ", at, " has the unknown type ", static_cast<std::uint32_t>(list_.type_at(at)));
    }
  }
  constexpr auto add_row(scope& in, const call& called, std::size_t at) -> bool {
    const auto row = call_reader::number_at(called.arguments, 1), stack = call_reader::number_at(called.arguments, 0);
    if (!values_.is_tensor(row) || !values_.is_tensor(stack))
      return model_.refuse<"damaged_model">("instruction ", at, " stacks a value that is not a tensor");
    in.rows.push_back(scopes_.read(in, row));
    return model_.check_errors("instruction ", at);
  }
  constexpr auto move(scope& in, std::size_t at) -> bool {
    const auto from = list_[at].scalar<std::int32_t>(slot::move_call::move_from);
    const auto to = list_[at].scalar<std::int32_t>(slot::move_call::move_to);
    if (!values_.has(from) || !values_.has(to))
      return model_.refuse<"damaged_model">("instruction ", at, " moves value ", from, " to value ", to, ", but the number of values is ",
                                            values_.size());
    const auto source = static_cast<std::uint32_t>(from), target = static_cast<std::uint32_t>(to);
    if (!values_.is_tensor(source) || !values_.is_tensor(target))
      return model_.refuse<"unsupported_model">("instruction ", at, " moves value ", from, " to value ", to,
                                                "; one of them is not a tensor");
    scopes_.move(in, target, scopes_.read(in, source));
    return model_.check_errors("instruction ", at);
  }

  /// Marks the tensors that in-place operators write (`scope_values::note_update`), and counts the calls of each operator.
  constexpr auto note_updates() -> bool {
    model_.reader.charge(operators_.size());
    calls_of_.assign(model_.reader.ok() ? operators_.size() : 0, 0);
    for (std::size_t at = 0; at < list_.size() && !model_.why; ++at) {
      const auto called = call_at(at);
      if (model_.why || called.arguments.empty()) continue;
      calls_of_[called.number] += 1;
      if (!operators_[called.number].is_in_place) continue;
      const auto number = call_reader::number_at(called.arguments, 0);
      if (values_.is_tensor(number)) scopes_.note_update(number);
    }
    return model_.check_errors("the instructions");
  }

  /// Fails with `unsupported_operators` if the method calls an operator that neither Baton nor the user defines. The message names every
  /// undefined operator.
  constexpr auto check_operators() -> bool {
    text_buffer text;
    for (std::size_t i = 0; i < operators_.size(); ++i) {
      const auto& known = operators_[i];
      if (calls_of_[i] == 0 || is_resolved(i)) continue;
      if (find_definition(known.hash, model_.options.operators, &executorch::dialect).name.hash == known.hash) continue;
      append(append(text, text.empty() ? "" : ", "), baton::view(printable_name(operators_.name_of(i))));
      append(append(append(text, " ("), static_cast<std::int64_t>(calls_of_[i])), ")");
    }
    return text.empty() || model_.refuse<"unsupported_operators">(baton::view(text));
  }
  /// True if an operator needs no definition, because the importer itself evaluates its calls. These operators are in-place copies,
  /// `aten.sym_size.int`, and all `executorch_prim` operators except `et_view`.
  constexpr auto is_resolved(std::size_t op) -> bool {
    const auto name = operators_.name_of(op);
    const bool is_copy = operators_[op].is_in_place && name == "aten.copy";
    return is_copy || name == "aten.sym_size.int" || (name.starts_with("executorch_prim.") && name != "executorch_prim.et_view.default");
  }

  /// Adds the inputs of the method. An input that is not a tensor is omitted, because instructions use the value that it had at export.
  constexpr auto add_inputs(scope& root) -> bool {
    const auto stored = method_.elements<std::int32_t>(slot::execution_plan::inputs);
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok() && !model_.why; ++i) {
      if (!values_.has(stored[i]))
        return model_.refuse<"damaged_model">("input ", i, " is value ", stored[i], ", but the number of values is ", values_.size());
      const auto number = static_cast<std::uint32_t>(stored[i]);
      if (values_.is_tensor(number)) scopes_.add_input(root, number, i);
    }
    for (const auto& each : model_.options.shapes) {
      bool is_known = false;
      for (std::size_t i = 0; i < stored.size() && model_.reader.charge(1); ++i)
        is_known = is_known || each.input == baton::view(join("input_", i));
      if (!is_known) return model_.refuse<"unknown_name">("there is no input ", baton::view(printable_name(each.input)));
    }
    return model_.check_errors("the inputs");
  }

  constexpr auto add_outputs(scope& root) -> bool {
    const auto stored = method_.elements<std::int32_t>(slot::execution_plan::outputs);
    model_.reader.charge(reading::cost_of_element * stored.size());
    vector<value_id> outputs;
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok() && !model_.why; ++i) {
      if (!values_.has(stored[i]))
        return model_.refuse<"damaged_model">("output ", i, " is value ", stored[i], ", but the number of values is ", values_.size());
      const auto number = static_cast<std::uint32_t>(stored[i]);
      const auto id = values_.is_tensor(number) ? scopes_.read(root, number) : add_literal(root, number, i);
      outputs.push_back(id);
    }
    if (!model_.check_errors("the outputs")) return false;
    scopes_.add_mutations(root);
    for (const auto id : outputs) model_.builder.output(id);
    return true;
  }
  /// Adds a constant for output `at` of the method, which must be a number or a boolean. Returns the constant.
  constexpr auto add_literal(scope& root, std::uint32_t number, std::size_t at) -> value_id {
    const auto type = values_.type_of(number);
    const auto known = values_.number(number);
    if (type != value_type::real && !known.is_known) {
      model_.refuse<"unsupported_model">("output ", at, ", value ", number, ", is neither a tensor nor a number");
      return value_id{0};
    }
    const bool is_real = type == value_type::real, is_boolean = type == value_type::boolean;
    const auto bits = is_real ? std::bit_cast<std::uint64_t>(values_.real(number)) : static_cast<std::uint64_t>(known.value);
    text_buffer bytes;
    append_little_endian(bytes, bits, is_boolean ? 1 : 8);
    value record{.name = model_.own(join("constant_", number)), .kind = value_kind::constant};
    record.type = is_real ? dtype::float64 : is_boolean ? dtype::boolean : dtype::int64;
    record.target = record.name;
    record.data = model_.own(bytes);
    return scopes_.add_input(root, record, 0);
  }

  reading& model_;
  table method_;
  std::string_view name_;
  method_values values_;
  operator_table operators_;
  instruction_list list_;
  scope_values scopes_;
  call_reader calls_;
  kernel_calls nodes_;
  delegate_calls<method_reader> delegates_;
  control_flow<method_reader> jumps_;
  vector<std::uint32_t> calls_of_;  ///< the number of calls, indexed by operator
};

constexpr auto read_parts(const file_parts& parts, const read_options& user_options, std::uint32_t depth) -> result<exported_program> {
  reading model(parts, user_options, depth);
  model.builder.define(user_options.operators);
  model.builder.set_dialect(executorch::dialect);
  const auto methods = model.root().elements<table>(slot::program::execution_plan);
  if (!model.check_errors("the root table")) return model.why;
  const auto method = find_method(methods, user_options.entry);
  if (!model.check_errors("the names of the methods")) return model.why;
  if (!method) return method.error;
  if (!method_reader(model, methods[method.value]).run()) return model.why;
  return model.builder.finish();
}

}  // namespace baton::pte::detail
