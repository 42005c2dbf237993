// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What commands read and write, command by command; and payloads and streams that are none.
#include <baton/backends/ethos_u/command_stream.hpp>
#include <baton/backend/blob_words.hpp>
#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/payload.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include "backends/ethos_u/made.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using namespace ethos_u_tests;
using ethos_u::access;

/// The accesses of a stream: `input 1:0-16`, a line each; what is wrong with it at the end.
constexpr auto accesses_of(const stream& commands) -> text_buffer {
  constexpr std::string_view names[] = {"input", "second", "output", "weights", "scales", "from", "to"};
  text_buffer text;
  const auto fault = ethos_u::for_each_access(commands.bytes(), [&](const access& each) {
    append(text, names[static_cast<std::size_t>(each.kind)]);
    append(text, view(join(" ", each.region, ":", each.first, "-", each.last, "\n")));
    return true;
  });
  append(text, fault);
  return text;
}
constexpr auto gives(const stream& commands, std::string_view expected) -> bool { return view(accesses_of(commands)) == expected; }

/// Of 8 by 6 pixels, 16 channels, three rows by two columns of a kernel: reads 10 - 2 rows and 7 - 1 columns.
constexpr auto convolution() -> stream {
  stream made;
  made.map(0x100, 1, 256, 8, 6, 16, 96, 16).set(0x104, 15).set(0x105, 1);
  made.set(0x100, 1).set(0x103, 1).set(0x101, 0).set(0x102, 1).set(0x107, 0);
  made.map(0x110, 2, 1024, 8, 6, 24, 144, 16).set(0x111, 5).set(0x112, 7).set(0x113, 23).set(0x114, 1);
  made.set(0x120, 1).set(0x121, 2).set(0x122, 0);
  made.set(0x128, 0).set_long(0x20, 512).set_long(0x21, 320).set(0x129, 0).set_long(0x22, 0).set_long(0x23, 240);
  return made;
}

constexpr auto a_convolution_reads_weights_scales_and_what_lies_between_its_paddings() -> bool {
  return gives(convolution().run(2).end(), "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n") &&
         gives(convolution().run(3).end(), "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n") &&
         gives(convolution().run(5).end(), "input 1:256-1024\noutput 2:1024-2176\n");
}
static_assert(a_convolution_reads_weights_scales_and_what_lies_between_its_paddings());

/// Steps of 2 by 3, without padding: 14 + 3 rows, 15 + 2 columns. A step of 4 has a bit of its own.
constexpr auto steps_and_kernels_say_how_much_is_read() -> bool {
  auto stepped = convolution();
  stepped.map(0x100, 1, 0, 17, 17, 16, 272, 16).set(0x100, 0).set(0x103, 0).set(0x102, 0);
  stepped.set(0x122, 2u | 1u << 6).run(5).end();
  auto wide = convolution();
  wide.map(0x100, 1, 0, 10, 22, 16, 352, 16).set(0x100, 0).set(0x103, 0).set(0x102, 0);
  wide.set(0x122, 1u | 1u << 6).run(5).end();
  return gives(stepped, "input 1:0-4624\noutput 2:1024-2176\n") && gives(wide, "input 1:0-3520\noutput 2:1024-2176\n");
}
static_assert(steps_and_kernels_say_how_much_is_read());

constexpr auto what_is_enlarged_is_read_once() -> bool {
  auto made = convolution();
  made.map(0x100, 1, 0, 4, 3, 16, 48, 16).set(0x107, 1).run(5).end();
  return gives(made, "input 1:0-192\noutput 2:1024-2176\n");
}
static_assert(what_is_enlarged_is_read_once());

/// 24 channels are two bricks, the second of which is half full; 16-bit elements have twice the bytes.
constexpr auto bricks_and_elements_have_their_bytes() -> bool {
  auto bricks = convolution();
  bricks.map(0x110, 1, 0, 8, 6, 24, 192, 96).set(0x114, 1u | 1u << 6).run(5).end();
  auto shorts = convolution();
  shorts.map(0x110, 1, 0, 8, 6, 48, 288, 32).set(0x114, 1u | 1u << 1).run(5).end();
  return gives(bricks, "input 1:256-1024\noutput 1:0-1528\n") && gives(shorts, "input 1:256-1024\noutput 1:0-2304\n");
}
static_assert(bricks_and_elements_have_their_bytes());

/// Left and right of column 4, and of the left tile three rows, of the right one five.
constexpr auto tiles_lie_where_their_bases_say() -> bool {
  auto made = convolution();
  made.map(0x110, 1, 0, 8, 6, 24, 144, 16).set(0x11a, 3).set(0x11b, 2).set(0x11c, 4);
  made.set_long(0x11, 4096).set_long(0x12, 8192).set_long(0x13, std::uint64_t{3} << 32).run(5).end();
  return gives(made, "input 1:256-1024\noutput 1:0-384\noutput 1:4096-4720\noutput 1:8192-8864\noutput 1:12884901888-12884902224\n");
}
static_assert(tiles_lie_where_their_bases_say());

