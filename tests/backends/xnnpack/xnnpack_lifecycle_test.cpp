// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A delegate of XNNPACK from `init` to `destroy`: in an executor, compared with direct calls of the library, and with errors.
#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/core/static_program.hpp>
#include <baton/executor.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/run/run_failure.hpp>

#include "../../npu/graphs.hpp"
#include "delegates.hpp"
#include "reference_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::run_failure;
using baton::status;
using delegates::bytes;

constexpr baton::static_program model{npu_graphs::every_operator{}};
constexpr auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, model, baton::xnnpack::partitioner{});
static_assert(baton::fully_delegated(lowered));
using net_type = baton::executor<lowered>;

auto input(std::uint32_t seed) -> std::array<char, 144> {
  std::array<char, 144> result{};
  for (auto& byte : result) byte = static_cast<char>(one_layer::next_random(seed) >> 24);
  return result;
}
auto output_of(net_type& net, const std::array<char, 144>& in) -> std::array<char, 10> {
  std::array<char, 10> out{};
  CHECK(net.run(in, out) == status::ok);
  return out;
}

/// Loads processed bytes that a test has changed. Their checksum is valid.
struct changed_processed_bytes {
  static inline bytes processed_bytes;
  static auto load(const baton::processed_bytes::request&) -> baton::status_or<baton::processed_bytes::loaded> {
    return baton::processed_bytes::loaded{{processed_bytes.data(), processed_bytes.size()}, nullptr, nullptr};
  }
};
auto whole() -> bytes {
  const auto processed_bytes = baton::delegates(lowered)[0].processed_bytes();
  return {processed_bytes.begin(), processed_bytes.end()};
}
void sign(bytes& processed_bytes) {
  const auto sum = baton::xnnpack::detail::checksum_of({processed_bytes.data(), processed_bytes.size()});
  for (std::size_t i = 0; i < 4; ++i) processed_bytes[8 + i] = static_cast<char>(sum >> 8 * i & 255u);
}
/// Returns the offset of an operator in the processed bytes.
auto offset_of(const bytes& processed_bytes, std::uint32_t number) -> std::size_t {
  baton::xnnpack::detail::processed_reader read({processed_bytes.data(), processed_bytes.size()});
  for (std::uint32_t v = 0; v < read.begin().values; ++v) read.next_value();
  for (std::uint32_t o = 0; o < number; ++o) read.next_operator();
  return read.position();
}
/// Returns the message of an executor whose delegate fails to initialize with these processed bytes.
auto sentence_of(const bytes& processed_bytes, status expected) -> std::string {
  changed_processed_bytes::processed_bytes = processed_bytes;
  baton::executor<lowered, changed_processed_bytes> net;
  std::array<char, 144> in{};
  std::array<char, 10> out{};
  out.fill('\x5a');
  CHECK(net.run(in, out) == expected);
  CHECK(std::ranges::count(out, '\x5a') == 10);  // nothing is executed
  CHECK(net.last_failure().step == run_failure::lifecycle_step::init);
  const auto text = baton::message(explain(lowered, net.last_failure()));
  return {text.begin(), text.end()};
}
auto says(const std::string& text, const std::string& words) -> bool { return text.find(words) != std::string::npos; }

auto make_delegate() -> baton::exported_program {
  return baton::to_backend(baton::backends<baton::xnnpack::backend>, npu_graphs::every_operator{}(), baton::xnnpack::partitioner{});
}

}  // namespace

TEST_CASE("xnnpack: processed bytes are equal at compile time and at run time, and outputs equal those of direct calls") {
  const auto here = make_delegate();
  CHECK(baton::delegates(here)[0].processed_bytes() == baton::delegates(lowered)[0].processed_bytes());
  reference_graph::graph graph{model};
  REQUIRE(graph.is_valid());
  net_type net;
  std::array<char, 10> earlier{};
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    auto in = input(seed);
    std::array<char, 144 + XNN_EXTRA_BYTES> padded{};
    std::ranges::copy(in, padded.begin());
    std::array<char, 10> expected{};
    graph.run(padded.data(), expected.data());
    const auto output = output_of(net, in);
    CHECK(output == expected);
    CHECK(output != earlier);
    earlier = output;
  }
}

