// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged ONNX models, derived from real ones: each one is imported or rejected with a message, under sanitizers. BATON_FUZZ_ITERATIONS is
// the number of mutations of each model, 300 by default; the same number produces the same mutations on every machine.
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/onnx.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include "fuzz/mutated_protobuf.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

auto memory_of(const baton::exported_program& program) -> std::size_t {
  std::size_t bytes = 0;
  baton::for_each_pool([&](const auto& pool) { bytes += pool.capacity() * sizeof(*pool.data()); }, program);
  return bytes;
}

auto mutation_count() -> std::size_t {
  const char* set = std::getenv("BATON_FUZZ_ITERATIONS");
  return set == nullptr ? 300 : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
}

void mutate_model(const fs::path& folder) {
  const auto original = fuzz::bytes_of(folder / "model.onnx");
  REQUIRE(!original.empty());
  std::deque<std::string> names;
  std::deque<baton::vector<char>> contents;
  std::vector<baton::onnx::read_options::file> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name != "weights.bin" && !name.ends_with(".weight")) continue;
    names.push_back(name);
    contents.push_back(fuzz::bytes_of(entry.path()));
    files.push_back({names.back(), contents.back()});
  }
  fuzz::mutated_protobuf model(original, baton::hash_of(folder.filename().string()));
  const auto mutations = mutation_count();
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const auto bytes = model.next();
    const auto result = baton::onnx::try_read_bytes(bytes, {.files = files});
    CHECK(memory_of(result.value) <= 64 * bytes.size() + 65536);
    if (result) {
      CHECK(!baton::verify(result.value));
      static_cast<void>(baton::check_inference(result.value));
      ++imported;
    } else {
      CHECK(!baton::message(result.error).empty());
      CHECK(result.value.graphs.empty());
    }
  }
  std::cout << folder.filename().string() << ": " << mutations << " mutations, " << imported << " imported, " << mutations - imported
            << " refused\n";
}

}  // namespace

TEST_CASE("mutations of the shared ONNX models are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& entry : fs::directory_iterator(fs::path(BATON_SHARED_DIR) / "formats")) {
    if (!entry.path().filename().string().starts_with("onnx_")) continue;
    CAPTURE(entry.path().string());
    mutate_model(entry.path());
  }
}
