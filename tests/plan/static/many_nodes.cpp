// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor of 800 nodes compiles within the default limits of every compiler.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>

namespace {

using namespace baton;

struct chain {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto type = tensor(dtype::float32, 1, 4);
    auto x = b.user_input("x", type);
    for (int i = 0; i < 800; ++i) x = b.call(i % 2 == 0 ? "tfl.neg" : "tfl.abs", {x}, type);
    b.output(x);
    return b.finish();
  }
};
constexpr static_program longest_chain{chain{}};
static_assert(executor<longest_chain>::arena_bytes == 32);

}  // namespace
