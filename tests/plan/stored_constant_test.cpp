// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/plan/shared/stored_constant.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/then.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace {

using namespace baton;

// Represents the file of a model.
constexpr char file[] = "weights1weights2weights1somemore";
constexpr auto part_of_file(std::size_t first, std::size_t size) -> byte_ref { return program_builder::view({file + first, size}); }

/// Adds the data of its second operand, and records their address.
struct add_constant {
  static inline baton::vector<const char*> seen;
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    const char* data = memory.inputs[1];
    seen.push_back(data);
    for (std::size_t i = 0; i < 8; ++i) memory.outputs[0][i] = static_cast<char>(memory.inputs[0][i] + data[i]);
  }
};

/// x plus each of the constants, one after the other. An offset refers to bytes of the file; a negative one to text in the program.
template <int... Offset>
struct make_sums {
  constexpr auto operator()() const {
    constexpr auto eight = tensor(dtype::int8, 8);
    program_builder b;
    auto x = b.user_input("x", eight);
    std::size_t at = 0;
    const auto add = [&](int offset) {
      const char name = static_cast<char>('a' + at++);
      const auto w = b.parameter(std::string_view{&name, 1}, eight, offset < 0 ? std::string_view{"weights2"} : std::string_view{});
      x = b.call("test.add", {x, w}, eight);
    };
    (add(Offset), ...);
    b.output(x);
    auto program = b.finish();
    at = 0;
    constexpr std::array offsets{Offset...};
    for (auto& record : program.values) {
      if (record.kind != value_kind::parameter) continue;
      if (const auto offset = offsets[at++]; offset >= 0) record.data = part_of_file(static_cast<std::size_t>(offset), 8);
    }
    return program;
  }
};

constexpr auto is_in_file(const char* at) -> bool {
  for (const char& each : file) {
    if (&each == at) return true;
  }
  return false;
}

template <class Program, std::size_t I>
constexpr auto nth_parameter() -> value_id {
  std::size_t left = I;
  for (std::uint32_t v = 0; v < Program::value().values.size(); ++v) {
    if (Program::value().values[v].kind == value_kind::parameter && left-- == 0) return static_cast<value_id>(v);
  }
  return none<value_id>;
}
template <std::size_t I, class Program>
constexpr auto stored(Program) -> baton::span<const char> {
  return stored_constant<Program, nth_parameter<Program, I>()>();
}

// The same bytes of the file, equal bytes at another offset of it, and equal bytes in the program itself.
constexpr static_program sums{make_sums<0, 8, 0, 16, -1, 24>{}};
static_assert(same_bytes(stored<0>(sums), std::string_view{"weights1"}) && same_bytes(stored<1>(sums), std::string_view{"weights2"}));
static_assert(same_bytes(stored<5>(sums), std::string_view{"somemore"}));
static_assert(stored<2>(sums).data() == stored<0>(sums).data() && stored<3>(sums).data() == stored<0>(sums).data());
static_assert(stored<4>(sums).data() == stored<1>(sums).data());
static_assert(stored<1>(sums).data() != stored<0>(sums).data() && stored<5>(sums).data() != stored<0>(sums).data());
static_assert(!is_in_file(stored<0>(sums).data()));

/// The same for programs that declare the array with their data. The array is cut once, unless a cut would be inside other data.
template <int... Offset>
struct read_sums : make_sums<Offset...> {
  static constexpr auto embedded() -> const auto& { return file; }
};
constexpr static_program disjoint{read_sums<8, -1, 24, 8>{}};
static_assert(same_bytes(stored<0>(disjoint), std::string_view{"weights2"}) &&
              same_bytes(stored<2>(disjoint), std::string_view{"somemore"}));
static_assert(stored<1>(disjoint).data() == stored<0>(disjoint).data() && stored<3>(disjoint).data() == stored<0>(disjoint).data());
static_assert(!is_in_file(stored<2>(disjoint).data()));
template <std::size_t I, class Program>
constexpr auto piece(Program) -> std::size_t {
  return detail::embedded_pieces<Program>::piece_of(nth_parameter<Program, I>());
}
static_assert(piece<0>(disjoint) == 1 && piece<1>(disjoint) == npos && piece<2>(disjoint) == 3 && piece<3>(disjoint) == 1);
constexpr static_program overlapping{read_sums<0, 4, 24>{}};
static_assert(piece<0>(overlapping) == npos && piece<1>(overlapping) == npos && piece<2>(overlapping) == 4);
static_assert(same_bytes(stored<0>(overlapping), std::string_view{"weights1"}) &&
              same_bytes(stored<1>(overlapping), std::string_view{"hts1weig"}) &&
              same_bytes(stored<2>(overlapping), std::string_view{"somemore"}));

