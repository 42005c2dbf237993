// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/lowered_module.hpp>
#include <baton/core/config.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace {

using namespace baton;

/// Makes a blob of so many bytes.
template <std::size_t Bytes>
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result made;
    made.processed_bytes.resize(Bytes, 'x');
    return made;
  }
};
using tagging = tags::partitioner<tags::part<"t", "Npu", "sin">>;
constexpr static_program sine{conformance::make<conformance::g_sin>{}};

// The largest blob that the rule lets pass is one that the compiler takes with its default limits.
constexpr auto lowered = to_backend(backends<npu<constant_blob_bytes>>, sine, tagging{});
static_assert(delegates(lowered)[0].processed_bytes().size() == constant_blob_bytes);

}  // namespace

TEST_CASE("a blob is as large as it likes at run time") {
  const auto made = to_backend(backends<npu<5'000'000>>, conformance::g_sin(), tagging{});
  CHECK(delegates(made)[0].processed_bytes().size() == 5'000'000);
  CHECK(delegates(lowered)[0].processed_bytes().size() == constant_blob_bytes);
}
