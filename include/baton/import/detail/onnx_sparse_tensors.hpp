// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts sparse constant tensors of ONNX models to dense constants.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_tensors.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/known_integers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// A converter of sparse tensors to dense constant values.
class sparse_tensor_reader {
  // This member is defined before its first use, because Clang does not evaluate a member template that is defined later in the class.
  template <fixed_string Rule, class... Parts>
  constexpr auto refuse(const value& refused, Parts... reason) -> value {
    const auto name = printable_name(reading_.builder.draft().text(refused.name));
    reading_.refuse<Rule>("tensor ", baton::view(name), " ", reason...);
    return refused;
  }

 public:
  constexpr sparse_tensor_reader(reading& model, tensor_reader& tensors) : reading_(model), tensors_(tensors) {}

  /// Returns the dense value of a sparse tensor. If `name` is empty, the value has the name of `SparseTensorProto.values`. After
  /// an error, which is recorded, the returned value is arbitrary.
  constexpr auto read(const field& from, std::string_view name = {}) -> value {
    field elements{}, positions{}, f{};
    vector<std::int64_t> sizes;
    for (message tensor(reading_.reader, from); tensor.next(f);) {
      if (f.number == number::sparse_tensor::values) elements = f;
      if (f.number == number::sparse_tensor::indices) positions = f;
      if (f.number == number::sparse_tensor::dims) reading_.append_integers(f, sizes);
    }
    auto result = tensors_.read(elements, name);
    const auto at = tensors_.read(positions, "indices");
    if (!reading_.check_errors("a sparse tensor")) return result;
    const auto& program = reading_.builder.draft();
    const auto shape = program.integer_list(result.shape), rows = program.integer_list(at.shape);
    const auto width = facts(result.type).bits / 8u;
    const auto bytes = byte_count(result.type, sizes);
    if (facts(result.type).bits % 8 != 0) return refuse<"unsupported_model">(result, "is sparse, and has elements of less than a byte");
    if (bytes < 0) return refuse<"damaged_model">(result, "has a negative or excessive size");
    const bool is_list = rows.size() == 1, is_table = rows.size() == 2 && rows[1] == static_cast<std::int64_t>(sizes.size());
    if (shape.size() != 1 || at.type != dtype::int64 || !(is_list || is_table) || rows[0] != shape[0])
      return refuse<"damaged_model">(result, "has a list of indices that does not fit its elements");
    if (!reading_.reader.charge(static_cast<std::uint64_t>(bytes)))
      return refuse<"unsupported_model">(result, "is sparse, and its ", bytes,
                                         " bytes as a dense tensor are too many for a file of this size; store it as a dense tensor");
    text_buffer dense(static_cast<std::size_t>(bytes), '\0');
    const auto source = program.data(result.data);
    const auto columns = is_list ? std::size_t{1} : sizes.size();
    const known_integers indices{program.data(at.data).data(), static_cast<std::size_t>(rows[0]) * columns, 8, true};
    std::int64_t previous = -1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape[0]); ++i) {
      const auto position = is_list ? indices[i] : position_of(indices, i * columns, sizes);
      if (position <= previous || position >= bytes / static_cast<std::int64_t>(width))
        return refuse<"damaged_model">(result, "has indices that are not in ascending order, or are outside its shape");
      previous = position;
      std::copy_n(source.data() + i * width, width, dense.begin() + static_cast<std::size_t>(position) * width);
    }
    auto& pool = reading_.builder.draft().bytes;
    const auto first = pool.size();
    append(pool, baton::view(dense));
    result.data = reading_.appended_since(first);
    result.shape = reading_.builder.integers(sizes);
    return result;
  }

 private:
  /// Returns the position of an element in row-major order, or -1 if an index is outside its dimension. `first` is the position of the
  /// element's first index in `indices`.
  static constexpr auto position_of(const known_integers& indices, std::size_t first, span<const std::int64_t> sizes) -> std::int64_t {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const auto index = indices[first + d];
      if (index < 0 || index >= sizes[d]) return -1;
      position = position * sizes[d] + index;
    }
    return position;
  }

  reading& reading_;
  tensor_reader& tensors_;
};

}  // namespace baton::onnx::detail
