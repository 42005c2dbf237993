// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowered modules (parts after `preprocess`), as a read-only view and as an owning object. A part is the nodes of a graph that become one
// delegate.
#pragma once

#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A read-only view of a lowered module: backend id, processed bytes, compile specs, debug handle map (`debug_map_entry`) and original
/// program. The processed bytes are the result of the backend's `preprocess`, and the compile specs are key-value pairs for `preprocess`.
/// The original program is the part before `preprocess`.
class lowered_module_view {
 public:
  constexpr lowered_module_view(const program_view& program, delegate_id id) : program_(program), id_(id) {}

  /// Returns the name: `lowered_module_0`, `lowered_module_1` and so on. `to_backend` numbers the modules of each graph from 0, in the
  /// order of their first calls. Modules of different graphs may have the same name. The importer of .pte files numbers the delegates of
  /// the whole program. The name is empty if `to_backend` lowered the whole program without a partitioner.
  constexpr auto name() const -> std::string_view { return program_.text(record().name); }
  constexpr auto backend_id() const -> std::string_view { return program_.text(record().backend_id); }
  /// Returns the processed bytes.
  constexpr auto processed_bytes() const -> std::string_view { return program_.text(record().processed_bytes); }
  /// Returns the root graph of the original program (the part before `preprocess`). This graph is stored in `program()`.
  constexpr auto original() const -> graph_id { return record().original; }
  /// Returns the program that contains the module.
  constexpr auto program() const -> const program_view& { return program_; }
  /// Returns the size of the working memory of `execute` in the arena, in bytes.
  constexpr auto scratch_bytes() const -> std::uint32_t { return record().scratch_bytes; }
  /// Returns the id of the module in `program()`.
  constexpr auto id() const -> delegate_id { return id_; }

  constexpr auto compile_specs() const -> span<const compile_spec_ref> {
    return program_.compile_specs.subspan(record().compile_specs.first, record().compile_specs.size);
  }
  /// Returns the debug handle map. The map may be empty, or lack nodes of the original program.
  constexpr auto debug_handle_map() const -> span<const lowered_module_ref::mapping_entry> {
    return program_.mappings.subspan(record().debug_map.first, record().debug_map.size);
  }
  /// Returns the bytes that the delegate finds by key at run time.
  constexpr auto named_data() const -> span<const named_data_ref> {
    return program_.named_data.subspan(record().named_data.first, record().named_data.size);
  }
  /// Returns the backend's information for tools, or an empty text if there is none.
  constexpr auto delegate_info() const -> std::string_view { return program_.text(record().info); }
  /// Returns the debug handles of the nodes that the backend operation of `entry` computes, in ascending order. `entry` is from
  /// `debug_handle_map`.
  constexpr auto handles(const lowered_module_ref::mapping_entry& entry) const -> span<const std::int64_t> {
    return program_.integer_list(entry.handles);
  }

 private:
  constexpr auto record() const -> const lowered_module_ref& { return program_[id_]; }

  program_view program_;
  delegate_id id_;
};

/// A lowered module that owns its program.
class lowered_module {
 public:
  constexpr explicit lowered_module(exported_program store) : store_(std::move(store)) {}
  constexpr auto view() const -> lowered_module_view { return {store_, last_delegate(store_)}; }
  // Converts to the program, whose root graph is the original graph of the module. So functions with a `program_view` parameter accept a
  // lowered module.
  constexpr operator program_view() const { return store_; }

 private:
  exported_program store_;
};

/// Returns the lowered modules that the nodes of the graph `outermost` call, in the order of their first calls. A module that is called
/// several times occurs once. `reach::branches` adds the modules that the subgraphs of nodes call (branches and loop bodies).
/// `reach::delegates` adds the same modules, and the modules that the original graphs of lowered modules call.
constexpr auto delegates(const program_view& program, graph_id outermost = graph_id{0}, reach how_far = reach::graph)
    -> vector<lowered_module_view> {
  vector<lowered_module_view> modules;
  vector<char> seen(program.delegates.size(), 0);
  for (const auto id : nested_graphs(program, outermost, how_far)) {
    for (const auto& record : program.nodes_of(program[id])) {
      if (record.delegate == none<delegate_id> || seen[index(record.delegate)] != 0) continue;
      seen[index(record.delegate)] = 1;
      modules.emplace_back(program, record.delegate);
    }
  }
  return modules;
}

}  // namespace baton
