// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Types of values of torch.export programs, and the data of parameters, buffers and constants.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_reading.hpp>
#include <baton/import/detail/pt2_words.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::pt2::detail {

/// The decoded words of an index entry `config` (`pt2_index.hpp`): name, path name, flags, positions of the sizes and strides, dtype, sizes
/// and strides, offset.
struct config_entry {
  stored_name name;
  stored_text path;  ///< the name of the tensor's record (a file of the archive), without the folder
  bool is_pickle = false;
  bool is_constant = false;                ///< true if the tensor is in the table of constants, false if in the table of weights
  const std::uint32_t* sizes = nullptr;    ///< null if the file does not state the sizes
  const std::uint32_t* strides = nullptr;  ///< null if the file does not state the strides
  std::uint32_t type = 0;                  ///< a result of `dtype_number`

  constexpr explicit config_entry(const std::uint32_t* at)
      : name{{at[2], at[3]}, at[4]},
        path{at[5], at[6]},
        is_pickle((at[7] & 1) != 0),
        is_constant((at[7] & 2) != 0),
        sizes(at[8] == 0 ? nullptr : at + at[8]),
        strides(at[9] == 0 ? nullptr : at + at[9]),
        type(at[10]),
        offset_(at + at[1] - 2) {}
  /// Returns the offset of the tensor's first element from the beginning of the record, in elements.
  constexpr auto offset() const -> std::int64_t { return word_reader(offset_).number(); }

 private:
  const std::uint32_t* offset_;
};

/// The decoded words of an index entry `input_spec` or `output_spec`.
struct spec_entry {
  spec kind;
  stored_text kind_name;
  argument_view value;
  stored_name target;
  bool is_persistent;

  constexpr explicit spec_entry(const std::uint32_t* at)
      : kind(static_cast<spec>(at[2])),
        kind_name{at[3], at[4]},
        value(at + 5),
        target(word_reader(value.end).name()),
        is_persistent(value.end[3] != 0) {}
};

/// A reader of types and data of tensors.
class tensor_reader {
 public:
  constexpr tensor_reader(reading& model, location_table& locations, byte_recipe::timing when)
      : model_(model),
        locations_(locations),
        timing_(when) {}

  /// Returns a value with the name and type that the file states for a location. After an error, which is recorded, the returned value is
  /// incomplete.
  constexpr auto value_of(std::uint32_t at, value_kind kind) -> value {
    const auto& from = locations_[at];
    value record{.name = model_.view(from.name), .kind = kind};
    if (from.entry == nullptr || static_cast<entry>(from.entry[0]) != entry::tensor_value) {
      model_.refuse<"damaged_model">("value ", baton::view(model_.printable_name(from.name)), " is not a tensor of tensor_values");
      return record;
    }
    record.type = type_of(from.entry[5], from.name);
    const stored_sizes sizes{word_reader(from.entry + 6)};
    auto words = sizes.words;
    model_.reader.charge(sizes.rank);
    sizes_.clear();
    for (std::uint32_t i = 0; i < sizes.rank; ++i, words.number()) {
      sizes_.push_back(sizes.is_expression(i) ? model_.size_of(true, words, baton::view(model_.printable_name(from.name)))
                                              : word_reader(words).number());
      if (sizes_.back() < 0)
        model_.refuse<"damaged_model">("value ", baton::view(model_.printable_name(from.name)), " has the size ", sizes_.back());
    }
    record.shape = model_.builder.integers(sizes_);
    return record;
  }

  /// Returns the value of a parameter, buffer or constant, usually with its data. If `recipe.source` is not null on return, the value has
  /// no data yet. Then `recipe` describes how the data is computed later, and the caller must pass `recipe` to `defer`.
  constexpr auto data_of(std::uint32_t at, value_kind kind, byte_recipe& recipe) -> value {
    const spec_entry from(locations_[at].spec);
    auto record = value_of(at, kind);
    record.target = model_.view(from.target);
    record.persistent = from.is_persistent;
    const auto stored = locations_.find(location_table::configs, from.target);
    if (stored == npos) {
      model_.refuse<"damaged_model">("tensor ", baton::view(model_.printable_name(from.target)),
                                     " is neither in the table of weights nor in the table of constants");
      return record;
    }
    if (!model_.why) set_data(record, config_entry(locations_[stored].entry), recipe);
    return record;
  }

  /// Records the recipe of a value's data. The data is computed from the recipe when the program is stored as a constant (`byte_recipe`).
  constexpr void defer(value_id id, const byte_recipe& recipe) { deferred_.push_back({id, recipe}); }
  /// Stores the recorded recipes in the finished program.
  constexpr void add_recipes(exported_program& program) const {
    for (const auto& each : deferred_) each.recipe.defer(program, program.values[index(each.id)]);
  }

 private:
  struct deferred_data {
    value_id id;
    byte_recipe recipe;
  };

