// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The types that an ONNX file states for inputs, outputs and other values, and the sizes of symbolic dimensions.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// A size in a shape: a number, a symbol, or neither. `size` is -1 if the file states no number.
struct stated_size {
  std::int64_t size = -1;
  std::string_view symbol;
};

/// The type that a file states for a value.
struct stated_type {
  std::string_view name;
  bool is_other = false;      ///< true for a sequence, a map or another type that is not a tensor
  bool has_shape = false;     ///< whether the rank is known
  std::uint64_t element = 0;  ///< the number of the ONNX data type, or 0 if it is unknown
  vector<stated_size> sizes;
};

/// Returns the type in a `ValueInfoProto`. If the file is damaged, the byte reader fails.
constexpr auto read_stated_type(reading& model, const field& from) -> stated_type {
  stated_type stated;
  field f{}, t{}, s{}, d{}, n{};
  for (message value(model.reader, from); value.next(f);) {
    if (f.number == number::value::name) stated.name = model.text(f);
    if (f.number != number::value::type) continue;
    for (message type(model.reader, f); type.next(t);) {
      // 6 is `TypeProto.denotation`, a text.
      if (t.number != number::type::tensor) stated.is_other = stated.is_other || t.number != 6;
      if (t.number != number::type::tensor) continue;
      for (message tensor(model.reader, t); tensor.next(s);) {
        if (s.number == number::tensor_type::element) stated.element = model.number(s);
        if (s.number != number::tensor_type::shape) continue;
        stated.has_shape = true;
        for (message shape(model.reader, s); shape.next(d);) {
          if (d.number != number::shape::dimension) continue;
          stated_size size;
          for (message dimension(model.reader, d); dimension.next(n);) {
            if (n.number == number::dimension::size) size.size = static_cast<std::int64_t>(model.number(n));
            if (n.number == number::dimension::symbol) size.symbol = model.text(n);
          }
          if (size.size < 0) size.size = -1;
          stated.sizes.push_back(size);
        }
      }
    }
  }
  return stated;
}

/// A table of the sizes of symbols. It also records whether each input shape in the options belongs to an input of the model.
class symbol_table {
 public:
  constexpr explicit symbol_table(reading& model) : reading_(model) {
    for (const auto& each : model.options.dimensions) bound_.push_back({each.symbol, each.size, false});
    are_shapes_used_.assign(model.options.shapes.size(), 0);
  }

  /// Returns the size of a dimension, or -1 if it is unknown.
  constexpr auto size_of(const stated_size& stated) const -> std::int64_t {
    if (stated.size >= 0 || stated.symbol.empty()) return stated.size;
    for (const auto& each : bound_) {
      if (each.symbol == stated.symbol) return each.size;
    }
    return -1;
  }

  /// Sets the sizes of symbols that `read_options::dimensions` does not set. A symbol in the shape of an input gets the size in
  /// `read_options::shapes` for this input. Any other symbol gets 1 if it is dimension 0 (the batch) of an input without a shape in the
  /// options.
  constexpr void bind(const vector<stated_type>& inputs) {
    for (const auto& input : inputs) {
      const auto* const stated = find_shape(input.name);
      if (stated == nullptr || stated->sizes.size() != input.sizes.size()) continue;
      for (std::size_t d = 0; d < input.sizes.size(); ++d) bind(input.sizes[d], stated->sizes[d]);
    }
    for (const auto& input : inputs) {
      if (!input.sizes.empty() && find_shape(input.name) == nullptr) bind(input.sizes[0], 1);
    }
  }

