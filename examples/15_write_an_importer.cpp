// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes an importer for a custom format, for compile time and run time, and reads damaged files.
#include <baton/baton.hpp>
#include <baton/importer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

// A chain of layers: "CHN1", the size of the input and the number of layers as bytes, then the layers: the number of outputs as a byte, and
// for each output one float32 weight for each input.
struct chain_importer {
  static constexpr std::string_view format = "chain";
  static constexpr auto recognizes(baton::span<const char> bytes) -> bool { return baton::byte_reader{bytes}.text(0, 4) == "CHN1"; }

  static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program> {
    if (!recognizes(bytes)) return baton::broken<"foreign_file">("chains begin with CHN1");
    baton::byte_reader from{bytes};  // a read out of bounds returns zero, and `ok()` is false from then on
    baton::program_builder build;
    std::size_t size = from.u8(4), at = 6;
    const auto layers = from.u8(5);
    if (!from.ok() || size == 0 || layers == 0) return baton::broken<"damaged_model">("the header cannot be read");
    auto value = build.user_input("x", baton::tensor(baton::dtype::float32, 1, size));
    for (int layer = 0; layer < layers; ++layer) {
      const std::size_t outputs = from.u8(at);
      const auto weights = from.text(at + 1, 4 * size * outputs);
      if (!from.ok() || weights.empty()) return baton::broken<"damaged_model">("layer ", layer, " cannot be read");
      auto record = build.make_value(baton::view(baton::join("weights_", layer)), baton::tensor(baton::dtype::float32, outputs, size),
                                     baton::value_kind::constant);
      record.data = baton::program_builder::view(weights);  // weights are not copied
      value = build.call("tfl.fully_connected", {value, build.add_input(record)}, baton::tensor(baton::dtype::float32, 1, outputs),
                         {{"fused_activation_function", "relu"}});
      at += 1 + weights.size();
      size = outputs;
    }
    build.output(value);
    auto program = build.finish();
    if (auto why = baton::verify(program)) return why;
    return program;
  }
};
static_assert(baton::importer<chain_importer>);

// Two inputs; a layer of two: 1 2 and 3 4; a layer of one: 1 -1.
constexpr char file[] =
    "CHN1\2\2"
    "\2\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40"
    "\1\0\0\x80\xbf\0\0\x80\x3f";
constexpr auto model = baton::read_model<file, baton::importers<chain_importer>>;  // at compile time
baton::executor<model> net;

auto main() -> int {
  std::array<float, 1> y{};
  net.run(std::array{1.0f, 10.0f}, y);
  std::printf("%g\n", static_cast<double>(y[0]));

  const baton::span<const char> bytes{file, sizeof file - 1};
  for (const auto size : {bytes.size(), bytes.size() - 1, std::size_t{5}, std::size_t{3}}) {  // at run time errors are values
    const auto result = chain_importer::read(bytes.first(size));
    const auto text = result ? baton::join(result.value.nodes.size(), " nodes") : baton::message(result.error);
    std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
  }
}

// Output:
// 22
// 2 nodes
// baton damaged_model: a model file is truncated or damaged; download or export it again [layer 1 cannot be read]
// baton damaged_model: a model file is truncated or damaged; download or export it again [the header cannot be read]
// baton foreign_file: a file does not have the importer's format; check the path and the format [chains begin with CHN1]