constexpr auto pairwise(std::uint32_t broadcast, std::uint32_t mode) -> stream {
  auto made = convolution();
  made.map(0x100, 1, 0, 8, 6, 24, 144, 16).set(0x104, 23);
  made.map(0x180, 1, 2048, 8, 6, 24, 144, 16).set(0x185, 1).set(0x180, broadcast);
  return made.run(6, mode).end();
}
constexpr auto pairs_read_what_they_stretch_once() -> bool {
  return gives(pairwise(0, 1), "input 1:0-1152\nsecond 1:2048-3200\noutput 2:1024-2176\n") &&
         gives(pairwise(3, 0), "input 1:0-1152\nsecond 1:2048-2072\noutput 2:1024-2176\n") &&
         gives(pairwise(4, 2), "input 1:0-1152\nsecond 1:2048-3177\noutput 2:1024-2176\n") &&
         gives(pairwise(0x80, 1), "input 1:0-1152\noutput 2:1024-2176\n") &&
         gives(pairwise(0, 5), "input 1:0-1152\noutput 2:1024-2176\n") &&
         gives(pairwise(0, 8), "input 1:0-1152\nsecond 1:2048-3200\noutput 2:1024-2176\n");
}
static_assert(pairs_read_what_they_stretch_once());

constexpr auto copy(std::uint32_t from, std::uint32_t to) -> stream {
  stream made;
  made.set(0x130, from).set_long(0x30, 160).set(0x131, to).set_long(0x31, (std::uint64_t{1} << 32) + 32).set_long(0x32, 48);
  return made.run(0x10).run(0x11).run(0x12).run(0x13).run(1).end();
}
constexpr auto copies_have_two_ends_but_to_the_accelerators_own_memory() -> bool {
  return gives(copy(0, 1), "from 0:160-208\nto 1:4294967328-4294967376\n") && gives(copy(0, 0x103), "from 0:160-208\n") &&
         gives(copy(0x200, 1), "it has an unknown command");
}
static_assert(copies_have_two_ends_but_to_the_accelerators_own_memory());

constexpr auto the_weights_of_a_second_core_are_read() -> bool {
  auto made = convolution();
  made.set_long(0x90, 2048).set_long(0x91, 160).set_long(0x92, 240).set_long(0x93, 16).run(2).end();
  return gives(made, "weights 0:512-832\nweights 0:2048-2208\nscales 0:0-240\nscales 0:240-256\ninput 1:256-1024\noutput 2:1024-2176\n");
}
static_assert(the_weights_of_a_second_core_are_read());

/// A stream without one of its commands, each of which sets a register: how often nothing changes, since nobody needs that register. In all
/// other cases the operation is refused.
constexpr auto registers_that_nobody_needs(const stream& settings, std::uint32_t operation) -> int {
  constexpr std::string_view why = "an operation uses a register that was never set";
  const auto words = settings.bytes();
  auto whole = settings;
  const auto expected = accesses_of(whole.run(operation).end());
  int found = 0;
  for (std::size_t at = 0; at < words.size();) {
    const bool is_long = (static_cast<unsigned char>(words[at + 1]) & 0x40u) != 0;
    const std::size_t next = at + (is_long ? 8 : 4);
    stream without;
    for (std::size_t i = 0; i < words.size(); i += 4) {
      if (i < at || i >= next) without.put(word_at(words, i));
    }
    const auto given = accesses_of(without.run(operation).end());
    const auto size = view(given).size();
    if (given == expected) {
      ++found;
    } else if (size < why.size() || view(given).substr(size - why.size()) != why) {
      return -1;
    }
    at = next;
  }
  return found;
}

/// Of two feature maps the bases of tiles that are not there and, without bricks, the distance of bricks; weights and scales that a pool
/// has not; and the tiles, the element and the region of a second operand that is a number.
constexpr auto an_operation_needs_registers_that_were_set() -> bool {
  stream pair;
  pair.map(0x100, 1, 0, 8, 6, 24, 144, 16).set(0x105, 1).map(0x110, 2, 1024, 8, 6, 24, 144, 16);
  pair.set(0x111, 5).set(0x112, 7).set(0x113, 23).set(0x114, 1).map(0x180, 1, 2048, 8, 6, 24, 144, 16).set(0x185, 1);
  auto two = pair;
  auto one = pair;
  two.set(0x180, 0);
  one.set(0x180, 0x80);
  stream copied;
  copied.set(0x130, 0).set_long(0x30, 160).set(0x131, 1).set_long(0x31, 32).set_long(0x32, 48);
  return registers_that_nobody_needs(convolution(), 2) == 8 && registers_that_nobody_needs(convolution(), 5) == 14 &&
         registers_that_nobody_needs(two, 6) == 12 && registers_that_nobody_needs(one, 6) == 20 &&
         registers_that_nobody_needs(copied, 0x10) == 0;
}

/// The second core's registers come together.
constexpr auto half_a_second_core_is_refused() -> bool {
  auto made = convolution();
  made.set_long(0x91, 160).run(2).end();
  return gives(made, "weights 0:512-832\nan operation uses a register that was never set");
}
static_assert(half_a_second_core_is_refused());

