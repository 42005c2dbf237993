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

// What stands for a model's file.
constexpr char file[] = "weights1weights2weights1somemore";
constexpr auto part_of_file(std::size_t first, std::size_t size) -> byte_ref { return program_builder::view({file + first, size}); }

/// Adds the data of its second operand, and notes where that lies.
struct add_constant {
  static inline baton::vector<const char*> seen;
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& at) {
    const char* data = at.inputs[1];
    seen.push_back(data);
    for (std::size_t i = 0; i < 8; ++i) at.outputs[0][i] = static_cast<char>(at.inputs[0][i] + data[i]);
  }
};

/// x + each of the constants, one behind the other: in the file at an offset, or (negative) in the program as text.
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
    auto made = b.finish();
    at = 0;
    constexpr std::array offsets{Offset...};
    for (auto& record : made.values) {
      if (record.kind != value_kind::parameter) continue;
      if (const auto offset = offsets[at++]; offset >= 0) record.data = part_of_file(static_cast<std::size_t>(offset), 8);
    }
    return made;
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

// The same bytes of the file, the same bytes at another place of it, and in the program itself.
constexpr static_program sums{make_sums<0, 8, 0, 16, -1, 24>{}};
static_assert(same_bytes(stored<0>(sums), std::string_view{"weights1"}) && same_bytes(stored<1>(sums), std::string_view{"weights2"}));
static_assert(same_bytes(stored<5>(sums), std::string_view{"somemore"}));
static_assert(stored<2>(sums).data() == stored<0>(sums).data() && stored<3>(sums).data() == stored<0>(sums).data());
static_assert(stored<4>(sums).data() == stored<1>(sums).data());
static_assert(stored<1>(sums).data() != stored<0>(sums).data() && stored<5>(sums).data() != stored<0>(sums).data());
static_assert(!is_in_file(stored<0>(sums).data()));

/// The same of programs that say in which array their data lies: it is cut once where no cut goes through other data.
template <int... Offset>
struct read_sums : make_sums<Offset...> {
  static constexpr auto embedded() -> const auto& { return file; }
};
constexpr static_program apart{read_sums<8, -1, 24, 8>{}};
static_assert(same_bytes(stored<0>(apart), std::string_view{"weights2"}) && same_bytes(stored<2>(apart), std::string_view{"somemore"}));
static_assert(stored<1>(apart).data() == stored<0>(apart).data() && stored<3>(apart).data() == stored<0>(apart).data());
static_assert(!is_in_file(stored<2>(apart).data()));
template <std::size_t I, class Program>
constexpr auto piece(Program) -> std::size_t {
  return detail::embedded_pieces<Program>::piece_of(nth_parameter<Program, I>());
}
static_assert(piece<0>(apart) == 1 && piece<1>(apart) == npos && piece<2>(apart) == 3 && piece<3>(apart) == 1);
constexpr static_program overlapping{read_sums<0, 4, 24>{}};
static_assert(piece<0>(overlapping) == npos && piece<1>(overlapping) == npos && piece<2>(overlapping) == 4);
static_assert(same_bytes(stored<0>(overlapping), std::string_view{"weights1"}) &&
              same_bytes(stored<1>(overlapping), std::string_view{"hts1weig"}) &&
              same_bytes(stored<2>(overlapping), std::string_view{"somemore"}));
constexpr auto behind = then(overlapping, [](const program_view& program) { return thaw(program); });
static_assert(piece<2>(behind) == 4 && same_bytes(stored<2>(behind), std::string_view{"somemore"}));

// Many of few lengths and letters, against a comparison of each with each.
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
using many = static_program<make_many>;
constexpr auto are_the_first_equal_ones() -> bool {
  const program_view program = many::value();
  std::size_t shared = 0;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto bytes = program.data(program.values[v].data);
    if (bytes.empty()) continue;
    std::uint32_t first = 0;
    while (!same_bytes(program.data(program.values[first].data), bytes)) ++first;
    const auto id = static_cast<value_id>(v);
    const auto found = detail::equal_constants<std::tuple<many>>::position<many>(id);
    if (found.program != 0 || index(found.id) != first) return false;
    if (detail::equal_constants<std::tuple<many>>::find(bytes).id != found.id) return false;
    shared += first == v ? 0 : 1;
  }
  return shared > 20;
}
static_assert(are_the_first_equal_ones());
static_assert(detail::equal_constants<std::tuple<many>>::find(std::string_view{"c"}).id == none<value_id>);

// Methods that run in one arena, whether they were lowered together or not; the second has a constant of its own, too.
constexpr auto both = methods(method<"first">(sums), method<"second">(static_program{make_sums<24, 8>{}}));
constexpr static_program other{make_sums<8, 24>{}};

/// Keeps a view of weights in the file.
struct npu {
  static inline const char* seen = nullptr;
  static constexpr auto id = name<"npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    preprocess_result made{"blob"};
    if (auto why = made.named_data.add_view("weights", std::string_view{file, 8})) return why;
    return made;
  }
  static auto init(init_context<>& context) -> status {
    const auto found = context.named_data.find("weights");
    seen = found.value.data();
    return found.code;
  }
  static void execute(const delegate_call& call) { std::fill(call.outputs[0].begin(), call.outputs[0].end(), call.inputs[0][0]); }
};
constexpr auto lowered = to_backend(backends<npu>, both, by_support<npu, operator_names<"test.none">>{});
static_assert(stored<1>(lowered[name<"first">]).data() == stored<1>(lowered[name<"second">]).data());
static_assert(stored<5>(lowered[name<"first">]).data() == stored<0>(lowered[name<"second">]).data());
static_assert(stored<1>(sums).data() != stored<0>(other).data(), "programs that know nothing of one another");

// A delegate and its owner with equal weights.
struct make_shared {
  constexpr auto operator()() const {
    constexpr auto eight = tensor(dtype::int8, 8);
    program_builder b;
    const auto x = b.user_input("x", eight);
    const auto w = b.parameter("w", eight, {});
    b.output(b.call("test.add", {b.call("test.npu", {x}, eight), w}, eight));
    auto made = b.finish();
    made.values[index(w)].data = part_of_file(16, 8);
    return made;
  }
};
constexpr auto with_npu = to_backend(backends<npu>, static_program{make_shared{}}, by_support<npu, operator_names<"test.npu">>{});

auto address(const char* at) -> std::uintptr_t { return reinterpret_cast<std::uintptr_t>(at); }

}  // namespace

TEST_CASE("what kernels read is a copy of the operand alone, one of equal ones") {
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

TEST_CASE("methods that run in one arena have equal constants once, even where nothing lowered them together") {
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

TEST_CASE("a view of weights that a delegate keeps is where the operand lies, not the model's file") {
  static basic_executor<with_npu, kernels<add_constant>> net;
  add_constant::seen.clear();
  std::array<signed char, 8> x{};
  std::array<signed char, 8> y{};
  REQUIRE(net.run(x, y) == status::ok);
  REQUIRE(add_constant::seen.size() == 1);
  CHECK(npu::seen == add_constant::seen[0]);
  CHECK(std::string_view{npu::seen, 8} == "weights1");
}
