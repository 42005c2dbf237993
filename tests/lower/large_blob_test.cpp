// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Blobs that are too large for one constant of a compiler by default: they are made in several, and lie in the image in one piece.
#include <baton/backend/lowered_module.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace {

using namespace baton;

constexpr std::size_t many = 200'000;

/// Makes a blob of so many bytes, marked where pieces of it meet, and at its end. Executed, it says of how many it found the marks.
template <std::size_t Bytes>
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr std::size_t border = Bytes > bytes_per_constant ? bytes_per_constant : Bytes / 2;

  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result made;
    made.processed_bytes.resize(Bytes, 'x');
    made.processed_bytes[border - 1] = 'a';
    made.processed_bytes[border] = 'b';
    made.processed_bytes[Bytes - 1] = 'c';
    return made;
  }
  static void execute(const delegate_call& call) {
    std::size_t plain = 0;
    for (const char byte : call.blob) plain += byte == 'x' ? 1 : 0;
    const bool is_valid = plain == Bytes - 3 && call.blob[border - 1] == 'a' && call.blob[border] == 'b' && call.blob[Bytes - 1] == 'c';
    const auto found = is_valid ? static_cast<float>(call.blob.size()) : 0.0F;
    std::memcpy(call.outputs[0].data(), &found, sizeof found);
  }
};
using tagging = tags::partitioner<tags::part<"t", "Npu", "sin">>;
constexpr static_program sine{conformance::make<conformance::g_sin>{}};

constexpr auto lowered = to_backend(backends<npu<many>>, sine, tagging{});
static_assert(delegates(lowered)[0].processed_bytes().size() == many);
static_assert(delegates(lowered)[0].processed_bytes()[bytes_per_constant - 1] == 'a');
static_assert(delegates(lowered)[0].processed_bytes()[bytes_per_constant] == 'b');
static_assert(delegates(lowered)[0].processed_bytes()[many - 1] == 'c');

}  // namespace

TEST_CASE("a blob is as large as it likes at run time") {
  const auto made = to_backend(backends<npu<5'000'000>>, conformance::g_sin(), tagging{});
  CHECK(delegates(made)[0].processed_bytes().size() == 5'000'000);
}

TEST_CASE("a blob that was made in several constants lies in one piece where execute finds it") {
  basic_executor<lowered, kernels<>> net;
  std::array<float, 1> found{};
  net.run(std::array<float, 1>{1}, found);
  CHECK(found[0] == static_cast<float>(many));
}