  /// Sets each unknown size of an input to the size of its symbol. If the symbol is absent or unknown, the size in `read_options::shapes`
  /// is used. Dimension 0 (the batch) becomes 1 if both sizes are unknown. Returns false and records `unknown_size` if a size remains
  /// unknown, or `mismatched_shape` if the options contradict a known size or rank.
  constexpr auto complete(stated_type& input) -> bool {
    const auto* const stated = find_shape(input.name);
    if (stated != nullptr && !input.has_shape) {
      for (const auto size : stated->sizes) input.sizes.push_back({size, {}});
      input.has_shape = true;
    }
    if (stated != nullptr && stated->sizes.size() != input.sizes.size()) return refuse_shape(input, stated->sizes.size());
    for (std::size_t d = 0; d < input.sizes.size(); ++d) {
      auto& each = input.sizes[d];
      const auto known = size_of(each);
      if (stated != nullptr && known >= 0 && known != stated->sizes[d]) return refuse_size(input, d, known, stated->sizes[d]);
      each.size = known >= 0 ? known : stated != nullptr ? stated->sizes[d] : d == 0 ? 1 : -1;
      if (each.size < 0) return refuse_unknown(input, d);
      mark_used(each.symbol);
    }
    return true;
  }

  /// Returns false and records `unknown_name` if the options name an input that does not exist, or a symbol that no input shape contains.
  /// Called after `complete` for all inputs.
  constexpr auto check_options() -> bool {
    for (std::size_t s = 0; s < are_shapes_used_.size(); ++s) {
      if (are_shapes_used_[s] == 0)
        return reading_.refuse<"unknown_name">("there is no input ", baton::view(printable_name(reading_.options.shapes[s].input)));
    }
    for (const auto& each : bound_) {
      if (!each.is_used) return reading_.refuse<"unknown_name">("no input has a dimension ", baton::view(printable_name(each.symbol)));
    }
    return true;
  }

 private:
  struct bound_symbol {
    std::string_view symbol;
    std::int64_t size;
    bool is_used;
  };

  constexpr void bind(const stated_size& dimension, std::int64_t size) {
    if (!dimension.symbol.empty() && size_of(dimension) < 0) bound_.push_back({dimension.symbol, size, true});
  }
  constexpr auto find_shape(std::string_view input) -> const read_options::bound_shape* {
    for (std::size_t s = 0; s < are_shapes_used_.size(); ++s) {
      if (reading_.options.shapes[s].input != input) continue;
      are_shapes_used_[s] = 1;
      return &reading_.options.shapes[s];
    }
    return nullptr;
  }
  constexpr void mark_used(std::string_view symbol) {
    for (auto& each : bound_) each.is_used = each.is_used || each.symbol == symbol;
  }
  constexpr auto refuse_shape(const stated_type& input, std::size_t rank) -> bool {
    return reading_.refuse<"mismatched_shape">("input ", baton::view(printable_name(input.name)), " has ", input.sizes.size(),
                                               " dimensions in the file, but ", rank, " in the read options");
  }
  constexpr auto refuse_size(const stated_type& input, std::size_t d, std::int64_t in_file, std::int64_t stated) -> bool {
    return reading_.refuse<"mismatched_shape">("the size of dimension ", d, " of input ", baton::view(printable_name(input.name)), " is ",
                                               in_file, ", but ", stated, " in the read options");
  }
  constexpr auto refuse_unknown(const stated_type& input, std::size_t d) -> bool {
    const auto& symbol = input.sizes[d].symbol;
    if (symbol.empty()) {
      return reading_.refuse<"unknown_size">("the size of dimension ", d, " of input ", baton::view(printable_name(input.name)),
                                             " is unknown and has no name; set the shape of the input: baton::onnx::input_shape<\"",
                                             baton::view(printable_name(input.name)), "\", ...>");
    }
    return reading_.refuse<"unknown_size">("the size of dimension ", d, " of input ", baton::view(printable_name(input.name)),
                                           " is the symbol ", baton::view(printable_name(symbol)),
                                           "; set it, as in baton::onnx::dimension<\"", baton::view(printable_name(symbol)), "\", 16>");
  }

  reading& reading_;
  vector<bound_symbol> bound_;
  vector<char> are_shapes_used_;  ///< 1 if the shape in the options belongs to an input, indexed by shape
};

}  // namespace baton::onnx::detail
