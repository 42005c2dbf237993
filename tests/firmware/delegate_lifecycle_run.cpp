// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lifecycle of a delegate on a Cortex-M4: options, init, processed bytes that a loader provides and releases, execute, destroy; without
// heap and exceptions.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "cortex_m/semihosting.hpp"

namespace {

int inits = 0;
int releases = 0;
int destroys = 0;

struct scaler {
  static constexpr auto id = baton::name<"Scaler">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result{"\x02"};
  }
  struct options {
    int offset = 0;
  };
  struct state {
    const baton::processed_bytes* factor = nullptr;
  };
  static auto init(const baton::init_context<options>& context, state& self) -> baton::status {
    self.factor = &context.processed_bytes;
    ++inits;
    return context.method == "forward" ? baton::status::ok : baton::status::internal;
  }
  static auto execute(const baton::execution_context<options>& context, const state& self) -> baton::status {
    for (std::size_t i = 0; i < context.outputs[0].size(); ++i) {
      context.outputs[0][i] = static_cast<char>(context.inputs[0][i] * self.factor->bytes()[0] + context.options.offset);
    }
    return baton::status::ok;
  }
  static void destroy(state&) { ++destroys; }
};

struct flash {
  static auto load(const baton::processed_bytes::request& request) -> baton::status_or<baton::processed_bytes::loaded> {
    static constexpr char factor[] = {3};
    if (request.backend_id != "Scaler") return baton::status::not_found;
    alignas(16) static char bytes[sizeof factor] = {factor[0]};
    return baton::processed_bytes::loaded{bytes, [](void*, baton::span<const char>) { ++releases; }};
  }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 2));
  build.output(build.call("test.scale", {x}, baton::tensor(baton::dtype::int8, 2)));
  return build.finish();
}};
constexpr auto lowered =
    baton::to_backend(baton::backends<scaler>, model, baton::by_support<scaler, baton::operator_names<"test.scale">>{});

}  // namespace

int main() {
  signed char y[2] = {};
  baton::status code = baton::status::internal;
  {
    baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>, baton::plan_options{}, flash> net{
        baton::with_options<scaler>({.offset = 1})};
    const signed char x[2] = {4, 5};
    code = net.run(x, y);
  }
  const bool good = code == baton::status::ok && y[0] == 13 && y[1] == 16 && inits == 1 && releases == 1 && destroys == 1;
  firmware::print("a delegate's life on Cortex-M4: ", good ? "as on the host\n" : "NOT as on the host\n");
  return good ? 0 : 1;
}
