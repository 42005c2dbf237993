// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads an ONNX model whose weights are in another file and whose batch has a symbolic size, and brings it to the operators of the kernels.
#include <baton/baton.hpp>
#include <baton/importer.hpp>
#include <baton/report.hpp>

#include <array>
#include <cstdio>

namespace {

// The model: y = relu(x · w). x has the shape [rows, 2]. w has the shape [2, 2] and is in the file weights.bin. Usually, `baton_embed` or
// `xxd -i` embeds the files.
constexpr char file[] =
    "\010\010:\223\001\012\024\012\001x\012\001w\022\004sums\042\006MatMul\012\017\012\004sums\022\001y\042\004Relu\022\004ma"
    "in*2\010\002\010\002\020\001B\001wj\027\012\010location\022\013weights.binj\014\012\006length\022\00216p\001Z\027\012"
    "\001x\022\022\012\020\010\001\022\014\012\006\022\004rows\012\002\010\002b\027\012\001y\022\022\012\020\010\001\022\014"
    "\012\006\022\004rows\012\002\010\002B\004\012\000\020\021";
constexpr char weights[] = "\000\000\200\077\000\000\200\277\000\000\000@\000\000\200\077";  // float32: 1 -1, 2 1

constexpr auto model = baton::onnx::read<file, baton::onnx::external_file<"weights.bin", weights>, baton::onnx::dimension<"rows", 2>>;

// The kernels compute the operators of TensorFlow Lite, and those of the namespace `baton`. `default_passes` begins with this pass.
constexpr auto legal = baton::transform(model, baton::passes<baton::legalize>);
baton::executor<legal> net;

// The same importer in a list, which recognizes other formats, too.
constexpr auto importers =
    baton::importers<baton::tflite::importer,
                     baton::onnx::importer_with<baton::onnx::external_file<"weights.bin", weights>, baton::onnx::dimension<"rows", 2>>>;
constexpr auto same_model = baton::read_model<file, importers>;
static_assert(baton::onnx::importer::recognizes({file, sizeof file - 1}) && same_model->nodes.size() == model->nodes.size());

void print(const baton::text_buffer& text) { std::printf("%.*s", static_cast<int>(text.size()), text.data()); }

}  // namespace

auto main() -> int {
  // The locations of the files that a tool reads before the model.
  for (const auto location : baton::onnx::external_files_of({file, sizeof file - 1}).value) print(baton::join(location, "\n"));
  print(baton::report::operator_table(model));
  print(baton::report::operator_table(legal));

  std::array<float, 4> y{};
  net.run(std::array{1.0f, 1.0f, 1.0f, 0.5f}, y);
  std::printf("%g %g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]), static_cast<double>(y[3]));
}

// Output:
// weights.bin
// operators of main: 2
//   #  node  operator     operands                   outputs
//   0  sums  onnx.MatMul  float32[2,2] float32[2,2]  float32[2,2]
//   1  y     onnx.Relu    float32[2,2]               float32[2,2]
// operators of main: 1
//   #  node  operator             operands                   outputs
//   0  sums  tfl.fully_connected  float32[2,2] float32[2,2]  float32[2,2]
// 3 0 2 0
