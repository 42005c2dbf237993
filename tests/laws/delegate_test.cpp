// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of backends that run can be broken: a backend breaks each law, and another keeps all of them.
#include "laws/delegate.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "run/fused_backend.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
namespace law = laws::delegate;

auto sum_of_eight() -> exported_program {
  constexpr auto eight = tensor(dtype::int8, 8);
  program_builder build;
  build.output(build.call("test.add", {build.user_input("x", eight), build.user_input("y", eight)}, eight));
  return build.finish();
}

/// Adds through scratch.
struct lawful {
  static constexpr auto id = name<"Lawful">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed{"bytes"};
    processed.scratch_bytes = 8;
    return processed;
  }
  static void execute(const delegate_call& call) {
    for (std::size_t i = 0; i < 8; ++i) call.scratch[i] = static_cast<char>(call.inputs[0][i] + call.inputs[1][i]);
    std::copy(call.scratch.begin(), call.scratch.end(), call.outputs[0].begin());
  }
};
struct a_byte_too_far : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    call.outputs[0].data()[8] = 0;
  }
};
struct beyond_its_scratch : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    call.scratch.data()[8] = 0;
  }
};
struct writes_an_argument : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    const_cast<char*>(call.inputs[1].data())[7] ^= 1;
  }
};
struct writes_its_processed_bytes : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    const_cast<char*>(call.processed_bytes.data())[0] ^= 1;
  }
};
struct skips_the_last_byte : lawful {
  static void execute(const delegate_call& call) {
    const char previous = call.outputs[0][7];
    lawful::execute(call);
    call.outputs[0][7] = previous;
  }
};
struct adds_to_the_previous_output : lawful {
  static void execute(const delegate_call& call) {
    const char previous = call.outputs[0][0];
    lawful::execute(call);
    call.outputs[0][0] = static_cast<char>(call.outputs[0][0] + previous);
  }
};
struct reads_scratch_first : lawful {
  static void execute(const delegate_call& call) {
    const char previous = call.scratch[5];
    lawful::execute(call);
    call.outputs[0][5] = static_cast<char>(call.outputs[0][5] + previous);
  }
};
struct reads_beyond_an_argument : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    call.outputs[0][0] ^= call.inputs[0].data()[8];
  }
};
struct one_number_off : lawful {
  static void execute(const delegate_call& call) {
    lawful::execute(call);
    call.outputs[0][3] ^= 1;
  }
};

/// Reads its processed bytes and its named data in `init`, and checks them in `execute`, which fails unless `Succeeds`.
template <bool Succeeds>
struct with_lifecycle {
  static constexpr auto id = name<"WithALife">;
  struct options {
    int times = 1;
  };
  struct state {
    char first = 0;
    span<const char> named;
  };
  static inline int live_states = 0;

  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed{"bytes"};
    if (auto why = processed.named_data.add("key", std::string_view{"named"})) return why;
    return processed;
  }
  static auto init(init_context<options>& context, state& self) -> status {
    const auto named = context.named_data.find("key");
    if (!named) return named.code;
    self = {context.processed_bytes.bytes()[0], named.value};
    ++live_states;
    return status::ok;
  }
  static auto execute(const execution_context<options>& call, state& self) -> status {
    if (self.first != 'b' || self.named.size() != 5 || call.options.times != 1) return status::invalid_state;
    for (std::size_t i = 0; i < 8; ++i) call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.inputs[1][i]);
    return Succeeds ? status::ok : status::internal;
  }
  static void destroy(state&) { --live_states; }
};

/// Keeps the address of its processed bytes from `init` to `execute`. If it `Releases` them in `init`, `execute` finds no bytes.
template <bool Releases>
struct with_processed_bytes {
  static constexpr auto id = name<"WithProcessedBytes">;
  struct state {
    const processed_bytes* kept = nullptr;
  };

  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"bytes"};
  }
  static void init(init_context<>& context, state& self) {
    self.kept = &context.processed_bytes;
    if (Releases) context.processed_bytes.release();
  }
  static auto execute(const execution_context<>& call, state& self) -> status {
    if (call.processed_bytes.size() != 5 || self.kept->bytes().size() != 5) return status::invalid_state;
    for (std::size_t i = 0; i < 8; ++i) call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.inputs[1][i]);
    return status::ok;
  }
};

