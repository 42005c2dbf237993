// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Processed bytes that are larger than one constant expression may compute by default. They are computed in several constants, and stored
// in one piece.
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

constexpr std::size_t large = 200'000;

/// A backend with `Bytes` processed bytes. They have marks at the boundary between their pieces, and at their end. `execute` outputs their
/// size if it finds the marks, else 0.
template <std::size_t Bytes>
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr std::size_t boundary = Bytes > bytes_per_constant ? bytes_per_constant : Bytes / 2;

  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    processed.processed_bytes.resize(Bytes, 'x');
    processed.processed_bytes[boundary - 1] = 'a';
    processed.processed_bytes[boundary] = 'b';
    processed.processed_bytes[Bytes - 1] = 'c';
    return processed;
  }
  static void execute(const delegate_call& call) {
    std::size_t plain = 0;
    for (const char byte : call.processed_bytes) plain += byte == 'x' ? 1 : 0;
    const bool is_valid = plain == Bytes - 3 && call.processed_bytes[boundary - 1] == 'a' && call.processed_bytes[boundary] == 'b' &&
                          call.processed_bytes[Bytes - 1] == 'c';
    const auto confirmed_size = is_valid ? static_cast<float>(call.processed_bytes.size()) : 0.0F;
    std::memcpy(call.outputs[0].data(), &confirmed_size, sizeof confirmed_size);
  }
};
using tagging = tags::partitioner<tags::part<"t", "Npu", "sin">>;
constexpr static_program sine{conformance::make<conformance::g_sin>{}};

constexpr auto lowered = to_backend(backends<npu<large>>, sine, tagging{});
static_assert(delegates(lowered)[0].processed_bytes().size() == large);
static_assert(delegates(lowered)[0].processed_bytes()[bytes_per_constant - 1] == 'a');
static_assert(delegates(lowered)[0].processed_bytes()[bytes_per_constant] == 'b');
static_assert(delegates(lowered)[0].processed_bytes()[large - 1] == 'c');

}  // namespace

TEST_CASE("processed bytes have any size at run time") {
  const auto large_program = to_backend(backends<npu<5'000'000>>, conformance::g_sin(), tagging{});
  CHECK(delegates(large_program)[0].processed_bytes().size() == 5'000'000);
}

TEST_CASE("processed bytes that several constants compute are contiguous for execute") {
  basic_executor<lowered, kernels<>> net;
  std::array<float, 1> output{};
  net.run(std::array<float, 1>{1}, output);
  CHECK(output[0] == static_cast<float>(large));
}