TEST_CASE("xnnpack: threads do not change the outputs") {
  net_type one;
  net_type four{baton::with_options<baton::xnnpack::backend>({.threads = 4})};
  for (std::uint32_t seed = 1; seed < 9; ++seed) CHECK(output_of(one, input(seed)) == output_of(four, input(seed)));
}

TEST_CASE("xnnpack: a delegate is initialized once, and the library is notified of moved arguments") {
  const auto program = make_delegate();
  delegates::delegate own{program, baton::delegate_id{0}};
  REQUIRE(own.init() == status::ok);
  const auto* const runtime = own.state().runtime;
  const auto in = input(3);
  const std::vector<bytes> inputs{{in.begin(), in.end()}};
  std::vector<bytes> first{bytes(10)};
  std::vector<bytes> second{bytes(10)};
  CHECK(own.run(inputs, first) == status::ok);
  CHECK(own.run(inputs, second) == status::ok);
  CHECK(first == second);
  CHECK(own.state().runtime == runtime);
  net_type net;
  const auto expected = output_of(net, in);
  CHECK(std::ranges::equal(first[0], expected));
}

TEST_CASE("xnnpack: incompatible or damaged processed bytes are reported with backend, delegate and node") {
  auto other = whole();
  other[4] = 2;
  CHECK(says(sentence_of(other, status::delegate_invalid_compatibility), "delegate_invalid_compatibility, delegate lowered_module_0"));
  auto damaged = whole();
  damaged[damaged.size() / 2] ^= 1;
  const auto text = sentence_of(damaged, status::invalid_program);
  CHECK(says(text, "baton failed_init: "));
  CHECK(says(text, "XNNPACK"));
  CHECK(says(text, "[node: executorch_call_delegate]"));
  CHECK(says(text, "invalid_program, delegate lowered_module_0"));
}

TEST_CASE("xnnpack: an operator that the library rejects is named, in its definition or in its creation") {
  auto processed_bytes = whole();
  const auto pool = offset_of(processed_bytes, 4) + 4 * 5 + 4;  // after kind, flags, bounds, result and the operand: padding and window
  processed_bytes[pool + 4 * 4] = processed_bytes[pool + 4 * 5] = 0;  // a window of no rows and columns
  sign(processed_bytes);
  CHECK(says(sentence_of(processed_bytes, status::invalid_argument), "operation 4 of node tfl_max_pool_2d, operator tfl.max_pool_2d"));

  auto far = whole();
  baton::xnnpack::detail::processed_reader read({far.data(), far.size()});
  std::uint32_t spread = 0;
  for (std::uint32_t v = 0; v < read.begin().values; ++v) read.next_value();
  for (std::uint32_t o = 0; o < 2; ++o) spread = read.next_operator().to;
  baton::xnnpack::detail::processed_reader again({far.data(), far.size()});
  for (std::uint32_t v = 0; v < spread; ++v) again.next_value();
  far[again.position() + 8 + 3] = 0x5f;  // a scale of about 2^63, which is too far from the output scale of the next convolution
  sign(far);
  CHECK(says(sentence_of(far, status::operator_missing), "operation 2 of node tfl_conv_2d_1, operator tfl.conv_2d"));

  auto newer = whole();
  newer[offset_of(newer, 6)] = static_cast<char>(baton::xnnpack::detail::opcode::tanh);
  sign(newer);
  if (!baton::xnnpack::detail::installed_library.tanh)
    CHECK(says(sentence_of(newer, status::operator_missing), "operation 6 of node tfl_reshape, operator tfl.reshape"));
}

