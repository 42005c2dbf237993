// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Read access to a program that a rewriter is changing.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A reader of a program that a rewriter is changing. The reader has the read functions of `program_view`. A `program_view` refers to the
/// pools, the flat arrays of a program, so an insertion invalidates the view. A reader refers to the program, so the reader stays valid
/// until the rewriter finishes. The spans, texts and references that the reader's functions return are valid until the next insertion. A
/// reader converts to `program_view`, so that it can be passed to functions that only read.
class program_reader {
 public:
  constexpr explicit program_reader(const exported_program& program) : program_(&program) {}
  constexpr operator program_view() const { return *program_; }  // NOLINT(google-explicit-constructor): like a program

  template <class Id>
  constexpr auto operator[](Id id) const -> const auto& {
    return (*program_)[id];
  }
  constexpr auto root() const -> const graph& { return program_->root(); }
  constexpr auto graph_count() const -> std::size_t { return program_->graphs.size(); }
  constexpr auto node_count() const -> std::size_t { return program_->nodes.size(); }
  constexpr auto value_count() const -> std::size_t { return program_->values.size(); }

  constexpr auto text(byte_ref ref) const -> std::string_view { return program_->text(ref); }
  constexpr auto data(byte_ref ref) const -> span<const char> { return program_->data(ref); }
  constexpr auto shape(value_id id) const -> span<const std::int64_t> { return program_->shape(id); }
  constexpr auto integer_list(range numbers) const -> span<const std::int64_t> { return program_->integer_list(numbers); }
  constexpr auto real_list(range numbers) const -> span<const double> { return program_->real_list(numbers); }
  template <class Record>
  constexpr auto inputs(const Record& record) const -> span<const value_id> {
    return program_->inputs(record);
  }
  template <class Record>
  constexpr auto outputs_of(const Record& record) const {
    return program_->outputs_of(record);
  }
  constexpr auto nodes_of(const graph& record) const -> span<const node> { return program_->nodes_of(record); }
  constexpr auto folded_handles(const node& record) const -> span<const std::int64_t> { return program_->folded_handles(record); }
  constexpr auto subgraphs_of(const node& record) const -> span<const graph_id> { return program_->subgraphs_of(record); }
  constexpr auto attributes_of(const node& record) const -> span<const attribute> { return program_->attributes_of(record); }

  constexpr auto find(const node& record, literal_name key) const -> const attribute* { return program_->find(record, key); }
  constexpr auto integer(const node& record, literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    return program_->integer(record, key, absent);
  }
  constexpr auto real(const node& record, literal_name key, double absent = 0) const -> double {
    return program_->real(record, key, absent);
  }
  constexpr auto text(const node& record, literal_name key, std::string_view absent = {}) const -> std::string_view {
    return program_->text(record, key, absent);
  }
  constexpr auto scale(const quantization& quant, std::uint32_t channel = 0) const -> float { return program_->scale(quant, channel); }
  constexpr auto zero_point(const quantization& quant, std::uint32_t channel = 0) const -> std::int64_t {
    return program_->zero_point(quant, channel);
  }

 private:
  const exported_program* program_;
};

}  // namespace baton
