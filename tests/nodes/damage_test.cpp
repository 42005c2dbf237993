// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Every one-node model that the reference computes, with every damage of damage.hpp: rejected by `verify`, rejected by the kernels with a
// reason, or computed under sanitizers. BATON_DAMAGE_STRIDE=1 tests every damage, the default every seventh.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/signal_kernels.hpp>
#include <baton/operators/verify.hpp>

#include "nodes/check_family.hpp"
#include "nodes/damage.hpp"
#include "nodes/interpreter.hpp"
#include "nodes/work.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

struct outcomes {
  std::size_t not_verified = 0;
  std::size_t rejected = 0;
  std::size_t computed = 0;
  std::size_t too_expensive = 0;
};

/// Returns pseudo-random bytes for all inputs.
auto some_input(const baton::program_view& program) -> nodes::bytes {
  nodes::bytes input(nodes::input_bytes_of(program));
  std::uint32_t number = 1;
  for (auto& byte : input) {
    number = number * 1664525u + 1013904223u;
    byte = static_cast<char>(number >> 24);
  }
  return input;
}

/// True if kernels support all nodes. If not, checks that they return a reason. States without a size, which no node may read, are rejected
/// by planning.
auto is_supported(const baton::program_view& program) -> bool {
  for (const auto id : program.inputs(program.root())) {
    if (baton::byte_count(program[id].type, program.shape(id)) < 0) return false;
  }
  for (const auto& record : program.nodes) {
    const auto chosen = baton::choose_kernel(kernels, program, record);
    if (chosen.support) continue;
    CHECK(!chosen.support.reason.empty());
    CHECK(!std::string_view(baton::view(chosen.support.reason)).starts_with("no kernel in the list"));
    return false;
  }
  return true;
}

void try_out(const baton::program_view& program, outcomes& of) {
  if (const auto why = baton::verify(program)) {
    CHECK(!baton::message(why).empty());
    ++of.not_verified;
  } else if (!is_supported(program)) {
    ++of.rejected;
  } else if (nodes::work_of(program) > 200'000) {
    ++of.too_expensive;
  } else {
    nodes::bytes output;
    static_cast<void>(nodes::interpreter(program).run(kernels, some_input(program), output));
    ++of.computed;
  }
}

}  // namespace

TEST_CASE("a damaged node is rejected with a reason, or computed") {
  const char* set = std::getenv("BATON_DAMAGE_STRIDE");
  const auto stride = set == nullptr ? std::size_t{7} : std::max<std::size_t>(1, std::strtoull(set, nullptr, 10));
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BATON_NODES_DIR)) {
    if (entry.path().extension() == ".tflite") models.push_back(entry.path());
  }
  std::ranges::sort(models);
  std::map<std::string, outcomes, std::less<>> kinds;
  std::size_t count = 0;
  for (const auto& path : models) {
    const auto model = nodes::file(path);
    const auto program = baton::tflite::read_bytes(model);
    const auto name = path.stem().string();
    CAPTURE(name);
    nodes::damager(program).for_each([&](std::string_view kind, const baton::program_view& damaged) {
      CAPTURE(kind);
      CAPTURE(count);
      if (count++ % stride == 0) try_out(damaged, kinds[std::string(kind)]);
    });
  }
  for (const auto& [kind, of] : kinds) {
    std::cout << kind << ": " << of.not_verified << " not well-formed, " << of.rejected << " refused, " << of.computed << " computed, "
              << of.too_expensive << " would have run too long\n";
    CHECK(of.not_verified + of.rejected > 0);
  }
  CHECK(kinds.size() >= 9);
}
