// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend with options, state for each delegate, initialization with `init`, and failures.
#include <baton/baton.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

struct amplifier {
  static constexpr auto id = baton::name<"Amplifier">;
  struct options {  // the user of the executor may set them before and between runs
    int gain = 1;
  };
  struct state {  // of each delegate, from init to destroy; stored in the executor
    int calls = 0;
    int max_calls = 0;
  };
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result{"\3"};  // the maximum number of calls
  }
  static auto init(const baton::init_context<options>& context, state& own) -> baton::status {
    own.max_calls = context.processed_bytes.bytes()[0];
    std::printf("init with gain %d\n", context.options.gain);
    return context.options.gain > 0 ? baton::status::ok : baton::status::invalid_argument;
  }
  static auto execute(const baton::execution_context<options>& call, state& own) -> baton::status {
    if (++own.calls > own.max_calls) return baton::status::invalid_state;
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) {
      call.outputs[0][i] = static_cast<char>(call.options.gain * call.inputs[0][i]);
    }
    return baton::status::ok;
  }
  static void destroy(state& own) { std::printf("destroy after %d calls\n", own.calls); }
};

constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::int8, 2);
  baton::program_builder build;
  build.output(build.call("my_company.amplify", {build.user_input("x", two)}, two));
  return build.finish();
}};
constexpr auto lowered =
    baton::to_backend(baton::backends<amplifier>, model, baton::by_support<amplifier, baton::operator_names<"my_company.amplify">>{});

auto main() -> int {
  baton::executor<lowered> net{baton::with_options<amplifier>({.gain = 2})};
  if (net.init() != baton::status::ok) return 1;  // optional: the first run would do it
  std::array<std::int8_t, 2> y{};
  while (net.run(std::array<std::int8_t, 2>{3, 4}, y) == baton::status::ok) {
    std::printf("%d %d\n", y[0], y[1]);
    net.options<amplifier>().gain += 1;
  }
  const auto sentence = baton::message(baton::explain(lowered, net.last_failure()));
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

// Output:
// init with gain 2
// 6 8
// 9 12
// 12 16
// destroy after 4 calls
