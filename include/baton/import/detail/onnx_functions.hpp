// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The functions of an ONNX model (`FunctionProto`), and their calls.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_names.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::onnx::detail {

/// A function of the model.
struct function_record {
  std::string_view name;
  std::string_view domain;
  std::string_view overload;  ///< distinguishes functions with the same name and domain; usually empty
  vector<std::string_view> inputs;
  vector<std::string_view> outputs;
  vector<field> nodes;
  vector<field> defaults;     ///< the attributes with a default value
  std::uint64_t version = 0;  ///< the version of the default operator set (domain `ai.onnx`) for the nodes
};

/// The attributes of a function call, under the names that the function uses. Default values are included.
struct function_call {
  vector<attribute_record> attributes;

  constexpr auto find(std::string_view name) const -> const attribute_record* {
    for (const auto& each : attributes) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
};

/// The names in a function during a call. Each name refers to a value of the graph that contains the call.
class local_names {
 public:
  /// Binds a name of the function to the value with index `target` of the graph. `target` is `npos` if the call omits the value.
  constexpr void bind(std::string_view name, std::uint32_t target) {
    const auto at = names_.insert(name);
    targets_.resize(names_.size(), npos);
    names_[at].is_input = true;
    targets_[at] = target;
  }
  /// Returns the index of the value to which a name is bound, or `npos` if the call omits the value. Binds an unbound name to a new hidden
  /// value of `graph` (`name_table::add_hidden`).
  constexpr auto find(name_table& graph, std::string_view name) -> std::uint32_t {
    const auto at = names_.insert(name);
    if (!names_[at].is_input) bind(name, graph.add_hidden(name));
    return targets_[at];
  }

 private:
  name_table names_;  ///< here, `is_input` marks the names that are bound
  vector<std::uint32_t> targets_;
};

constexpr auto is_default_domain(std::string_view domain) -> bool { return domain.empty() || domain == "ai.onnx"; }

/// Returns the version of the default operator set that an `OperatorSetIdProto` imports, or 0 if it imports another set.
constexpr auto default_opset_version(reading& model, const field& from) -> std::uint64_t {
  std::string_view domain;
  std::uint64_t version = 0;
  field f{};
  for (message opset(model.reader, from); opset.next(f);) {
    if (f.number == number::opset::domain) domain = model.text(f);
    if (f.number == number::opset::version) version = model.number(f);
  }
  return is_default_domain(domain) ? version : 0;
}

/// The functions of a model.
class function_list {
 public:
  constexpr auto empty() const -> bool { return functions_.empty(); }

  /// Adds a function, and returns the version of the default operator set for its nodes: the version that the function states, otherwise
  /// `version`.
  constexpr auto add(reading& model, const field& from, std::uint64_t version) -> std::uint64_t {
    function_record function;
    field f{};
    for (message m(model.reader, from); m.next(f);) {
      switch (f.number) {
        case number::function::name:
          function.name = model.text(f);
          break;
        case number::function::domain:
          function.domain = model.text(f);
          break;
        case number::function::overload:
          function.overload = model.text(f);
          break;
        case number::function::input:
          function.inputs.push_back(model.text(f));
          break;
        case number::function::output:
          function.outputs.push_back(model.text(f));
          break;
        case number::function::node:
          function.nodes.push_back(f);
          break;
        case number::function::default_attribute:
          function.defaults.push_back(f);
          break;
        case number::function::opset_import:
          if (const auto own = default_opset_version(model, f); own != 0) function.version = own;
          break;
        default:
          break;
      }
    }
    if (function.version == 0) function.version = version;
    functions_.push_back(std::move(function));
    return functions_.back().version;
  }

  /// Returns the function that defines an operator, or null if no function defines it. O(functions).
  constexpr auto find(reading& model, std::string_view domain, std::string_view op, std::string_view overload) const
      -> const function_record* {
    model.reader.charge(functions_.size());
    for (const auto& function : functions_) {
      if (function.name == op && function.domain == domain && function.overload == overload) return &function;
    }
    return nullptr;
  }

 private:
  vector<function_record> functions_;
};

}  // namespace baton::onnx::detail