TEST_CASE("xnnpack: every operator for which the library creates no runtime is named") {
  constexpr std::uint32_t count = 9;
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::int8, 1, 2);
  auto last = build.user_input("x", type);
  build.quantize(last, 0.5f, 0);
  const auto filter = build.parameter("filter", baton::tensor(baton::dtype::int8, 2, 2), {"abcd", 4});
  build.quantize(filter, 0.5f, 0);
  for (std::uint32_t o = 0; o < count; ++o) {
    last = build.call("tfl.fully_connected", {last, filter, baton::none<baton::value_id>}, type, {{"fused_activation_function", "none"}});
    build.quantize(last, 0.5f, 0);
  }
  build.output(last);
  const auto program = baton::to_backend(baton::backends<baton::xnnpack::backend>, build.finish(), baton::xnnpack::partitioner{});
  for (std::uint32_t o = 0; o < count; ++o) {
    delegates::delegate own{program, baton::delegate_id{0}};
    baton::xnnpack::detail::processed_reader read({own.processed_bytes().data(), own.processed_bytes().size()});
    auto values = read;
    for (std::uint32_t v = 0; v < read.begin().values; ++v) read.next_value();
    for (std::uint32_t before = 0; before < o; ++before) read.next_operator();
    for (auto left = read.next_operator().to; left > 0; --left) values.next_value();
    own.processed_bytes()[values.position() + 8 + 3] =
        0x21;  // an output scale of about 2^-61, which is too small for the scale of the input
    sign(own.processed_bytes());
    CHECK(own.init() == status::operator_missing);
    CHECK(own.failed_operation == o);
  }
}

TEST_CASE("xnnpack: init fails if constants are missing, too short or misaligned") {
  const auto program = make_delegate();
  delegates::delegate none{program, baton::delegate_id{0}};
  none.named().clear();
  CHECK(none.init() == status::not_found);
  delegates::delegate few{program, baton::delegate_id{0}};
  few.named()[1].bytes = few.named()[1].bytes.first(3);
  CHECK(few.init() == status::invalid_external_data);
  delegates::delegate odd{program, baton::delegate_id{0}};
  bytes moved(4096);
  for (auto& one : odd.named()) {
    std::ranges::copy(one.bytes, moved.begin() + 1);
    one.bytes = {moved.data() + 1, one.bytes.size()};
  }
  CHECK(odd.init() == status::access_failed);
}

TEST_CASE("xnnpack: a call with missing, short or misaligned memory executes nothing") {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::float32, 8);
  build.output(build.call("tfl.abs", {build.user_input("x", type)}, type));
  const auto program = baton::to_backend(baton::backends<baton::xnnpack::backend>, build.finish(), baton::xnnpack::partitioner{});
  delegates::delegate own{program, baton::delegate_id{0}};
  REQUIRE(own.init() == status::ok);
  alignas(16) std::array<char, 64 + XNN_EXTRA_BYTES> in{};
  alignas(16) std::array<char, 64> out{};
  out.fill('\x5a');
  const auto call = [&](std::size_t from, std::size_t in_bytes, std::size_t to, std::size_t out_bytes) {
    const baton::span<const char> inputs[] = {{in.data() + from, in_bytes}};
    const baton::span<char> outputs[] = {{out.data() + to, out_bytes}};
    return own.execute({{}, inputs, outputs, {}});
  };
  CHECK(call(0, 31, 0, 32) == status::invalid_argument);
  CHECK(call(0, 32, 0, 31) == status::invalid_argument);
  CHECK(call(1, 32, 0, 32) == status::access_failed);
  CHECK(call(0, 32, 2, 32) == status::access_failed);
  CHECK(own.execute({{}, {}, {}, {}}) == status::invalid_argument);
  CHECK(std::ranges::count(out, '\x5a') == 64);
  CHECK(call(0, 32, 0, 32) == status::ok);
  CHECK(std::ranges::count(out, '\0') == 32);
  CHECK(call(0, 32, 32, 32) == status::ok);  // moved, so that the library is notified
  CHECK(std::ranges::count(out, '\0') == 64);
  in[32 + 2] = '\x80', in[32 + 3] = '\xbf';  // -1
  CHECK(call(32, 16 + 16, 32, 32) == status::ok);
  CHECK(out[32 + 3] == '\x3f');
}

