// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged TFLite models, made from real ones: each is imported or refused with a sentence; the sanitizers watch. BATON_FUZZ_ITERATIONS is
// the number of mutations of each model, 10000 by default; the same number makes the same mutations everywhere.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace {

namespace fs = std::filesystem;

/// What else must bear any program that was imported, however strange: add it here.
void exercise(const baton::exported_program& program) { CHECK(!baton::verify(program)); }

/// xorshift64* (S. Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled, 2016).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed | 1) {}
  auto below(std::size_t bound) -> std::size_t {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return bound == 0 ? 0 : static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

auto bytes_of(const fs::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The runs of a model's bytes that are no weights: there a mutation means something.
auto structure_of(baton::span<const char> model) -> baton::vector<std::size_t> {
  baton::vector<char> is_weight(model.size(), 0);
  const auto program = baton::tflite::read_bytes(model);
  for (const auto& value : program.values) {
    if (value.data.size <= 64) continue;
    const auto first = is_weight.begin() + (value.data.outside - model.data());
    std::fill(first + 16, first + static_cast<std::ptrdiff_t>(value.data.size) - 16, char{1});
  }
  baton::vector<std::size_t> places;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (is_weight[i] == 0) places.push_back(i);
  }
  return places;
}

/// One model, and mutated copies of it in memory of exactly their size, so that a read beyond the end is seen.
class mutated_model {
 public:
  mutated_model(baton::vector<char> original, std::uint64_t seed)
      : original_(std::move(original)),
        structure_(structure_of(original_)),
        random_(seed) {}

  /// A copy with up to three mutations; one of five is cut short.
  auto next() -> baton::span<const char> {
    const bool cut = random_.below(5) == 0;
    const auto size = cut ? place() : original_.size();
    copy_ = std::make_unique<char[]>(size);
    std::copy_n(original_.begin(), size, copy_.get());
    const baton::span<char> bytes{copy_.get(), size};
    for (auto n = cut ? random_.below(2) : 1 + random_.below(3); n > 0 && size > 8; --n) mutate(bytes);
    return bytes;
  }

 private:
  /// Seven times of eight a place that is no weight.
  auto place() -> std::size_t {
    return random_.below(8) == 0 ? random_.below(original_.size()) : structure_[random_.below(structure_.size())];
  }
  auto place_for(std::size_t length, std::size_t size) -> std::size_t { return std::min(place(), size - length); }

  void mutate(baton::span<char> bytes) {
    const auto kind = random_.below(6);
    if (kind == 0) flip(bytes);
    if (kind == 1) fill(bytes);
    if (kind == 2 || kind == 3) overwrite(bytes, 4);
    if (kind == 4) overwrite(bytes, 2);
    if (kind == 5) swap(bytes);
  }
  void flip(baton::span<char> bytes) {
    for (auto flips = 1 + random_.below(4); flips > 0; --flips) {
      const auto at = place_for(1, bytes.size());
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ 1u << random_.below(8));
    }
  }
  void fill(baton::span<char> bytes) {
    const auto length = 1 + random_.below(std::min<std::size_t>(32, bytes.size()));
    const auto at = place_for(length, bytes.size());
    const int fillings[] = {0, 0xff, 0x7f, 1, static_cast<int>(random_.below(256))};
    std::memset(bytes.data() + at, fillings[random_.below(5)], length);
  }
  /// Writes a number that is an edge of some count, index, offset or type.
  void overwrite(baton::span<char> bytes, std::size_t width) {
    const auto at = place_for(width, bytes.size()) / width * width;
    const auto end = static_cast<std::uint32_t>(bytes.size());
    constexpr std::uint32_t edges[] = {0,       1,        2,          4,          0x7f,       0x80,       0xff,       0x7fff,    0xffff,
                                       0x10000, 0x100000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    const auto choice = random_.below(std::size(edges) + 6);
    const auto other = static_cast<std::uint32_t>(choice % 2 == 0 ? place() : random_.below(64));
    const std::uint32_t of_this_file[] = {end, end - 4, end / 4, 0u - end, other, other};
    put(bytes, at, choice < std::size(edges) ? edges[choice] : of_this_file[choice - std::size(edges)], width);
  }
  static void put(baton::span<char> bytes, std::size_t at, std::uint32_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
  }
  /// Exchanges two words or runs; where they overlap, one is written over the other.
  void swap(baton::span<char> bytes) {
    const auto length = random_.below(2) == 0 ? 4 : 1 + random_.below(std::min<std::size_t>(64, bytes.size() - 1));
    const auto a = bytes.subspan(place_for(length, bytes.size()), length);
    const auto b = bytes.subspan(place_for(length, bytes.size()), length);
    const baton::vector<char> of_a(a.begin(), a.end());
    const baton::vector<char> of_b(b.begin(), b.end());
    std::copy(of_b.begin(), of_b.end(), a.begin());
    std::copy(of_a.begin(), of_a.end(), b.begin());
  }

  baton::vector<char> original_;
  baton::vector<std::size_t> structure_;
  random_numbers random_;
  std::unique_ptr<char[]> copy_;
};

auto memory_of(const baton::exported_program& program) -> std::size_t {
  std::size_t bytes = 0;
  baton::for_each_pool([&](const auto& pool) { bytes += pool.capacity() * sizeof(*pool.data()); }, program);
  return bytes;
}

void mutate_model(const fs::path& path, std::size_t mutations) {
  const auto original = bytes_of(path);
  REQUIRE(!original.empty());
  mutated_model model(original, baton::hash_of(path.filename().string()));
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const auto bytes = model.next();
    const auto made = baton::tflite::try_read_bytes(bytes);
    CHECK(memory_of(made.value) <= 64 * bytes.size() + 65536);
    if (made) {
      exercise(made.value);
      ++imported;
    } else {
      CHECK(!baton::message(made.error).empty());
      CHECK(made.value.graphs.empty());
    }
  }
  std::cout << path.filename().string() << ": " << mutations << " mutations, " << imported << " imported, " << mutations - imported
            << " refused\n";
  if (mutations >= 1000) CHECK((imported > 0 && imported < mutations));
}

auto mutations_wanted() -> std::size_t {
  const char* set = std::getenv("BATON_FUZZ_ITERATIONS");
  return set == nullptr ? 10'000 : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
}

}  // namespace

TEST_CASE("mutations of the shared models are imported or refused") {
  const fs::path models = fs::path(BATON_SHARED_DIR) / "models";
  if (std::string_view{BATON_SHARED_DIR}.empty() || !fs::exists(models)) {
    std::cout << "SKIPPED: no ../shared/models, so none of them was mutated\n";
    return;
  }
  for (const auto& entry : fs::directory_iterator(models)) {
    if (entry.path().extension() != ".tflite") continue;
    CAPTURE(entry.path().string());
    mutate_model(entry.path(), mutations_wanted());
  }
}

TEST_CASE("mutations of the model of the digits are imported or refused") {
  mutate_model(fs::path(BATON_EXAMPLES_DIR) / "digits" / "digits_int8.tflite", mutations_wanted());
}
