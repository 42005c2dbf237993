// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The schema of ExecuTorch files: slots of fields, types of unions, and element types.
#pragma once

#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte {

/// The file identifiers of ExecuTorch programs (.pte), of files with tensors (.ptd), and of programs with test data (.bpte).
inline constexpr std::string_view program_identifier = "ET12";
inline constexpr std::string_view data_identifier = "FT01";
inline constexpr std::string_view bundle_identifier = "BP08";

/// The positions of fields in the tables of ExecuTorch's schema/program.fbs (1.5), flat_tensor.fbs and bundled_program_schema.fbs. Versions
/// since 0.2 only appended fields.
namespace slot {
struct program {
  enum : std::uint16_t {
    version,
    execution_plan,
    constant_buffer,
    backend_delegate_data,
    segments,
    constant_segment,
    mutable_data_segments,
    named_data
  };
};
struct execution_plan {
  enum : std::uint16_t { name, container_meta_type, values, inputs, outputs, chains, operators, delegates, non_const_buffer_sizes };
};
struct evalue {
  enum : std::uint16_t { type, value };
};
/// The tables of scalars, texts and lists have one field.
struct literal {
  enum : std::uint16_t { value };
};
struct tensor {
  enum : std::uint16_t {
    scalar_type,
    storage_offset,
    sizes,
    dim_order,
    requires_grad,
    data_buffer_idx,
    allocation_info,
    layout,
    shape_dynamism,
    extra_tensor_info
  };
};
struct allocation {
  enum : std::uint16_t { memory_id, offset_low, offset_high };
};
struct extra_tensor_info {
  enum : std::uint16_t { mutable_data_segments_idx, fully_qualified_name, location };
};
struct chain {
  enum : std::uint16_t { inputs, outputs, instructions };
};
struct instruction {
  enum : std::uint16_t { type, arguments };
};
struct kernel_call {
  enum : std::uint16_t { op_index, args };
};
struct delegate_call {
  enum : std::uint16_t { delegate_index, args };
};
struct move_call {
  enum : std::uint16_t { move_from, move_to };
};
struct jump_false_call {
  enum : std::uint16_t { cond_value_index, destination };
};
struct operation {
  enum : std::uint16_t { name, overload };
};
struct delegate {
  enum : std::uint16_t { id, processed, compile_specs };
};
struct delegate_data {
  enum : std::uint16_t { location, index };
};
struct compile_spec {
  enum : std::uint16_t { key, value };
};
/// The tables Buffer and BackendDelegateInlineData.
struct buffer {
  enum : std::uint16_t { bytes };
};
struct segment {
  enum : std::uint16_t { offset, size };
};
struct subsegments {
  enum : std::uint16_t { segment_index, offsets };
};
struct named_data {
  enum : std::uint16_t { key, segment_index, tensor_layout };
};
struct tensor_layout {
  enum : std::uint16_t { scalar_type, sizes, dim_order };
};
/// The tables of a program with test data (bundled_program_schema.fbs).
struct bundle {
  enum : std::uint16_t { version, method_test_suites, program };
};
struct test_suite {
  enum : std::uint16_t { method_name, test_cases };
};
struct test_case {
  enum : std::uint16_t { inputs, expected_outputs };
};
struct bundled_tensor {
  enum : std::uint16_t { scalar_type, sizes, data, dim_order };
};
/// The root of a file with tensors.
struct flat_tensor {
  enum : std::uint16_t { version, segments, named_data };
};
}  // namespace slot

/// The type of a value of a method.
enum class value_type : std::uint8_t {
  none,  ///< nothing is stored
  null,
  integer,
  boolean,
  real,
  tensor,
  text,
  integers,
  reals,
  booleans,
  tensors,
  optional_tensors
};

enum class instruction_type : std::uint8_t { none, kernel_call, delegate_call, move_call, jump_false_call, free_call };

/// The dtype of an element type of the schema. `is_known` is false if Baton has no such dtype.
struct known_type {
  bool is_known = false;
  dtype type = dtype::float32;
};
constexpr auto type_of(std::uint8_t scalar_type) -> known_type {
  constexpr dtype types[] = {dtype::uint8,   dtype::int8,    dtype::int16,   dtype::int32,     dtype::int64,      dtype::float16,
                             dtype::float32, dtype::float64, dtype::variant, dtype::complex64, dtype::complex128, dtype::boolean,
                             dtype::variant, dtype::variant, dtype::variant, dtype::bfloat16};
  constexpr std::size_t count = sizeof(types) / sizeof(types[0]);
  constexpr std::uint8_t first_unsigned = 27;  // the numbers 12 to 26, except 15, are quantized types, bit types or float8 types
  constexpr dtype unsigned_types[] = {dtype::uint16, dtype::uint32, dtype::uint64};
  if (scalar_type < count && types[scalar_type] != dtype::variant) return {true, types[scalar_type]};
  if (scalar_type >= first_unsigned && scalar_type < first_unsigned + 3) return {true, unsigned_types[scalar_type - first_unsigned]};
  return {};
}

}  // namespace baton::pte
