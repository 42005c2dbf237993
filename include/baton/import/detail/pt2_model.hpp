// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds a program from the index of a torch.export archive. The index is the data that the importer needs from the archive's JSON texts,
// as 32-bit words (`pt2_index.hpp`).
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_aliases.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_graphs.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_reading.hpp>
#include <baton/import/detail/pt2_scope.hpp>
#include <baton/import/detail/pt2_tensors.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>
#include <baton/operators/torch.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// A builder of the program. The signature of a program is the list of its inputs and outputs. Each item of this list is a specification.
/// The builder adds the nodes of the root graph, and the inputs and outputs that the specifications state.
class model_reader {
 public:
  constexpr model_reader(span<const char> bytes, const zip_archive& archive, const program_texts& texts, const read_options& user_options,
                         const index_pieces& index, byte_recipe::timing when)
      : model_(bytes, archive, texts, user_options),
        locations_(model_, count_names(index)),
        is_index_read_(read_index(index)),
        values_(model_, locations_, when),
        graphs_(model_, locations_, values_, entries_, nodes_) {}
  model_reader(const model_reader&) = delete;  // its members refer to each other
  auto operator=(const model_reader&) -> model_reader& = delete;

  constexpr auto run() -> result<exported_program> {
    model_.builder.define(model_.options.operators);
    model_.builder.set_dialect(torch::dialect);
    model_.builder.draft().graphs[0].name = program_builder::view(model_.program.name);
    if (!is_index_read_ || !bind_symbols() || !add_inputs() || !graphs_.emit(0, 0) || !add_outputs()) return model_.why;
    auto program = model_.builder.finish();
    values_.tensors().add_recipes(program);
    return program;
  }

 private:
  /// Calls `f` with each entry.
  template <class F>
  static constexpr void for_each_entry(const index_pieces& index, F f) {
    for (const auto& piece : index) {
      const auto* const end = piece.data() + piece.size();
      for (const auto* at = piece.data(); at != end; at += at[1]) f(static_cast<entry>(at[0]), at);
    }
  }
  static constexpr auto count_names(const index_pieces& index) -> std::size_t {
    std::size_t count = 0;
    for_each_entry(index, [&](entry kind, const std::uint32_t*) {
      count += kind == entry::tensor_value || kind == entry::symbol || kind == entry::config || kind == entry::input_spec ? 1 : 0;
    });
    return count;
  }

  /// Adds all names to the location table, and collects the entries of graphs, nodes and specifications. Returns false after an error.
  constexpr auto read_index(const index_pieces& index) -> bool {
    std::uint32_t graph = 0;
    for_each_entry(index, [&](entry kind, const std::uint32_t* at) {
      word_reader words(at + 2);
      switch (kind) {
        case entry::graph:
          graph = words.word();
          if (graph >= entries_.size()) entries_.resize(graph + 1);
          if (entries_[graph].has_entry) model_.refuse<"damaged_model">("graph ", graph, " is in the program twice");
          entries_[graph].has_entry = true;
          entries_[graph].first = static_cast<std::uint32_t>(nodes_.size());
          entries_[graph].count = 0;
          break;
        case entry::inputs:
          entries_[graph].inputs = at;
          break;
        case entry::outputs:
          entries_[graph].outputs = at;
          break;
        case entry::node:
          entries_[graph].count += 1;
          nodes_.push_back(at);
          break;
        case entry::tensor_value:
        case entry::symbol:
          insert(graph, words.name(), at);
          break;
        case entry::config:
          // If both tables (weights and constants) have this name, the name refers to the weight, because the weight's entry is inserted
          // first.
          static_cast<void>(locations_.insert(location_table::configs, words.name(), at));
          break;
        case entry::range: {
          const auto name = words.name();
          model_.reader.charge(model_.symbols.size());
          auto& symbol = model_.symbols[model_.text(name)];
          symbol.min = words.number();
          symbol.max = words.number();
          break;
        }
        case entry::input_spec:
          inputs_.push_back(at);
          break;
        case entry::output_spec:
          outputs_.push_back(at);
          break;
      }
    });
    if (entries_.empty()) entries_.resize(1);
    if (!has_graph(index)) return model_.refuse<"damaged_model">("the program has no graph or no signature");
    return model_.check_errors("the names of the program");
  }
  constexpr void insert(std::uint32_t graph, stored_name name, const std::uint32_t* at) {
    if (!locations_.insert(graph, name, at))
      model_.refuse<"damaged_model">("value ", baton::view(model_.printable_name(name)), " is twice in the values of a graph");
  }
  constexpr auto has_graph(const index_pieces& index) const -> bool {
    bool is_found = false;
    for_each_entry(index, [&](entry kind, const std::uint32_t* at) { is_found = is_found || (kind == entry::graph && at[2] == 0); });
    return is_found && !outputs_.empty();
  }

