// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/onnx_sparse_tensors.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/onnx.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "laws/importer.hpp"
#include "onnx_writer.hpp"

namespace {

using namespace baton;
using namespace tests;  // the writer
using bytes = baton::vector<char>;

constexpr auto sparse(const message_writer& values, const message_writer& indices, sizes dims) -> message_writer {
  message_writer result;
  result.child(number::sparse_tensor::values, values).child(number::sparse_tensor::indices, indices);
  return result.packed(number::sparse_tensor::dims, dims);
}
constexpr auto int8_values(std::string_view of) -> message_writer {
  return raw_tensor("w", onnx_int8, {static_cast<std::int64_t>(of.size())}, of);
}
constexpr auto model_with(const message_writer& tensor) -> bytes {
  return model_of(graph_of({.nodes = {}, .outputs = {untyped_value("w")}}).child(number::graph::sparse_initializer, tensor));
}
/// True if the constant `w` of a program has these int8 elements and this shape.
constexpr auto has_elements(const bytes& file, std::string_view elements, std::int64_t rows, std::int64_t columns) -> bool {
  const auto read = onnx::try_read_bytes(file);
  if (!read || !laws::importer::all<onnx::importer>(file)) return false;
  const program_view program = read.value;
  const auto id = program.outputs_of(program.root())[0].value;
  const auto data = program.data(program[id].data);
  return program[id].type == dtype::int8 && program.text(program[id].name) == "w" && program.shape(id).size() == 2 &&
         program.shape(id)[0] == rows && program.shape(id)[1] == columns && std::string_view(data.data(), data.size()) == elements;
}
constexpr auto sparse_tensors_become_dense() -> bool {
  constexpr std::string_view dense("\0\5\0\0\0\7", 6);
  const auto list = sparse(int8_values("\5\7"), int64_tensor("", {2}, {1, 5}), {2, 3});
  const auto table = sparse(int8_values("\5\7"), int64_tensor("", {2, 2}, {0, 1, 1, 2}), {2, 3});
  const auto node = node_of({"Constant",
                             {},
                             {"w"},
                             {message_writer()
                                  .text(number::attribute::name, "sparse_value")
                                  .child(number::attribute::sparse_tensor, list)
                                  .integer(number::attribute::type, 11)}});
  const auto wide = sparse(raw_tensor("w", onnx_float, {1}, {"\0\0\x80\x3f", 4}), int64_tensor("", {1}, {2}), {3});
  const auto file = model_with(wide);
  const auto program = onnx::read_bytes(file);
  const auto floats = program.data(program.values[index(program.outputs_of(program.root())[0].value)].data);
  return has_elements(model_with(list), dense, 2, 3) && has_elements(model_with(table), dense, 2, 3) &&
         has_elements(model_of(graph_of({.nodes = {node}, .outputs = {untyped_value("w")}})), dense, 2, 3) &&
         has_elements(model_with(sparse(int8_values(""), int64_tensor("", {0}, {}), {1, 2})), {"\0\0", 2}, 1, 2) && floats.size() == 12 &&
         floats[7] == 0 && floats[10] == '\x80' && floats[11] == '\x3f';
}
static_assert(sparse_tensors_become_dense());

/// The only element of a tensor without dimensions has no index.
constexpr auto a_scalar_has_no_index() -> bool {
  const auto file = model_with(sparse(int8_values("\5"), int64_tensor("", {1, 0}, {}), {}));
  const auto read = onnx::try_read_bytes(file);
  const program_view program = read.value;
  if (!read) return false;
  const auto& record = program[program.outputs_of(program.root())[0].value];
  return record.shape.size == 0 && program.text(record.data) == "\5";
}
static_assert(a_scalar_has_no_index());

template <fixed_string Rule>
constexpr auto is_rejected(const message_writer& tensor, std::string_view reason) -> bool {
  const auto file = model_with(tensor);
  const auto read = onnx::try_read_bytes(file);
  const std::string_view text{read.error.reason.data(), read.error.reason.size()};
  return !read && read.error.is<Rule>() && text.find(reason) != std::string_view::npos;
}
constexpr auto invalid_sparse_tensors_are_rejected() -> bool {
  const auto two = int8_values("\5\7");
  constexpr std::string_view fail = "tensor w has a list of indices that does not fit its elements";
  constexpr std::string_view order = "tensor w has indices that are not in ascending order, or are outside its shape";
  const auto rejects = [&](std::string_view reason, const message_writer& indices, sizes dims) {
    return is_rejected<"damaged_model">(sparse(two, indices, dims), reason);
  };
  return rejects(fail, int64_tensor("", {1}, {1}), {6}) && rejects(order, int64_tensor("", {2, 0}, {}), {}) &&
         rejects(fail, int64_tensor("", {2, 3}, {0, 0, 0, 0, 0, 1}), {2, 3}) &&
         rejects(fail, tensor_head("", onnx_int32, {2}).packed(number::tensor::int32_data, {0, 1}), {6}) &&
         rejects(order, int64_tensor("", {2}, {3, 1}), {6}) && rejects(order, int64_tensor("", {2}, {1, 1}), {6}) &&
         rejects(order, int64_tensor("", {2}, {1, 6}), {6}) && rejects(order, int64_tensor("", {2}, {-1, 2}), {6}) &&
         rejects(order, int64_tensor("", {2, 2}, {0, 0, 0, 3}), {2, 3}) &&
         rejects("tensor w has a negative or excessive size", int64_tensor("", {2}, {1, 2}), {-6}) &&
         is_rejected<"malformed_data">(sparse(two, int64_tensor("", {2}, {1}), {6}), "tensor indices needs 16 bytes and has 8") &&
         is_rejected<"unsupported_model">(sparse(raw_tensor("w", 22, {2}, "\x21"), int64_tensor("", {2}, {0, 1}), {6}),
                                          "tensor w is sparse, and has elements of less than a byte") &&
         is_rejected<"unsupported_model">(sparse(two, int64_tensor("", {2}, {0, 1}), {1000, 1000}),
                                          "tensor w is sparse, and its 1000000 bytes as a dense tensor are too many for a file of this "
                                          "size; store it as a dense tensor") &&
         is_rejected<"unsupported_model">(message_writer(), "has the unsupported data type 0");
}
static_assert(invalid_sparse_tensors_are_rejected());

}  // namespace

TEST_CASE("onnx: sparse tensors become dense, if they are not much larger than the file") {
  CHECK(sparse_tensors_become_dense());
  CHECK(a_scalar_has_no_index());
}
TEST_CASE("onnx: invalid sparse tensors are rejected") { CHECK(invalid_sparse_tensors_are_rejected()); }
