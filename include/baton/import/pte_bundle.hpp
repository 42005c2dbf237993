// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Bundled programs of ExecuTorch (.bpte): a program, and inputs with expected outputs for each method.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte {

/// A recorded input or output: a tensor or a number.
struct recorded_value {
  dtype type = dtype::float32;   ///< the element type of a tensor, or the type of a number (int64, boolean or float64)
  vector<std::int64_t> sizes{};  ///< in the order of the dimensions; empty for a number
  /// The dimensions of a tensor in the order of their strides, largest first: {0, 1, ...} for a row-major tensor. Empty for a number.
  vector<std::int64_t> dim_order{};
  span<const char> data{};   ///< the elements of a tensor, in the order of `dim_order`; empty for a number. A view of the file
  std::uint64_t number = 0;  ///< the bits of a number; 0 for a tensor
};

/// An execution of a method with recorded inputs and outputs.
struct recorded_case {
  vector<recorded_value> inputs;
  vector<recorded_value> outputs;
};

namespace detail {

/// A reader of recorded values.
class recorded_reader {
 public:
  constexpr explicit recorded_reader(byte_reader& reader) : reader_(reader) {}

  constexpr auto values(const flatbuffer::table& from, std::size_t slot) -> vector<recorded_value> {
    vector<recorded_value> list;
    const auto stored = from.elements<flatbuffer::table>(slot);
    reader_.charge(work_per_value * stored.size());
    for (std::size_t i = 0; i < stored.size() && reader_.ok(); ++i) list.push_back(read(stored[i].member(slot::evalue::type)));
    return list;
  }

 private:
  // The number of items charged to the work limit (`byte_reader::charge`) for each recorded value.
  static constexpr std::uint64_t work_per_value = 64;
  // The number of items charged for each element of `sizes` or `dim_order`.
  static constexpr std::uint64_t work_per_size = 16;

  constexpr auto read(const flatbuffer::union_member& stored) -> recorded_value {
    recorded_value value;
    const auto& fields = stored.value;
    if (stored.type == 1) {
      const auto known = type_of(fields.scalar<std::uint8_t>(slot::bundled_tensor::scalar_type));
      value.type = known.type;
      value.data = fields.bytes(slot::bundled_tensor::data);
      append(value.sizes, fields.elements<std::int32_t>(slot::bundled_tensor::sizes));
      append(value.dim_order, fields.elements<std::uint8_t>(slot::bundled_tensor::dim_order));
      const auto bytes = byte_count(value.type, value.sizes);
      if (!known.is_known || bytes < 0 || static_cast<std::uint64_t>(bytes) != value.data.size()) reader_.fail();
    } else if (stored.type == 2) {
      value.type = dtype::int64;
      value.number = static_cast<std::uint64_t>(fields.scalar<std::int64_t>(slot::literal::value));
    } else if (stored.type == 3) {
      value.type = dtype::boolean;
      value.number = fields.scalar<bool>(slot::literal::value) ? 1 : 0;
    } else if (stored.type == 4) {
      value.type = dtype::float64;
      value.number = std::bit_cast<std::uint64_t>(fields.scalar<double>(slot::literal::value));
    } else {
      reader_.fail();
    }
    return value;
  }
  constexpr void append(vector<std::int64_t>& to, const auto& stored) {
    reader_.charge(work_per_size * stored.size());
    for (std::size_t i = 0; i < stored.size() && reader_.ok(); ++i) to.push_back(static_cast<std::int64_t>(stored[i]));
  }

  byte_reader& reader_;
};

/// True if the bytes have the identifier of a bundled program.
constexpr auto is_bundle(span<const char> bytes) -> bool {
  byte_reader reader{bytes};
  return flatbuffer::has_identifier(reader, bundle_identifier);
}

/// Returns the program in a bundled program, as a view of `bytes`. Returns `bytes` if they are not a bundled program. Fails with
/// `damaged_model` if the bundled program is damaged.
constexpr auto program_of_bundle(span<const char> bytes) -> result<span<const char>> {
  if (!is_bundle(bytes)) return bytes;
  byte_reader reader{bytes};
  const auto program = flatbuffer::root(reader).bytes(slot::bundle::program);
  if (!reader.ok()) return broken<"damaged_model">("the program in the bundle cannot be read");
  return program;
}

}  // namespace detail

/// Returns the recorded executions of a method. The list is empty if the bytes are not a bundled program, or if the method has no recorded
/// executions. Fails with `damaged_model` if the bundled program is damaged.
constexpr auto recorded_cases_of(span<const char> bytes, std::string_view method) -> result<vector<recorded_case>> {
  vector<recorded_case> cases;
  if (!detail::is_bundle(bytes)) return cases;
  byte_reader reader{bytes};
  detail::recorded_reader values(reader);
  const auto suites = flatbuffer::root(reader).elements<flatbuffer::table>(slot::bundle::method_test_suites);
  for (std::size_t s = 0; s < suites.size() && reader.ok(); ++s) {
    if (suites[s].text(slot::test_suite::method_name) != method) continue;
    const auto stored = suites[s].elements<flatbuffer::table>(slot::test_suite::test_cases);
    for (std::size_t i = 0; i < stored.size() && reader.ok(); ++i)
      cases.push_back({values.values(stored[i], slot::test_case::inputs), values.values(stored[i], slot::test_case::expected_outputs)});
  }
  if (!reader.ok())
    return broken<"damaged_model">("recorded execution ", cases.empty() ? 0 : cases.size() - 1, " of method ", method, " cannot be read");
  return cases;
}

}  // namespace baton::pte
