// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The field numbers of ONNX's protobuf messages, and the attribute types (onnx/onnx.proto).
#pragma once

#include <baton/core/tensor.hpp>

#include <cstdint>

namespace baton::onnx::detail {

/// Field numbers, one namespace per message.
namespace number {

namespace model {
enum : std::uint32_t { ir_version = 1, graph = 7, opset_import = 8, functions = 25 };
}
namespace opset {
enum : std::uint32_t { domain = 1, version = 2 };
}
namespace graph {
enum : std::uint32_t { node = 1, name = 2, initializer = 5, input = 11, output = 12, value_info = 13, sparse_initializer = 15 };
}
namespace node {
enum : std::uint32_t { input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7, overload = 8 };
}
namespace attribute {
enum : std::uint32_t {
  name = 1,
  real = 2,
  integer = 3,
  text = 4,
  tensor = 5,
  graph = 6,
  reals = 7,
  integers = 8,
  texts = 9,
  tensors = 10,
  graphs = 11,
  type = 20,
  reference = 21,
  sparse_tensor = 22
};
}
namespace tensor {
enum : std::uint32_t {
  dims = 1,
  data_type = 2,
  segment = 3,
  float_data = 4,
  int32_data = 5,
  string_data = 6,
  int64_data = 7,
  name = 8,
  raw_data = 9,
  double_data = 10,
  uint64_data = 11,
  external_data = 13,
  data_location = 14
};
}
namespace sparse_tensor {
enum : std::uint32_t { values = 1, indices = 2, dims = 3 };
}
namespace entry {
enum : std::uint32_t { key = 1, value = 2 };
}
namespace value {
enum : std::uint32_t { name = 1, type = 2 };
}
namespace type {
enum : std::uint32_t { tensor = 1 };
}
namespace tensor_type {
enum : std::uint32_t { element = 1, shape = 2 };
}
namespace shape {
enum : std::uint32_t { dimension = 1 };
}
namespace dimension {
enum : std::uint32_t { size = 1, symbol = 2 };
}
namespace function {
enum : std::uint32_t {
  name = 1,
  input = 4,
  output = 5,
  attribute = 6,
  node = 7,
  opset_import = 9,
  domain = 10,
  default_attribute = 11,
  overload = 13
};
}

}  // namespace number

/// The values of `AttributeProto.type`. The type is `unknown` in files of IR version 1 and 2, which do not state it.
enum class attribute_type : std::uint8_t {
  unknown,
  real,
  integer,
  text,
  tensor,
  graph,
  reals,
  integers,
  texts,
  tensors,
  graphs,
  sparse_tensor
};

/// Returns the number of the `TensorProto` field that stores the elements of a dtype if `raw_data` is absent. Elements of float16, bfloat16
/// and float8 are stored as bit patterns, one per element of `int32_data`. Elements of int2, int4 and uint4 are packed into bytes, with the
/// first element in the lowest bits. Each element of `int32_data` stores one of these bytes.
constexpr auto typed_field_of(dtype type) -> std::uint32_t {
  switch (type) {
    case dtype::float32:
    case dtype::complex64:
      return number::tensor::float_data;
    case dtype::float64:
    case dtype::complex128:
      return number::tensor::double_data;
    case dtype::int64:
      return number::tensor::int64_data;
    case dtype::uint32:
    case dtype::uint64:
      return number::tensor::uint64_data;
    default:
      return number::tensor::int32_data;
  }
}

}  // namespace baton::onnx::detail
