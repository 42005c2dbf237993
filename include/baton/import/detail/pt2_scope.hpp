// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The SSA values (values that are written once) of a torch.export program, by `location` (an entry of `location_table`). An in-place
// operator assigns a new value to the location of its operand.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_reading.hpp>
#include <baton/import/detail/pt2_tensors.hpp>
#include <baton/import/detail/renaming.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The current value of each location. Only the root graph uses parameters, buffers and constants. Any other graph uses only its inputs and
/// the outputs of its nodes.
class scope_values {
 public:
  constexpr scope_values(reading& model, location_table& locations, byte_recipe::timing when)
      : model_(model),
        locations_(locations),
        tensors_(model, locations, when),
        names_(locations.size(), nullptr) {}

  constexpr auto tensors() -> tensor_reader& { return tensors_; }

  /// Returns the location of a tensor that node `user` uses. If the scope has no such tensor, records `damaged_model` and returns `npos`.
  constexpr auto find(std::uint32_t scope, stored_name name, stored_text user) -> std::uint32_t {
    const auto at = locations_.find(scope, name);
    if (at == npos) refuse_undefined(name, user);
    return at;
  }
  /// Returns the current value of a location. Adds a parameter, buffer or constant to the program at its first read. After an error, which
  /// is recorded, the returned value must not be used.
  constexpr auto read(std::uint32_t at, stored_text user) -> value_id {
    at = locations_.resolved(at);
    const auto& from = locations_[at];
    if (from.writer != nullptr) {
      model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(user)), " reads ",
                                         baton::view(model_.printable_name(from.name)), ", whose memory node ",
                                         baton::view(model_.printable_name(node_entry(from.writer).name)),
                                         " has written through another view; use the functional operator");
      return value_id{0};
    }
    auto id = names_.current(at);
    if (id == none<value_id> && from.spec != nullptr) {
      id = add_data(at);
    } else if (id == none<value_id>) {
      refuse_undefined(from.name, user);
      return value_id{0};
    }
    return id;
  }
  constexpr auto read(std::uint32_t scope, stored_name name, stored_text user) -> value_id {
    const auto at = find(scope, name, user);
    return at == npos ? value_id{0} : read(at, user);
  }

  /// Adds a user input to the current graph. A user input is a tensor that the caller passes to a run. Returns false after an error.
  constexpr auto add_input(std::uint32_t at) -> bool {
    if (names_.current(at) != none<value_id>)
      return model_.refuse<"damaged_model">("value ", baton::view(model_.printable_name(locations_[at].name)), " is an input twice");
    define(at, add_to_graph(tensors_.value_of(at, value_kind::user_input)));
    locations_[at].is_input = true;
    return !model_.why;
  }
  /// Adds a value for the output of a node, and returns it. Fails with `damaged_model` if the location is already defined.
  constexpr auto add_output(std::uint32_t at, stored_text user) -> value_id {
    if (!check_undefined(at, user)) return value_id{0};
    const auto id = add_value(at);
    define(at, id);
    return id;
  }
  /// Adds a value with the name and type of a location. Does not define the location.
  constexpr auto add_value(std::uint32_t at) -> value_id {
    model_.reader.charge(reading::cost_of_record);
    return model_.builder.add_value(tensors_.value_of(at, value_kind::intermediate));
  }
  /// Defines a location as the existing value `id`. Used for a graph whose nodes are added to the graph of its caller.
  constexpr auto bind(std::uint32_t at, value_id id, stored_text user) -> bool {
    if (!check_undefined(at, user)) return false;
    define(at, id);
    return true;
  }
  /// Makes location `at` an alias of location `written`, which a node writes in place.
  constexpr auto add_alias(std::uint32_t at, std::uint32_t written, stored_text user) -> bool {
    if (!check_undefined(at, user)) return false;
    locations_[at].alias = written;
    return true;
  }
  /// Records that location `at` is a view of location `base`.
  constexpr void add_view(std::uint32_t at, std::uint32_t base) {
    base = locations_.resolved(base);
    if (locations_[base].storage == npos) locations_[base].storage = base;
    locations_[at].storage = locations_[base].storage;
  }

  /// Makes `id` the current value of location `at`, which node `writer` writes in place. The values of all other views of the same memory
  /// become unknown. Fails with `unsupported_model` if one of these views is an input, parameter, buffer or constant. Also fails with
  /// `mutated_user_input` if location `at` is a graph input.
  constexpr auto assign(std::uint32_t at, value_id id, const std::uint32_t* writer) -> bool {
    const auto user = node_entry(writer).name;
    if (!prepare_write(at, user)) return false;
    const auto storage = locations_[at].storage;
    if (storage != npos) {
      if (!model_.reader.charge(locations_.size())) return false;
      for (std::uint32_t i = 0; i < locations_.size(); ++i) {
        if (i == at || locations_[i].storage != storage) continue;
        locations_[i].writer = writer;
        if (locations_[i].spec == nullptr && !locations_[i].is_input) continue;
        return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(user)), " writes a view of ",
                                                  baton::view(model_.printable_name(locations_[i].name)), "; write the whole tensor");
      }
    }
    names_.assign(at, id);
    return true;
  }
  /// Adds an output (a mutation) for each parameter, buffer or constant that in-place operators write, in the order of the first writes.
  constexpr void add_mutations() {
    for (const auto at : written_) {
      const auto id = names_.current(at);
      model_.builder.add_output({output_kind::buffer_mutation, id, model_.view(spec_entry(locations_[at].spec).target)});
    }
  }

 private:
  constexpr void refuse_undefined(stored_text name, stored_text user) {
    model_.refuse<"damaged_model">("node ", baton::view(model_.printable_name(user)), " reads value ",
                                   baton::view(model_.printable_name(name)), ", which no earlier node defines");
  }
  constexpr auto check_undefined(std::uint32_t at, stored_text user) -> bool {
    const auto& from = locations_[at];
    if (names_.current(at) == none<value_id> && from.alias == npos && from.spec == nullptr) return true;
    return model_.refuse<"damaged_model">("node ", baton::view(model_.printable_name(user)), " defines value ",
                                          baton::view(model_.printable_name(from.name)), ", which is already defined");
  }
  constexpr void define(std::uint32_t at, value_id id) { names_.define(at, id); }
  constexpr auto add_to_graph(const value& record) -> value_id {
    model_.reader.charge(reading::cost_of_record);
    return model_.builder.add_input(record);
  }

  /// Adds a parameter, buffer or constant to the root graph, and returns its value.
  constexpr auto add_data(std::uint32_t at) -> value_id {
    const spec_entry from(locations_[at].spec);
    auto kind = from.kind == spec::parameter ? value_kind::parameter
                : from.kind == spec::buffer  ? value_kind::buffer
                                             : value_kind::constant;
    if (locations_[at].is_mutated) kind = value_kind::mutable_buffer;
    byte_recipe recipe;
    const auto record = tensors_.data_of(at, kind, recipe);
    if (model_.why) return value_id{0};
    const auto id = add_to_graph(record);
    if (recipe.source != nullptr) tensors_.defer(id, recipe);
    define(at, id);
    return id;
  }
  /// Checks that a location may be written in place. A parameter, buffer or constant becomes a mutable buffer (a buffer that keeps its
  /// value from run to run). Fails with `mutated_user_input` if the location is a graph input.
  constexpr auto prepare_write(std::uint32_t at, stored_text user) -> bool {
    if (locations_[at].is_input) {
      return model_.refuse<"mutated_user_input">("node ", baton::view(model_.printable_name(user)), " writes ",
                                                 baton::view(model_.printable_name(locations_[at].name)), ", which is an input, in place");
    }
    if (locations_[at].spec == nullptr || locations_[at].is_written) return true;
    const auto id = read(at, user);
    if (model_.why) return false;
    model_.builder.at(id).kind = value_kind::mutable_buffer;
    locations_[at].is_written = true;
    written_.push_back(at);
    return true;
  }

  reading& model_;
  location_table& locations_;
  tensor_reader tensors_;
  baton::detail::renaming names_;
  vector<std::uint32_t> written_;  ///< the parameters, buffers and constants that operators write in place
};

}  // namespace baton::pt2::detail