  constexpr auto type_of(std::uint32_t number, stored_text user) -> dtype {
    const auto known = number < first_unknown_dtype ? pte::type_of(static_cast<std::uint8_t>(number)) : pte::known_type{};
    if (!known.is_known) {
      model_.refuse<"unsupported_model">("value ", baton::view(model_.printable_name(user)), " has a dtype that is not supported, number ",
                                         number < first_unknown_dtype ? number + 1 : number - first_unknown_dtype, " of the schema");
    }
    return known.type;
  }

  /// Sets the data of a tensor to a view of the archive's record if the elements are contiguous. Otherwise, copies the data, or sets
  /// `recipe` for a deferred copy.
  constexpr void set_data(value& record, const config_entry& from, byte_recipe& recipe) {
    const auto name = model_.printable_name(from.name);
    const auto user = baton::view(name);
    if (from.is_pickle)
      return void(model_.refuse<"unsupported_model">("tensor ", user,
                                                     " is a tensor subclass, which is stored as a pickle; convert it to a plain tensor"));
    const auto* stored = model_.archive.find(from.is_constant ? constants_folder : weights_folder, model_.text(from.path));
    if (stored == nullptr)
      return void(model_.refuse<"damaged_model">("the archive has no record ", from.is_constant ? constants_folder : weights_folder,
                                                 baton::view(model_.printable_name(from.path)), " for tensor ", user));
    if (type_of(from.type, from.name) != record.type || !has_shape(from, record))
      return void(model_.refuse<"damaged_model">("tensor ", user, " has another dtype or shape in its table than in the graph"));
    const auto shape = model_.builder.draft().integer_list(record.shape);
    const auto bytes = byte_count(record.type, shape);
    if (bytes < 0) return void(model_.refuse<"damaged_model">("tensor ", user, " has a negative size, or too many elements"));
    if (bytes == 0) return;
    const auto width = static_cast<std::int64_t>(facts(record.type).bits / 8);
    const auto limit = static_cast<std::int64_t>(stored->bytes.size()) / width, first = from.offset();
    std::int64_t last = first, expected = 1;
    bool is_contiguous = true, fits = first >= 0 && first < limit;
    if (from.strides != nullptr) {
      const stored_sizes strides{word_reader(from.strides)};
      fits = fits && strides.rank == shape.size() && strides.expressions == 0;
      for (auto i = static_cast<std::uint32_t>(shape.size()); fits && i-- > 0;) {
        const auto stride = word_reader(strides.words.position() + std::size_t{2} * i).number();
        std::int64_t distance = 0;
        fits = stride >= 0 && !__builtin_mul_overflow(stride, shape[i] - 1, &distance) && distance < limit - last;
        last += fits ? distance : 0;
        is_contiguous = is_contiguous && (shape[i] == 1 || stride == expected);
        expected *= shape[i];
        // The stride of a dimension with one element may be any number, so the step of this dimension is set to 0.
        const auto step = fits && shape[i] != 1 ? stride * width : 0;
        if (i < tensor_type::max_rank) recipe.axes[i] = {static_cast<std::size_t>(shape[i]), static_cast<std::size_t>(step)};
      }
    } else {
      fits = fits && bytes / width - 1 < limit - first;
    }
    if (!fits) {
      return void(model_.refuse<"damaged_model">("tensor ", user, " of ", bytes, " bytes, from element ", first, ", is not inside record ",
                                                 baton::view(detail::printable_name(stored->name)), " of the archive, which has ",
                                                 stored->bytes.size(), " bytes"));
    }
    const auto data = stored->bytes.subspan(static_cast<std::size_t>(first * width));
    if (is_contiguous) {
      record.data = {data.data(), 0, static_cast<std::uint32_t>(bytes)};
      return;
    }
    if (shape.size() > tensor_type::max_rank)
      return void(model_.refuse<"unsupported_model">("tensor ", user, " is not contiguous and has more than ", tensor_type::max_rank,
                                                     " dimensions"));
    recipe.rank = shape.size();
    recipe.width = static_cast<std::size_t>(width);
    recipe.source = data.data();
    const bool is_dense = (last - first + 1) * width == bytes;
    if (timing_ == byte_recipe::timing::deferred && is_dense && static_cast<std::size_t>(bytes) >= byte_recipe::min_deferred_size) return;
    copy(record, recipe);
    recipe.source = nullptr;
  }
  constexpr void copy(value& record, const byte_recipe& recipe) {
    if (!model_.reader.charge(recipe.size())) return;
    text_buffer bytes(recipe.size(), '\0');
    recipe.compute(recipe.source, 0, {bytes.data(), bytes.size()});
    record.data = model_.builder.own(baton::view(bytes));
  }
  constexpr auto has_shape(const config_entry& from, const value& record) const -> bool {
    if (from.sizes == nullptr) return false;
    const stored_sizes sizes{word_reader(from.sizes)};
    if (sizes.rank != record.shape.size || sizes.expressions != 0) return false;
    auto words = sizes.words;
    for (const auto size : model_.builder.draft().integer_list(record.shape)) {
      if (words.number() != size) return false;
    }
    return true;
  }

  reading& model_;
  location_table& locations_;
  byte_recipe::timing timing_;
  vector<std::int64_t> sizes_;
  vector<deferred_data> deferred_;
};

}  // namespace baton::pt2::detail
