// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The accesses of each command, and invalid payloads and streams.
#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backend/words.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/payload.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include "backends/ethos_u/stream_builders.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using namespace ethos_u_tests;
using ethos_u::access;

/// Returns the accesses of a stream, one line each, like `input 1:0-16`, followed by the error if there is one.
constexpr auto accesses_of(const stream& commands) -> text_buffer {
  constexpr std::string_view names[] = {"input", "second", "output", "weights", "scales", "from", "to"};
  text_buffer text;
  const auto fault = ethos_u::for_each_access(commands.bytes(), [&](const access& each) {
    append(text, names[static_cast<std::size_t>(each.kind)]);
    append(text, view(join(" ", each.region, ":", each.first, "-", each.end, "\n")));
    return true;
  });
  append(text, fault);
  return text;
}
constexpr auto has_accesses(const stream& commands, std::string_view expected) -> bool { return view(accesses_of(commands)) == expected; }

/// Returns a convolution with an output of 8 by 6 pixels, 16 input channels, and a kernel of three rows and two columns. It reads 10 - 2
/// rows and 7 - 1 columns.
constexpr auto convolution() -> stream {
  stream result;
  result.map(0x100, 1, 256, 8, 6, 16, 96, 16).set(0x104, 15).set(0x105, 1);
  result.set(0x100, 1).set(0x103, 1).set(0x101, 0).set(0x102, 1).set(0x107, 0);
  result.map(0x110, 2, 1024, 8, 6, 24, 144, 16).set(0x111, 5).set(0x112, 7).set(0x113, 23).set(0x114, 1);
  result.set(0x120, 1).set(0x121, 2).set(0x122, 0);
  result.set(0x128, 0).set_long(0x20, 512).set_long(0x21, 320).set(0x129, 0).set_long(0x22, 0).set_long(0x23, 240);
  return result;
}

constexpr auto a_convolution_reads_weights_scales_and_its_unpadded_input() -> bool {
  return has_accesses(convolution().run(2).end(), "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n") &&
         has_accesses(convolution().run(3).end(), "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n") &&
         has_accesses(convolution().run(5).end(), "input 1:256-1024\noutput 2:1024-2176\n");
}
static_assert(a_convolution_reads_weights_scales_and_its_unpadded_input());

/// Strides 2 and 3 without padding read 14 + 3 rows and 15 + 2 columns. A stride of 4 has a separate bit.
constexpr auto strides_and_kernels_determine_the_input_range() -> bool {
  auto stepped = convolution();
  stepped.map(0x100, 1, 0, 17, 17, 16, 272, 16).set(0x100, 0).set(0x103, 0).set(0x102, 0);
  stepped.set(0x122, 2u | 1u << 6).run(5).end();
  auto wide = convolution();
  wide.map(0x100, 1, 0, 10, 22, 16, 352, 16).set(0x100, 0).set(0x103, 0).set(0x102, 0);
  wide.set(0x122, 1u | 1u << 6).run(5).end();
  return has_accesses(stepped, "input 1:0-4624\noutput 2:1024-2176\n") && has_accesses(wide, "input 1:0-3520\noutput 2:1024-2176\n");
}
static_assert(strides_and_kernels_determine_the_input_range());

constexpr auto an_upscaled_input_is_read_once() -> bool {
  auto result = convolution();
  result.map(0x100, 1, 0, 4, 3, 16, 48, 16).set(0x107, 1).run(5).end();
  return has_accesses(result, "input 1:0-192\noutput 2:1024-2176\n");
}
static_assert(an_upscaled_input_is_read_once());

/// 24 channels are two bricks; the second one is half full. 16-bit elements take twice the bytes.
constexpr auto bricks_and_elements_determine_the_size() -> bool {
  auto bricks = convolution();
  bricks.map(0x110, 1, 0, 8, 6, 24, 192, 96).set(0x114, 1u | 1u << 6).run(5).end();
  auto shorts = convolution();
  shorts.map(0x110, 1, 0, 8, 6, 48, 288, 32).set(0x114, 1u | 1u << 1).run(5).end();
  return has_accesses(bricks, "input 1:256-1024\noutput 1:0-1528\n") && has_accesses(shorts, "input 1:256-1024\noutput 1:0-2304\n");
}
static_assert(bricks_and_elements_determine_the_size());

/// The tiles are divided at column 4; the left tile has three rows, the right tile five.
constexpr auto tiles_start_at_their_bases() -> bool {
  auto result = convolution();
  result.map(0x110, 1, 0, 8, 6, 24, 144, 16).set(0x11a, 3).set(0x11b, 2).set(0x11c, 4);
  result.set_long(0x11, 4096).set_long(0x12, 8192).set_long(0x13, std::uint64_t{3} << 32).run(5).end();
  return has_accesses(result,
                      "input 1:256-1024\noutput 1:0-384\noutput 1:4096-4720\noutput 1:8192-8864\noutput 1:12884901888-12884902224\n");
}
static_assert(tiles_start_at_their_bases());