const vector<law::bytes> arguments{{1, 2, 3, 4, 5, 6, 7, 8}, {10, 20, 30, 40, 50, 60, 70, 80}};
const law::bytes sums{11, 22, 33, 44, 55, 66, 77, 88};

/// Compiled for their parts. The maximum of x + y and y is the sum, because all arguments are positive.
struct a_byte_too_far_for_its_part : fused_backend::fused {
  template <class Call>
  static void execute(const Call& call) {
    fused::execute(call);
    call.template output<0>().data()[Call::output_bytes(0)] = 0;
  }
};
constexpr static_program sum_or_y{[] { return fused_backend::sum_or_y<8>(); }};
constexpr auto fused_part = to_backend(backends<fused_backend::fused>, name<"Fused">, sum_or_y);
constexpr auto careless_part = to_backend(backends<a_byte_too_far_for_its_part>, name<"Fused">, sum_or_y);

template <class Model>
auto part_of() -> law::trial<Model> {
  return law::trial<Model>{sum_of_eight()};
}

}  // namespace

TEST_CASE("a correct backend obeys the laws") {
  auto part = part_of<lawful>();
  REQUIRE(part);
  CHECK(law::all(part, arguments));
  CHECK(law::is_correct(part, arguments, sums));
}

TEST_CASE("the laws hold for a correct backend that is compiled for its part, and not for an incorrect one") {
  law::trial<fused_backend::fused, std::remove_const_t<decltype(fused_part)>> part;
  REQUIRE(part);
  CHECK(law::all(part, arguments));
  CHECK(law::is_correct(part, arguments, sums));
  law::trial<a_byte_too_far_for_its_part, std::remove_const_t<decltype(careless_part)>> far;
  REQUIRE(far);
  CHECK_FALSE(law::writes_only_outputs(far, arguments));
  CHECK(law::is_correct(far, arguments, sums));
}

TEST_CASE("a backend with options, a state, init, destroy and a status obeys the laws") {
  auto part = part_of<with_lifecycle<true>>();
  REQUIRE(part);
  CHECK(law::all(part, arguments));
  CHECK(law::is_correct(part, arguments, sums));
  CHECK(with_lifecycle<true>::live_states == 0);
  auto failing = part_of<with_lifecycle<false>>();
  CHECK_FALSE(law::succeeds(failing, arguments));
  CHECK_FALSE(law::all(failing, arguments));
}

TEST_CASE("processed bytes are valid from init to destroy, unless they are released") {
  auto part = part_of<with_processed_bytes<false>>();
  CHECK(law::all(part, arguments));
  CHECK(law::is_correct(part, arguments, sums));
  auto released = part_of<with_processed_bytes<true>>();
  CHECK_FALSE(law::succeeds(released, arguments));
}

TEST_CASE("forbidden writes of a backend are detected") {
  auto far = part_of<a_byte_too_far>();
  CHECK_FALSE(law::writes_only_outputs(far, arguments));
  auto scratch = part_of<beyond_its_scratch>();
  CHECK_FALSE(law::writes_only_outputs(scratch, arguments));
  auto argument = part_of<writes_an_argument>();
  CHECK_FALSE(law::writes_only_outputs(argument, arguments));
  auto processed_bytes = part_of<writes_its_processed_bytes>();
  CHECK_FALSE(law::writes_only_outputs(processed_bytes, arguments));
}

TEST_CASE("missing writes of a backend are detected") {
  auto skips = part_of<skips_the_last_byte>();
  CHECK_FALSE(law::writes_all_outputs(skips, arguments));
  auto adds = part_of<adds_to_the_previous_output>();
  CHECK_FALSE(law::writes_all_outputs(adds, arguments));
}

TEST_CASE("forbidden reads of a backend are detected") {
  auto scratch = part_of<reads_scratch_first>();
  CHECK_FALSE(law::reads_only_arguments(scratch, arguments));
  auto beyond = part_of<reads_beyond_an_argument>();
  CHECK_FALSE(law::reads_only_arguments(beyond, arguments));
}

TEST_CASE("wrong numbers are detected") {
  auto off = part_of<one_number_off>();
  CHECK_FALSE(law::is_correct(off, arguments, sums));
}