/// A file with a piece of 3,001 bytes at an odd offset, which is stored in words, and a piece of 8 bytes after it.
constexpr auto large_file = [] {
  std::array<char, 4096> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i % 251);
  return bytes;
}();
constexpr std::size_t large_first = 13;
constexpr std::size_t large_size = 3001;
struct read_large {
  static constexpr auto embedded() -> const auto& { return large_file; }
  constexpr auto operator()() const {
    program_builder b;
    constexpr auto large = tensor(dtype::int8, large_size);
    const auto x = b.user_input("x", large);
    const auto w = b.parameter("w", large, std::string_view{});
    const auto v = b.parameter("v", tensor(dtype::int8, 8), std::string_view{});
    b.output(b.call("test.add", {x, w, v}, large));
    auto program = b.finish();
    for (auto& record : program.values) {
      if (record.kind != value_kind::parameter) continue;
      const bool is_large = program.integers[record.shape.first] == large_size;
      record.data =
          program_builder::view({large_file.data() + (is_large ? large_first : large_first + large_size), is_large ? large_size : 8});
    }
    return program;
  }
};
constexpr static_program in_words{read_large{}};
static_assert(stored<0>(in_words).size() == large_size && stored<0>(in_words).data() != large_file.data() + large_first);
static_assert(stored<1>(in_words).size() == 8 && stored<1>(in_words)[0] == large_file[large_first + large_size]);

constexpr auto after_step = then(overlapping, [](const program_view& program) { return thaw(program); });
static_assert(piece<2>(after_step) == 4 && same_bytes(stored<2>(after_step), std::string_view{"somemore"}));

// Many constants of few lengths and letters, compared with each other.
struct make_many {
  constexpr auto operator()() const {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 1));
    std::uint32_t random = 1;
    const auto below = [&](std::uint32_t bound) {
      random = random * 1664525 + 1013904223;
      return (random >> 16) % bound;
    };
    for (std::uint32_t i = 0; i < 80; ++i) {
      text_buffer bytes;
      for (auto left = below(5); left != 0; --left) bytes.push_back(static_cast<char>('a' + below(2)));
      b.constant("c", tensor(dtype::int8, static_cast<std::int64_t>(bytes.size())), bytes);
    }
    b.output(x);
    return b.finish();
  }
};
using many_constants = static_program<make_many>;
constexpr auto positions_are_those_of_the_first_equal_constant() -> bool {
  const program_view program = many_constants::value();
  std::size_t shared = 0;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto bytes = program.data(program.values[v].data);
    if (bytes.empty()) continue;
    std::uint32_t first = 0;
    while (!same_bytes(program.data(program.values[first].data), bytes)) ++first;
    const auto id = static_cast<value_id>(v);
    const auto position = detail::equal_constants<std::tuple<many_constants>>::position<many_constants>(id);
    if (position.program != 0 || index(position.id) != first) return false;
    if (detail::equal_constants<std::tuple<many_constants>>::find(bytes).id != position.id) return false;
    shared += first == v ? 0 : 1;
  }
  return shared > 20;
}
static_assert(positions_are_those_of_the_first_equal_constant());
static_assert(detail::equal_constants<std::tuple<many_constants>>::find(std::string_view{"c"}).id == none<value_id>);

// Methods that run in one arena, whether or not they are lowered together. `other` has equal constants, too.
constexpr auto both = methods(method<"first">(sums), method<"second">(static_program{make_sums<24, 8>{}}));
constexpr static_program other{make_sums<8, 24>{}};

/// A backend that keeps a view of weights in the file.
struct npu {
  static inline const char* seen = nullptr;
  static constexpr auto id = name<"npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed{"bytes"};
    if (auto why = processed.named_data.add_view("weights", std::string_view{file, 8})) return why;
    return processed;
  }
  static auto init(init_context<>& context) -> status {
    const auto weights = context.named_data.find("weights");
    seen = weights.value.data();
    return weights.code;
  }
  static void execute(const delegate_call& call) { std::fill(call.outputs[0].begin(), call.outputs[0].end(), call.inputs[0][0]); }
};
constexpr auto lowered = to_backend(backends<npu>, both, by_support<npu, operator_names<"test.none">>{});
static_assert(stored<1>(lowered[name<"first">]).data() == stored<1>(lowered[name<"second">]).data());
static_assert(stored<5>(lowered[name<"first">]).data() == stored<0>(lowered[name<"second">]).data());
static_assert(stored<1>(sums).data() != stored<0>(other).data(), "programs that know nothing of one another");