constexpr auto pairwise(std::uint32_t broadcast, std::uint32_t mode) -> stream {
  auto result = convolution();
  result.map(0x100, 1, 0, 8, 6, 24, 144, 16).set(0x104, 23);
  result.map(0x180, 1, 2048, 8, 6, 24, 144, 16).set(0x185, 1).set(0x180, broadcast);
  return result.run(6, mode).end();
}
constexpr auto broadcast_operands_are_read_once() -> bool {
  return has_accesses(pairwise(0, 1), "input 1:0-1152\nsecond 1:2048-3200\noutput 2:1024-2176\n") &&
         has_accesses(pairwise(3, 0), "input 1:0-1152\nsecond 1:2048-2072\noutput 2:1024-2176\n") &&
         has_accesses(pairwise(4, 2), "input 1:0-1152\nsecond 1:2048-3177\noutput 2:1024-2176\n") &&
         has_accesses(pairwise(0x80, 1), "input 1:0-1152\noutput 2:1024-2176\n") &&
         has_accesses(pairwise(0, 5), "input 1:0-1152\noutput 2:1024-2176\n") &&
         has_accesses(pairwise(0, 8), "input 1:0-1152\nsecond 1:2048-3200\noutput 2:1024-2176\n");
}
static_assert(broadcast_operands_are_read_once());

constexpr auto copy(std::uint32_t from, std::uint32_t to) -> stream {
  stream result;
  result.set(0x130, from).set_long(0x30, 160).set(0x131, to).set_long(0x31, (std::uint64_t{1} << 32) + 32).set_long(0x32, 48);
  return result.run(0x10).run(0x11).run(0x12).run(0x13).run(1).end();
}
constexpr auto copies_have_two_ends_except_to_internal_memory() -> bool {
  return has_accesses(copy(0, 1), "from 0:160-208\nto 1:4294967328-4294967376\n") && has_accesses(copy(0, 0x103), "from 0:160-208\n") &&
         has_accesses(copy(0x200, 1), "it has an unknown command");
}
static_assert(copies_have_two_ends_except_to_internal_memory());

constexpr auto the_weights_of_a_second_core_are_read() -> bool {
  auto result = convolution();
  result.set_long(0x90, 2048).set_long(0x91, 160).set_long(0x92, 240).set_long(0x93, 16).run(2).end();
  return has_accesses(result,
                      "weights 0:512-832\nweights 0:2048-2208\nscales 0:0-240\nscales 0:240-256\ninput 1:256-1024\noutput 2:1024-2176\n");
}
static_assert(the_weights_of_a_second_core_are_read());

/// Omits each command that sets a register, one at a time. Returns the number of commands without an effect, because the operation does not
/// use their registers. Every other omission must cause a rejection; otherwise returns -1.
constexpr auto count_unused_registers(const stream& settings, std::uint32_t operation) -> int {
  constexpr std::string_view why = "an operation uses a register that was never set";
  const auto words = settings.bytes();
  auto whole = settings;
  const auto expected = accesses_of(whole.run(operation).end());
  int count = 0;
  for (std::size_t at = 0; at < words.size();) {
    const bool is_long = (static_cast<unsigned char>(words[at + 1]) & 0x40u) != 0;
    const std::size_t next = at + (is_long ? 8 : 4);
    stream without;
    for (std::size_t i = 0; i < words.size(); i += 4) {
      if (i < at || i >= next) without.put(word_at(words, i));
    }
    const auto actual = accesses_of(without.run(operation).end());
    const auto size = view(actual).size();
    if (actual == expected) {
      ++count;
    } else if (size < why.size() || view(actual).substr(size - why.size()) != why) {
      return -1;
    }
    at = next;
  }
  return count;
}

/// The unused registers: for two feature maps, the bases of missing tiles and, without bricks, the brick stride; for a pool, weights and
/// scales; for a scalar second operand, its tiles, element size and region.
constexpr auto an_operation_requires_its_registers() -> bool {
  stream pair;
  pair.map(0x100, 1, 0, 8, 6, 24, 144, 16).set(0x105, 1).map(0x110, 2, 1024, 8, 6, 24, 144, 16);
  pair.set(0x111, 5).set(0x112, 7).set(0x113, 23).set(0x114, 1).map(0x180, 1, 2048, 8, 6, 24, 144, 16).set(0x185, 1);
  auto two = pair;
  auto one = pair;
  two.set(0x180, 0);
  one.set(0x180, 0x80);
  stream copied;
  copied.set(0x130, 0).set_long(0x30, 160).set(0x131, 1).set_long(0x31, 32).set_long(0x32, 48);
  return count_unused_registers(convolution(), 2) == 8 && count_unused_registers(convolution(), 5) == 14 &&
         count_unused_registers(two, 6) == 12 && count_unused_registers(one, 6) == 20 && count_unused_registers(copied, 0x10) == 0;
}

/// The registers of the second core must be set together.
constexpr auto an_incomplete_second_core_is_rejected() -> bool {
  auto result = convolution();
  result.set_long(0x91, 160).run(2).end();
  return has_accesses(result, "weights 0:512-832\nan operation uses a register that was never set");
}
static_assert(an_incomplete_second_core_is_rejected());