TEST_CASE("xnnpack: operands that the library reads in place may be read some bytes past their end") {
  static_assert(baton::xnnpack::backend::overread_bytes == XNN_EXTRA_BYTES && net_type::arena_bytes >= XNN_EXTRA_BYTES + 144 + 10);
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::float32, 2);
  const auto one = build.constant("one", type, {"\0\0\x80\x3f\0\0\x80\x3f", 8});
  build.output(build.call("tfl.add", {build.user_input("x", type), one}, type, {{"fused_activation_function", "none"}}));
  const auto program = baton::to_backend(baton::backends<baton::xnnpack::backend>, build.finish(), baton::xnnpack::partitioner{});
  delegates::delegate own{program, baton::delegate_id{0}};
  REQUIRE(own.named().size() == 1);
  CHECK(own.named()[0].bytes.size() == 8 + XNN_EXTRA_BYTES);
  REQUIRE(own.init() == status::ok);
  std::vector<bytes> outputs{bytes(8)};
  CHECK(own.run({{0, 0, '\x80', '\x3f', 0, 0, 0, 0}}, outputs) == status::ok);
  CHECK(outputs[0] == bytes{0, 0, 0, 0x40, 0, 0, '\x80', '\x3f'});
}

TEST_CASE("xnnpack: the input of a layer is reshaped to rows") {
  baton::program_builder build;
  const auto out = baton::tensor(baton::dtype::float32, 3, 2);
  const auto in = build.user_input("x", baton::tensor(baton::dtype::float32, 3, 1, 2));
  const auto filter = build.constant("w", baton::tensor(baton::dtype::float32, 2, 2), {"0000000000000000", 16});
  build.output(build.call("tfl.fully_connected", {in, filter}, out));
  const auto processed = baton::xnnpack::backend::preprocess(build.finish(), {});
  REQUIRE(processed);
  const auto& processed_bytes = processed.value.processed_bytes;
  baton::xnnpack::detail::processed_reader read({processed_bytes.data(), processed_bytes.size()});
  for (std::uint32_t v = 0; v < read.begin().values; ++v) read.next_value();
  const auto code = read.next_operator();
  CHECK(code.op == baton::xnnpack::detail::opcode::reshape);
  CHECK(code.count == 2);
  CHECK(code.numbers[0] == 3);
  CHECK(code.numbers[1] == 2);
}

TEST_CASE("xnnpack: invalid parts are rejected with a reason") {
  const auto reason_of = [](const baton::exported_program& part) {
    const auto processed = baton::xnnpack::backend::preprocess(part, {});
    return processed ? std::string{} : std::string(baton::view(processed.error.reason));
  };
  const auto type = baton::tensor(baton::dtype::float32, 2);
  baton::program_builder passing;
  passing.output(passing.user_input("x", type));
  CHECK(reason_of(passing.finish()) == "result x is also an argument or another result; the results of an XNNPACK part must be distinct");
  baton::program_builder wide;
  for (int i = 0; i < 33; ++i) {
    wide.output(wide.call("tfl.abs", {wide.user_input(baton::view(baton::join("x", i)), type)}, type));
  }
  CHECK(reason_of(wide.finish()) == "a part for XNNPACK must have at most 64 arguments and results; this part has 66");
  baton::program_builder deep;
  const auto seven_dimensions = baton::tensor(baton::dtype::float32, 1, 1, 1, 1, 1, 1, 2);
  deep.output(deep.call("tfl.abs", {deep.user_input("x", seven_dimensions)}, seven_dimensions));
  CHECK(reason_of(deep.finish()) == "x has more than six dimensions");
  baton::program_builder other;
  other.output(other.call("tfl.sin", {other.user_input("x", type)}, type));
  CHECK(reason_of(other.finish()) == "no translation of tfl.sin");
  baton::program_builder keeping;
  const auto kept = keeping.mutable_buffer("s", type, "00000000");
  const auto next = keeping.call("tfl.add", {kept, keeping.user_input("x", type)}, type);
  keeping.mutation(next, "s");
  keeping.output(next);
  CHECK(reason_of(keeping.finish()) == "XNNPACK does not support states, but the part owns one");
  baton::program_builder reading;
  const auto state = reading.mutable_buffer("s", type, "00000000");
  reading.output(reading.call("tfl.add", {state, reading.user_input("x", type)}, type));
  CHECK(reason_of(reading.finish()) == "XNNPACK does not support states, but the part owns one");
}