// A delegate and its owner have equal weights.
struct make_shared {
  constexpr auto operator()() const {
    constexpr auto eight = tensor(dtype::int8, 8);
    program_builder b;
    const auto x = b.user_input("x", eight);
    const auto w = b.parameter("w", eight, {});
    b.output(b.call("test.add", {b.call("test.npu", {x}, eight), w}, eight));
    auto program = b.finish();
    program.values[index(w)].data = part_of_file(16, 8);
    return program;
  }
};
constexpr auto with_npu = to_backend(backends<npu>, static_program{make_shared{}}, by_support<npu, operator_names<"test.npu">>{});

auto address(const char* at) -> std::uintptr_t { return reinterpret_cast<std::uintptr_t>(at); }

}  // namespace

TEST_CASE("a large piece of an embedded model has the bytes of the model") {
  const std::string_view expected{large_file.data() + large_first, large_size};
  CHECK(std::string_view{stored<0>(in_words).data(), stored<0>(in_words).size()} == expected);
}

TEST_CASE("kernels read a copy of the operand only, and equal operands share it") {
  static basic_executor<sums, kernels<add_constant>> net;
  add_constant::seen.clear();
  std::array<signed char, 8> x{};
  std::array<signed char, 8> y{};
  net.run(x, y);
  for (std::size_t i = 0; i < 8; ++i) CHECK(y[i] == static_cast<signed char>(3 * file[i] + 2 * file[8 + i] + file[24 + i]));
  REQUIRE(add_constant::seen.size() == 6);
  const auto& seen = add_constant::seen;
  CHECK((seen[2] == seen[0] && seen[3] == seen[0] && seen[4] == seen[1]));
  for (const auto* at : seen) {
    CHECK_FALSE(is_in_file(at));
    CHECK(address(at) % 8 == 0);
  }
}

template <std::size_t Size>
constexpr auto bytes_of_size = [] {
  std::array<char, Size> bytes{};
  for (std::size_t i = 0; i < Size; ++i) bytes[i] = static_cast<char>(i * i % 251);
  return bytes;
}();
template <std::size_t Size>
constexpr auto copy_of_size = detail::copy_of_piece(std::bit_cast<detail::piece_bytes<Size>>(bytes_of_size<Size>));

TEST_CASE_TEMPLATE_DEFINE("copies of pieces have the bytes of the pieces, in words and in characters", size, piece_sizes) {
  const baton::span<const char> copy = copy_of_size<size::value>;
  CHECK(sizeof(copy_of_size<size::value>) == size::value);
  CHECK(same_bytes(copy, baton::span<const char>{bytes_of_size<size::value>}));
}
// Around the smallest piece in words, the largest pieces of two blocks, and several blocks.
template <std::size_t... Size>
using sizes = std::tuple<std::integral_constant<std::size_t, Size>...>;
TEST_CASE_TEMPLATE_APPLY(piece_sizes, sizes<1, 255, 256, 257, 1919, 1920, 1921, 1928, 1929, 5001>);

TEST_CASE("methods that run in one arena store equal constants once, even if they were not lowered together") {
  static basic_methods_executor<both, kernels<add_constant>> net;
  add_constant::seen.clear();
  std::array<signed char, 8> x{};
  std::array<signed char, 8> y{};
  net.run<"first">(x, y);
  net.run<"second">(x, y);
  for (std::size_t i = 0; i < 8; ++i) CHECK(y[i] == static_cast<signed char>(file[8 + i] + file[24 + i]));
  const auto& seen = add_constant::seen;
  REQUIRE(seen.size() == 8);
  CHECK((seen[6] == seen[5] && seen[7] == seen[1]));
}

TEST_CASE("a view of weights that a delegate keeps refers to the operand, not to the model's file") {
  static basic_executor<with_npu, kernels<add_constant>> net;
  add_constant::seen.clear();
  std::array<signed char, 8> x{};
  std::array<signed char, 8> y{};
  REQUIRE(net.run(x, y) == status::ok);
  REQUIRE(add_constant::seen.size() == 1);
  CHECK(npu::seen == add_constant::seen[0]);
  CHECK(std::string_view{npu::seen, 8} == "weights1");
}