constexpr auto an_operation_that_reads_nothing_is_rejected() -> bool {
  constexpr std::string_view why = "an operation reads nothing: its paddings are larger than its kernel";
  const auto padded = [&](std::uint32_t side, std::uint32_t by) { return has_accesses(convolution().set(side, by).run(5).end(), why); };
  return padded(0x100, 9) && padded(0x101, 6) && padded(0x102, 7) && padded(0x103, 9) && !padded(0x100, 8) && !padded(0x101, 5);
}
static_assert(an_operation_that_reads_nothing_is_rejected());

constexpr auto invalid_streams_are_rejected() -> bool {
  auto cut = stream().set(0x4010, 0);
  return has_accesses(stream(), "it has no end") && has_accesses(stream().run(4).end(), "it has an unknown command") &&
         has_accesses(stream().set(0x1a0, 0).end(), "it has an unknown command") &&
         has_accesses(stream().set(0x40a0, 0).put(0).end(), "it has an unknown command") &&
         has_accesses(stream().set(0x8100, 0).end(), "it has an unknown command") && has_accesses(cut, "it is truncated") &&
         has_accesses(stream().set_long(4, std::uint64_t{1} << 40).end(), "it has an address of more than 40 bits") &&
         has_accesses(stream().end().set(0x100, 0), "it has data after its end");
}
static_assert(invalid_streams_are_rejected());

constexpr auto fault_of(const text_buffer& bytes) -> std::string_view { return ethos_u::read_payload({bytes.data(), bytes.size()}).fault; }
constexpr auto payload_of_words(std::initializer_list<std::uint32_t> words) -> text_buffer {
  stream result;
  for (const auto word : words) result.put(word);
  return {result.bytes().begin(), result.bytes().end()};
}

constexpr auto payloads_are_read_as_the_driver_does() -> bool {
  const auto bytes = payload_of(small_stream(0, 16));
  const auto read = ethos_u::read_payload({bytes.data(), bytes.size()});
  return read.fault.empty() && read.configuration == u55_128_configuration && read.architecture == 0x10066001 && read.first == 32 &&
         read.stream.size() == bytes.size() - 32 && ethos_u::accelerator_of(read.configuration) == ethos_u::u55_128;
}
static_assert(payloads_are_read_as_the_driver_does());

constexpr auto damaged_payloads_are_rejected() -> bool {
  constexpr std::uint32_t magic = 0x31504f43;
  return fault_of({}) == "it is truncated" && fault_of(payload_of_words({magic ^ 1u, 5})) == "it does not begin with COP1" &&
         fault_of(payload_of_words({magic, 1, 0x1807})) == "it is truncated" &&
         fault_of(payload_of_words({magic, 0x00050002, 0})) == "it is truncated" &&
         fault_of(payload_of_words({magic, 5, 5, 0x00030002, 0})) == "it is truncated" &&
         fault_of(payload_of_words({magic, 3})) == "it has an unknown action" &&
         fault_of(payload_of_words({magic, 1, 0x1807, 0, 5})) == "it has no command stream" &&
         fault_of(payload_of_words({magic, 5, 5, 0x00010002, 0})) == "it does not name its accelerator" &&
         fault_of(payload_of_words({magic, 0x00010002, 0})) == "its command stream is not aligned to 16 bytes" &&
         fault_of(payload_of_words({magic, 5, 5, 0x00030002, 0, 0, 0, 0x00010002, 0})) == "it has two command streams";
}
static_assert(damaged_payloads_are_rejected());

constexpr auto accelerator_names_match_vela() -> bool {
  return view(name_of(ethos_u::u55_32)) == "ethos-u55-32" && view(name_of(ethos_u::u55_256)) == "ethos-u55-256" &&
         view(name_of(ethos_u::u65_512)) == "ethos-u65-512" &&
         view(name_of(ethos_u::accelerator_of(0x20000018))) == "ethos-u(product 2)-256 with commands of version 1" &&
         ethos_u::accelerator_of(0x10003009) == ethos_u::u65_512;
}
static_assert(accelerator_names_match_vela());

}  // namespace

TEST_CASE("the accesses of each command are reported") {
  CHECK(view(accesses_of(convolution().run(2).end())) == "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n");
  CHECK(a_convolution_reads_weights_scales_and_its_unpadded_input());
  CHECK(strides_and_kernels_determine_the_input_range());
  CHECK(an_upscaled_input_is_read_once());
  CHECK(bricks_and_elements_determine_the_size());
  CHECK(tiles_start_at_their_bases());
  CHECK(broadcast_operands_are_read_once());
  CHECK(copies_have_two_ends_except_to_internal_memory());
  CHECK(the_weights_of_a_second_core_are_read());
}

TEST_CASE("payloads are read as by the driver, and invalid ones are rejected") {
  CHECK(invalid_streams_are_rejected());
  CHECK(an_operation_requires_its_registers());
  CHECK(an_incomplete_second_core_is_rejected());
  CHECK(an_operation_that_reads_nothing_is_rejected());
  CHECK(payloads_are_read_as_the_driver_does());
  CHECK(damaged_payloads_are_rejected());
  CHECK(accelerator_names_match_vela());
}
