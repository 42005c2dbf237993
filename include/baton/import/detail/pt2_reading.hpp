// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The state of reading one torch.export program, and the table of its names. The index of an archive is the data that the importer needs
// from the JSON texts, as 32-bit words (`pt2_index.hpp`).
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_symbols.hpp>
#include <baton/import/detail/reading_state.hpp>
#include <baton/import/pt2_read_options.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The state of reading one program. Each node, value or other record that is created is charged to the work limit of the byte reader (see
/// `reading_state`).
class reading : public baton::detail::reading_state {
 public:
  constexpr reading(span<const char> bytes, const zip_archive& from, const program_texts& texts, const read_options& user_options)
      : reading_state(bytes),
        archive(from),
        program(texts),
        options(user_options),
        file_(bytes.data()) {}

  const zip_archive& archive;
  program_texts program;
  read_options options;
  symbol_table symbols;

  constexpr auto text(stored_text from) const -> std::string_view { return {file_ + from.at, from.size}; }
  constexpr auto view(stored_text from) const -> byte_ref { return program_builder::view(text(from)); }
  constexpr auto printable_name(stored_text from) const -> text_buffer { return detail::printable_name(text(from)); }

  /// Returns the size that is stored at `at`. If `is_expression` is true, an expression is stored at `at`, and the size is the value of the
  /// expression. If the size is unknown, records an error that names `user`, and returns 0.
  constexpr auto size_of(bool is_expression, word_reader at, std::string_view user) -> std::int64_t {
    if (!is_expression) return at.number();
    const auto stored = text(at.text());
    if (!reader.charge(stored.size() * (symbols.size() + 1))) return 0;
    const auto evaluation = size_expression(stored, symbols).run();
    if (evaluation.is_known) return evaluation.number;
    if (!evaluation.is_symbol) {
      refuse<"unsupported_model">("a size of ", user, " is ", baton::view(detail::printable_name(stored)),
                                  ", of which this part is not supported: ", baton::view(detail::printable_name(evaluation.unknown)));
      return 0;
    }
    const auto* symbol = symbols.find(evaluation.unknown);
    refuse<"unknown_size">("a size of ", user, " depends on the symbol ", baton::view(detail::printable_name(evaluation.unknown)),
                           ", whose range is ", symbol == nullptr ? 0 : symbol->min, " to ", symbol == nullptr ? INT64_MAX : symbol->max,
                           "; write: baton::pt2::dimension<\"", baton::view(detail::printable_name(evaluation.unknown)),
                           "\", 1>, or state the shape of an input");
    return 0;
  }

 private:
  const char* file_;
};

/// An entry of `location_table`: a tensor or named integer of a graph, a tensor of the weight or constant table, or a target of the
/// signature. The signature is the list of the program's inputs and outputs. A `location` is not a place in memory.
struct location {
  stored_name name{};
  std::uint32_t scope = 0;
  const std::uint32_t* entry = nullptr;  ///< the index entry: `tensor_value`, `symbol`, `config` or `input_spec`
  const std::uint32_t* spec = nullptr;   ///< the index entry `input_spec` of a parameter, buffer or constant, otherwise null
  std::uint32_t alias = npos;            ///< for the output of an in-place operator, the location of the operand that the operator writes
  std::uint32_t storage = npos;          ///< for a view and its base, the location of the base
  /// The node that wrote the memory of this tensor through another view, or null. If not null, reads of this location are refused.
  const std::uint32_t* writer = nullptr;
  bool is_input = false;    ///< true for a graph input that is not a parameter, buffer or constant
  bool is_mutated = false;  ///< true if an output of the signature is the new value of this parameter or buffer
  bool is_written = false;  ///< true if in-place operators write this parameter, buffer or constant
};

/// A table of locations by name. The index stores the hash of each name; texts are compared only if the hashes are equal. Each graph is a
/// scope.
class location_table {
 public:
  /// The scope of a graph is its number. `configs` is the scope of the weight and constant tables. `targets` is the scope of the targets of
  /// the signature: the fully qualified names of parameters, buffers and constants.
  static constexpr std::uint32_t configs = 0x10000, targets = 0x10001;

  constexpr location_table(reading& model, std::size_t count) : model_(model) {
    std::size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    slots_.resize(slots, npos);
    locations_.reserve(count);
  }

  constexpr auto size() const -> std::uint32_t { return static_cast<std::uint32_t>(locations_.size()); }
  constexpr auto operator[](std::uint32_t at) -> location& { return locations_[at]; }
  constexpr auto operator[](std::uint32_t at) const -> const location& { return locations_[at]; }

  /// Returns the location of a name, or `npos` if the scope has no such name.
  constexpr auto find(std::uint32_t scope, stored_name name) -> std::uint32_t { return slots_[slot_of(scope, name)]; }
  /// Adds a location. Returns false if the scope already has this name. At most `count` (of the constructor) locations can be added.
  constexpr auto insert(std::uint32_t scope, stored_name name, const std::uint32_t* entry) -> bool {
    auto& slot = slots_[slot_of(scope, name)];
    if (slot != npos) return false;
    slot = size();
    locations_.push_back({.name = name, .scope = scope, .entry = entry});
    return true;
  }
  /// Returns the alias of location `at`, or `at` if it has no alias.
  constexpr auto resolved(std::uint32_t at) const -> std::uint32_t { return locations_[at].alias == npos ? at : locations_[at].alias; }

 private:
  constexpr auto slot_of(std::uint32_t scope, stored_name name) -> std::size_t {
    const auto mask = slots_.size() - 1;
    auto at = (name.hash ^ scope * 0x9e3779b1u) & mask;
    const auto text = model_.text(name);
    for (; slots_[at] != npos; at = (at + 1) & mask) {
      const auto& other = locations_[slots_[at]];
      if (other.name.hash == name.hash && other.scope == scope) {
        const auto known = model_.text(other.name);
        if (same_bytes({known.data(), known.size()}, {text.data(), text.size()})) break;
      }
      if (!model_.reader.charge(1)) break;  // limits the work if a file has many names with the same slot
    }
    return at;
  }

  reading& model_;
  vector<location> locations_;
  vector<std::uint32_t> slots_;  ///< a hash table with open addressing: positions in `locations_`, or `npos` if free
};

}  // namespace baton::pt2::detail
