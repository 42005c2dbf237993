// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Supported nodes compile: on real models, and on graphs with damaged nodes.
#include "../../examples/npu/npu.hpp"

#include "graphs.hpp"
#include "laws/backend.hpp"
#include "properties/random.hpp"

#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
using namespace npu_example;
using namespace npu_graphs;

/// The parts fit the command memory of the npu for any first node.
using by_npu_support = baton::by_support<npu, npu_support, baton::partition_options{.max_nodes = max_instructions}>;

auto law_holds(const baton::exported_program& program) -> bool {
  return laws::backend::accepts_supported_nodes<npu, npu_support>(program, by_npu_support{}) &&
         laws::backend::accepts_parts<npu>(program, npu_partitioner{});
}

auto supported(const baton::program_view& program) -> std::size_t {
  const auto is_one = [&](const baton::node& record) { return npu_support::supports(program, record).accepted; };
  return static_cast<std::size_t>(std::ranges::count_if(program.nodes, is_one));
}

auto bytes_of(const fs::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
const fs::path digits = fs::path{BATON_EXAMPLES_DIR} / "digits" / "digits_int8.tflite";

/// Damages one property of a program: a size, a dtype, a quantization, an option, an operand, an operator, or data.
class damage {
 public:
  explicit damage(std::uint64_t seed) : random_(seed) {}

  void operator()(baton::exported_program& program) {
    auto& record = program.values[random_.below(program.values.size())];
    switch (random_.below(9)) {
      case 0:
        return set_integer(program.integers, {record.shape.first, record.shape.size}, 9, 0);
      case 1:
        record.type = static_cast<dtype>(random_.below(std::size_t{14}));
        return;
      case 2:
        return damage_quantization(program, record.quant);
      case 3:
        return damage_option(program);
      case 4:
        return remove_option(program);
      case 5:
        return damage_operand(program);
      case 6:
        return swap_operators(program);
      case 7:
        record.data = {};
        return;
      default:
        return set_integer(program.integers, {0, static_cast<std::uint32_t>(program.integers.size())}, 11, -3);
    }
  }

 private:
  void set_integer(baton::vector<std::int64_t>& integers, baton::range range, std::size_t below, std::int64_t min) {
    if (range.size != 0) integers[range.first + random_.below(range.size)] = static_cast<std::int64_t>(random_.below(below)) + min;
  }
  void damage_quantization(baton::exported_program& program, baton::quantization& quant) {
    if (random_.once_in(4)) {
      quant = {};
    } else if (random_.once_in(3)) {
      quant.axis = static_cast<std::int32_t>(random_.below(5));
    } else if (quant.scales.size != 0 && quant.scales.outside == nullptr) {
      const char edges[] = {'\0', '\x7f', '\xff', '\x80', '\x3f'};
      program.bytes[quant.scales.first + random_.below(quant.scales.size)] = edges[random_.below(5)];
    }
  }
  void damage_option(baton::exported_program& program) {
    auto& option = program.attributes[random_.below(program.attributes.size())];
    option.integer = static_cast<std::int64_t>(random_.below(7)) - 2;
  }
  void remove_option(baton::exported_program& program) {
    auto& options = program.nodes[random_.below(program.nodes.size())].attributes;
    if (options.size != 0) --options.size;
  }
  void damage_operand(baton::exported_program& program) {
    const auto& record = program.nodes[random_.below(program.nodes.size())];
    auto& operand = program.operands[record.inputs.first + random_.below(record.inputs.size)];
    const auto& inputs = program.graphs[0].inputs;
    operand = random_.once_in(2) ? baton::none<value_id> : program.operands[inputs.first + random_.below(inputs.size)];
  }
  void swap_operators(baton::exported_program& program) {
    auto& one = program.nodes[random_.below(program.nodes.size())];
    const auto& other = program.nodes[random_.below(program.nodes.size())];
    one.op = other.op;
    one.target = other.target;
  }

  properties::random_numbers random_;
};

/// Supports every operator of the table without a check of the node.
struct unchecked_support {
  static constexpr auto supports(const baton::program_view&, const baton::node& record) -> baton::verdict {
    if (record.is("tfl.softmax")) return baton::refuse("no softmax");
    return baton::accept();
  }
};

/// Small enough for a constant.
constexpr auto two_operators() -> baton::exported_program {
  network net;
  const auto image = tensor(dtype::int8, 1, 2, 2, 1);
  return net.finish({net.softmax(net.pool("tfl.max_pool_2d", net.conv(net.input("x", image), 1, image, 1), image, 1), image)});
}
static_assert(laws::backend::accepts_supported_nodes<npu, npu_support>(two_operators(), by_npu_support{}));

}  // namespace

TEST_CASE("npu law: supported nodes of the digits model compile") {
  const auto bytes = bytes_of(digits);
  const auto program = baton::tflite::read_bytes(bytes);
  CHECK(supported(program) == 6);
  CHECK(law_holds(program));
}

TEST_CASE("npu law: supported nodes of the shared models compile") {
  const std::string shared = BATON_SHARED_DIR;
  if (shared.empty()) {
    std::cout << "npu law: skipped, there is no folder ../shared with models\n";
    return;
  }
  std::size_t accepted = 0;
  for (const auto& entry : fs::directory_iterator(fs::path{shared} / "models")) {
    if (entry.path().extension() != ".tflite") continue;
    const auto bytes = bytes_of(entry.path());
    const auto program = baton::tflite::read_bytes(bytes);
    accepted += supported(program);
    CHECK_MESSAGE(law_holds(program), entry.path());
  }
  CHECK(accepted >= 100);
}

TEST_CASE("npu law: damaged nodes are rejected, or compile") {
  std::size_t whole = 0;
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    auto program = every_operator{}();
    damage hurt(seed);
    for (std::uint64_t i = 0; i < 1 + seed % 3; ++i) hurt(program);
    if (baton::verify(program)) continue;
    ++whole;
    accepted += supported(program);
    rejected += program.nodes.size() - supported(program);
    CHECK_MESSAGE(law_holds(program), "seed ", seed);
  }
  CHECK(whole > 1000);
  CHECK(accepted > 5000);
  CHECK(rejected > 1000);
}

TEST_CASE("npu law: a support that checks only operators violates the law") {
  std::size_t violations = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto program = every_operator{}();
    damage{seed}(program);
    if (baton::verify(program)) continue;
    violations += laws::backend::accepts_supported_nodes<npu, unchecked_support>(program, by_npu_support{}) ? 0u : 1u;
  }
  CHECK(violations > 30);
}