constexpr auto an_operation_that_reads_nothing_is_refused() -> bool {
  constexpr std::string_view why = "an operation reads nothing: its paddings are larger than its kernel";
  const auto padded = [&](std::uint32_t side, std::uint32_t by) { return gives(convolution().set(side, by).run(5).end(), why); };
  return padded(0x100, 9) && padded(0x101, 6) && padded(0x102, 7) && padded(0x103, 9) && !padded(0x100, 8) && !padded(0x101, 5);
}
static_assert(an_operation_that_reads_nothing_is_refused());

constexpr auto what_is_no_stream_is_refused() -> bool {
  auto cut = stream().set(0x4010, 0);
  return gives(stream(), "it has no end") && gives(stream().run(4).end(), "it has an unknown command") &&
         gives(stream().set(0x1a0, 0).end(), "it has an unknown command") &&
         gives(stream().set(0x40a0, 0).put(0).end(), "it has an unknown command") &&
         gives(stream().set(0x8100, 0).end(), "it has an unknown command") && gives(cut, "it is cut off") &&
         gives(stream().set_long(4, std::uint64_t{1} << 40).end(), "it has an address of more than 40 bits") &&
         gives(stream().end().set(0x100, 0), "something follows its end");
}
static_assert(what_is_no_stream_is_refused());

constexpr auto fault_of(const text_buffer& bytes) -> std::string_view { return ethos_u::read_payload({bytes.data(), bytes.size()}).fault; }
constexpr auto of_words(std::initializer_list<std::uint32_t> words) -> text_buffer {
  stream made;
  for (const auto word : words) made.put(word);
  return {made.bytes().begin(), made.bytes().end()};
}

constexpr auto payloads_are_read_as_the_driver_does() -> bool {
  const auto bytes = payload_of(small_stream(0, 16));
  const auto read = ethos_u::read_payload({bytes.data(), bytes.size()});
  return read.fault.empty() && read.configuration == u55_128_configuration && read.architecture == 0x10066001 && read.first == 32 &&
         read.stream.size() == bytes.size() - 32 && ethos_u::accelerator_of(read.configuration) == ethos_u::u55_128;
}
static_assert(payloads_are_read_as_the_driver_does());

constexpr auto damaged_payloads_are_refused() -> bool {
  constexpr std::uint32_t magic = 0x31504f43;
  return fault_of({}) == "it is cut off" && fault_of(of_words({magic ^ 1u, 5})) == "it does not begin with COP1" &&
         fault_of(of_words({magic, 1, 0x1807})) == "it is cut off" && fault_of(of_words({magic, 0x00050002, 0})) == "it is cut off" &&
         fault_of(of_words({magic, 3})) == "it has an unknown action" &&
         fault_of(of_words({magic, 1, 0x1807, 0, 5})) == "it has no command stream" &&
         fault_of(of_words({magic, 5, 5, 0x00010002, 0})) == "it does not say which accelerator it is for" &&
         fault_of(of_words({magic, 0x00010002, 0})) == "its command stream is not aligned to 16 bytes" &&
         fault_of(of_words({magic, 5, 5, 0x00030002, 0, 0, 0, 0x00010002, 0})) == "it has two command streams";
}
static_assert(damaged_payloads_are_refused());

constexpr auto accelerators_have_velas_names() -> bool {
  return view(name_of(ethos_u::u55_32)) == "ethos-u55-32" && view(name_of(ethos_u::u55_256)) == "ethos-u55-256" &&
         view(name_of(ethos_u::u65_512)) == "ethos-u65-512" &&
         view(name_of(ethos_u::accelerator_of(0x20000018))) == "ethos-u(product 2)-256 with commands of version 1" &&
         ethos_u::accelerator_of(0x10003009) == ethos_u::u65_512;
}
static_assert(accelerators_have_velas_names());

}  // namespace

TEST_CASE("commands of the accelerator: what each reads and writes") {
  CHECK(view(accesses_of(convolution().run(2).end())) == "weights 0:512-832\nscales 0:0-240\ninput 1:256-1024\noutput 2:1024-2176\n");
  CHECK(a_convolution_reads_weights_scales_and_what_lies_between_its_paddings());
  CHECK(steps_and_kernels_say_how_much_is_read());
  CHECK(what_is_enlarged_is_read_once());
  CHECK(bricks_and_elements_have_their_bytes());
  CHECK(tiles_lie_where_their_bases_say());
  CHECK(pairs_read_what_they_stretch_once());
  CHECK(copies_have_two_ends_but_to_the_accelerators_own_memory());
  CHECK(the_weights_of_a_second_core_are_read());
}

TEST_CASE("payloads: read as the driver does, and what is none is refused") {
  CHECK(what_is_no_stream_is_refused());
  CHECK(an_operation_needs_registers_that_were_set());
  CHECK(half_a_second_core_is_refused());
  CHECK(an_operation_that_reads_nothing_is_refused());
  CHECK(payloads_are_read_as_the_driver_does());
  CHECK(damaged_payloads_are_refused());
  CHECK(accelerators_have_velas_names());
}