  /// Returns the location of the tensor of a specification (`spec_entry`). Returns `npos` if the specification has no tensor, and after an
  /// error.
  constexpr auto location_of(const spec_entry& from) -> std::uint32_t {
    if (from.value.kind != argument::tensor) return npos;
    const auto name = word_reader(from.value.words).name();
    const auto at = locations_.find(0, name);
    if (at == npos)
      model_.refuse<"damaged_model">("the signature has value ", baton::view(model_.printable_name(name)),
                                     ", which tensor_values does not have");
    return at;
  }

  // Symbols

  /// Sets each symbol to its size in the options, or to the size that an input shape in the options states for it. Any other symbol that is
  /// dimension 0 of an input becomes 1 if the range of the symbol contains 1.
  constexpr auto bind_symbols() -> bool {
    for (const auto& each : model_.options.dimensions) {
      const auto* known = model_.symbols.find(each.symbol);
      if (known == nullptr) return model_.refuse<"unknown_name">("there is no symbol ", baton::view(printable_name(each.symbol)));
      if (!bind(model_.symbols[each.symbol], each.size)) return false;
    }
    for (const auto& each : model_.options.shapes) {
      bool is_known = false;
      for (const auto* at : inputs_) {
        const spec_entry from(at);
        if (from.kind != spec::user || !model_.reader.charge(1)) continue;
        const auto position = location_of(from);
        if (position == npos || model_.text(locations_[position].name) != each.input) continue;
        is_known = true;
        if (!bind_shape(position, each)) return false;
      }
      if (!is_known) return model_.refuse<"unknown_name">("there is no input ", baton::view(printable_name(each.input)));
    }
    for (const auto* at : inputs_) {
      const spec_entry from(at);
      if (from.kind != spec::user) continue;
      const auto position = location_of(from);
      if (position != npos) bind_batch(position);
    }
    return model_.check_errors("the symbols");
  }
  constexpr auto bind(size_symbol& symbol, std::int64_t size) -> bool {
    if (size < symbol.min || size > symbol.max) {
      return model_.refuse<"mismatched_shape">("the range of symbol ", baton::view(printable_name(symbol.name)), " is ", symbol.min, " to ",
                                               symbol.max, "; its size cannot be ", size);
    }
    if (symbol.value >= 0 && symbol.value != size) {
      return model_.refuse<"mismatched_shape">("symbol ", baton::view(printable_name(symbol.name)), " already has the size ", symbol.value,
                                               "; it cannot also be ", size);
    }
    symbol.value = size;
    return true;
  }
  constexpr auto sizes_of(std::uint32_t at) const -> stored_sizes { return stored_sizes{word_reader(locations_[at].entry + 6)}; }
  constexpr auto is_tensor(std::uint32_t at) const -> bool { return static_cast<entry>(locations_[at].entry[0]) == entry::tensor_value; }
  /// Returns the symbol if size `i` is a single symbol, otherwise an empty text.
  constexpr auto symbol_at(const stored_sizes& sizes, std::uint32_t i) const -> std::string_view {
    if (!sizes.is_expression(i)) return {};
    return single_symbol(model_.text(word_reader(sizes.words.position() + std::size_t{2} * i).text()));
  }
  constexpr auto bind_shape(std::uint32_t at, const read_options::bound_shape& shape) -> bool {
    if (!is_tensor(at)) return true;
    const auto sizes = sizes_of(at);
    bool fits = sizes.rank == shape.sizes.size();
    for (std::uint32_t i = 0; fits && i < sizes.rank; ++i) {
      const auto symbol = symbol_at(sizes, i);
      if (!symbol.empty() && !bind(model_.symbols[symbol], shape.sizes[i])) return false;
      word_reader words(sizes.words.position() + std::size_t{2} * i);
      fits = model_.size_of(sizes.is_expression(i), words, shape.input) == shape.sizes[i] && !model_.why;
    }
    return fits || model_.refuse<"mismatched_shape">("input ", baton::view(printable_name(shape.input)), " has another shape in the file");
  }
  constexpr void bind_batch(std::uint32_t at) {
    if (!is_tensor(at)) return;
    const auto sizes = sizes_of(at);
    const auto name = sizes.rank == 0 ? std::string_view{} : symbol_at(sizes, 0);
    if (name.empty()) return;
    model_.reader.charge(model_.symbols.size());
    auto& symbol = model_.symbols[name];
    if (symbol.value < 0 && symbol.min <= 1 && symbol.max >= 1) symbol.value = 1;
  }

  // Inputs and outputs

