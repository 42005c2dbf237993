// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adds a lowered module (nodes that a backend's `preprocess` has compiled), and calls of this module, to a program under construction.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace baton {

namespace detail {

/// Returns the view of a lowered module. `module` is either a view, or an object with a member function `view`.
template <class Module>
constexpr auto view_of_module(const Module& module) -> lowered_module_view {
  if constexpr (requires {
                  { module.view() } -> std::convertible_to<lowered_module_view>;
                }) {
    return module.view();
  } else if constexpr (std::convertible_to<const Module&, lowered_module_view>) {
    return module;
  } else {
    static_assert(always_false<Module>,
                  "baton embedded_module: the argument is not a lowered module; pass the result of baton::to_backend(target, backend_id, "
                  "program), or an element of baton::delegates(program)");
    return {program_view{}, none<delegate_id>};
  }
}

}  // namespace detail

/// A lowered module in the program of a builder. Calling this object adds a delegate call to the builder's current graph. All calls of this
/// object share one lowered module, which gets its name at the first call. With `source_bytes::kept`, texts and processed bytes (the result
/// of a backend's `preprocess`) are not copied, so the source module must outlive the program. Example:
///   baton::program_builder build;
///   const auto x = build.user_input("x", type);
///   baton::embedded_module sine(build, lowered);
///   build.output(sine({sine({x})[0]})[0]);
class embedded_module {
 public:
  template <class Module>
  constexpr embedded_module(program_builder& to, const Module& module, source_bytes bytes = source_bytes::copied) : to_(to) {
    const lowered_module_view from = detail::view_of_module(module);
    const auto& source = from.program();
    const auto current_graph = to_.current();
    program_copier copier(source, to_, bytes);
    id_ = copier.copy_delegate(source, from.id());
    to_.enter(current_graph);
    for (const auto& spec : source.outputs_of(source[from.original()])) {
      if (spec.kind != output_kind::user_output) continue;
      outputs_.push_back(copier.record_of(spec.value));
      outputs_.back().kind = value_kind::intermediate;
      outputs_.back().data = {};
      outputs_.back().target = {};
    }
  }

  /// Adds a call. `arguments` has one value for each user input of the module's original program, in order. Returns one value for each user
  /// output of the original program. The original program has the module's nodes as they were before `preprocess`.
  constexpr auto operator()(span<const value_id> arguments) -> vector<value_id> {
    const auto existing = counts();
    if (!is_named_) to_.draft().delegates[index(id_)].name = to_.own(view(join("lowered_module_", existing.modules)));
    is_named_ = true;
    vector<value_id> outputs;
    for (auto record : outputs_) {
      record.name = to_.own(view(numbered("getitem", existing.outputs + outputs.size())));
      outputs.push_back(to_.add_value(record));
    }
    auto call = to_.make_node(view(numbered(call_delegate.text, existing.calls)), call_delegate.text);
    call.delegate = id_;
    to_.add_node(call, arguments, outputs);
    return outputs;
  }
  constexpr auto operator()(std::initializer_list<value_id> arguments) -> vector<value_id> {
    return (*this)(span{arguments.begin(), arguments.size()});
  }

  /// Returns the id of the module in the program of the builder.
  constexpr auto id() const -> delegate_id { return id_; }

 private:
  static constexpr auto numbered(std::string_view name, std::size_t number) -> text_buffer {
    if (number == 0) return join(name);
    return join(name, "_", number);
  }

  struct counts_of_graph {
    std::size_t calls = 0;    ///< delegate calls
    std::size_t modules = 0;  ///< lowered modules that are called
    std::size_t outputs = 0;  ///< outputs of delegate calls
  };
  /// Counts the delegate calls of the current graph, the different lowered modules that these calls use, and the outputs of the calls.
  constexpr auto counts() const -> counts_of_graph {
    counts_of_graph result;
    const auto& draft = to_.draft();
    vector<char> seen(draft.delegates.size(), 0);
    for (std::size_t n = 0; n < draft.nodes.size(); ++n) {
      const auto& record = draft.nodes[n];
      if (record.delegate == none<delegate_id> || to_.graph_of(static_cast<node_id>(n)) != to_.current()) continue;
      ++result.calls;
      result.outputs += record.outputs.size;
      result.modules += seen[index(record.delegate)] == 0 ? 1u : 0u;
      seen[index(record.delegate)] = 1;
    }
    return result;
  }

  program_builder& to_;
  delegate_id id_ = none<delegate_id>;
  vector<value> outputs_;  ///< the output records of a call, without names
  bool is_named_ = false;
};

}  // namespace baton