  /// Adds the user inputs, the tensors that the caller passes to a run. Parameters, buffers and constants are added at their first use, so
  /// unused parameters, buffers and constants are omitted. An input that is a number is omitted, because the nodes that use the number
  /// state its value or symbol.
  constexpr auto add_inputs() -> bool {
    for (const auto* at : inputs_) {
      const spec_entry from(at);
      const auto position = location_of(from);
      if (position == npos) continue;
      if (from.kind == spec::user) {
        if (!values_.add_input(position)) return false;
      } else if (from.kind == spec::other) {
        return model_.refuse<"unsupported_model">("the signature has an input of the kind ",
                                                  baton::view(model_.printable_name(from.kind_name)));
      } else {
        if (locations_[position].spec != nullptr || locations_[position].is_input)
          return model_.refuse<"damaged_model">("value ", baton::view(model_.printable_name(locations_[position].name)),
                                                " is an input twice");
        locations_[position].spec = at;
        if (!locations_.insert(location_table::targets, from.target, at))
          return model_.refuse<"damaged_model">("two inputs of the signature are the tensor ",
                                                baton::view(model_.printable_name(from.target)));
      }
    }
    for (const auto* at : outputs_) {
      const spec_entry from(at);
      if (from.kind != spec::buffer && from.kind != spec::parameter) continue;
      const auto target = locations_.find(location_table::targets, from.target);
      if (target == npos)
        return model_.refuse<"damaged_model">("the signature has a mutation of ", baton::view(model_.printable_name(from.target)),
                                              ", which is not an input");
      const auto position = location_of(spec_entry(locations_[target].entry));
      if (position != npos) locations_[position].is_mutated = true;
    }
    for (const auto* at : nodes_) {
      if (!is_in_place_operator(model_.text(node_entry(at).target))) continue;
      graphs_.track_views();
      break;
    }
    return model_.check_errors("the inputs");
  }

  constexpr auto add_outputs() -> bool {
    vector<value_id> results;
    vector<output_spec> mutations;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const spec_entry from(outputs_[i]);
      if (from.kind == spec::user_input_mutation)
        return model_.refuse<"mutated_user_input">("output ", i, " is the new value of input ",
                                                   baton::view(model_.printable_name(from.target)));
      if (from.kind == spec::other || from.kind == spec::constant)
        return model_.refuse<"unsupported_model">("output ", i, " of the signature has the kind ",
                                                  baton::view(model_.printable_name(from.kind_name)));
      model_.reader.charge(reading::cost_of_record);
      const auto position = location_of(from);
      if (model_.why) return false;
      if (from.kind == spec::user) {
        const auto id = position == npos ? add_literal(from.value, i) : values_.read(position, locations_[position].name);
        if (id != none<value_id>) results.push_back(id);
      } else if (position != npos) {
        // Reads the parameter or buffer, so that it is added to the program even if no node uses it.
        static_cast<void>(values_.read(location_of_target(from), locations_[position].name));
        mutations.push_back({output_kind::buffer_mutation, values_.read(position, locations_[position].name), model_.view(from.target)});
      }
      if (model_.why) return false;
    }
    for (const auto& each : mutations) model_.builder.add_output(each);
    values_.add_mutations();
    for (const auto id : results) model_.builder.output(id);
    return model_.check_errors("the outputs");
  }
  constexpr auto location_of_target(const spec_entry& from) -> std::uint32_t {
    return location_of(spec_entry(locations_[locations_.find(location_table::targets, from.target)].entry));
  }
  /// Adds a constant for output `at` of the program, which must be a number or `None`. Returns `none` for `None`, and after an error.
  constexpr auto add_literal(const argument_view& from, std::size_t at) -> value_id {
    if (from.kind == argument::none) return none<value_id>;
    if (from.kind != argument::integer && from.kind != argument::real) {
      model_.refuse<"unsupported_model">("output ", at, " is neither a tensor nor a number");
      return none<value_id>;
    }
    text_buffer bytes;
    auto words = from.words;
    append_little_endian(bytes, static_cast<std::uint64_t>(words.number()), 8);
    value record{.name = model_.own(join("output_", at)), .kind = value_kind::constant};
    record.type = from.kind == argument::real ? dtype::float64 : dtype::int64;
    record.target = record.name;
    record.data = model_.own(bytes);
    return model_.builder.add_input(record);
  }

  reading model_;
  location_table locations_;
  vector<graph_entry> entries_;                    ///< indexed by graph number
  vector<const std::uint32_t*> nodes_;             ///< the entries of all nodes, graph by graph
  vector<const std::uint32_t*> inputs_, outputs_;  ///< the specifications of the signature
  bool is_index_read_;
  scope_values values_;
  graph_emitter graphs_;
};

}  // namespace baton::pt2::detail
