// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged TFLite models, made from real ones: each is imported or refused with a sentence; the sanitizers watch. BATON_FUZZ_ITERATIONS is
// the number of mutations of each model, 10000 by default; the same number makes the same mutations everywhere.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verify.hpp>
#include <baton/import/tflite.hpp>

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
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

auto bytes_of(const fs::path& path) -> std::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The runs of a model's bytes that are no weights: there a mutation means something.
auto structure_of(std::span<const char> model) -> std::vector<std::size_t> {
  std::vector<char> is_weight(model.size(), 0);
  const auto program = baton::tflite::read_bytes(model);
  for (const auto& value : program.values) {
    if (value.data.size <= 64) continue;
    const auto first = is_weight.begin() + (value.data.outside - model.data());
    std::fill(first + 16, first + static_cast<std::ptrdiff_t>(value.data.size) - 16, char{1});
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (is_weight[i] == 0) places.push_back(i);
  }
  return places;
}

/// One model, and mutated copies of it in memory of exactly their size, so that a read beyond the end is seen.
class mutated_model {
 public:
  mutated_model(std::vector<char> original, std::uint64_t seed)
      : original_(std::move(original)),
        structure_(structure_of(original_)),
        random_(seed) {}

  /// A copy with one to three mutations, of which at most the last cuts it short.
  auto next() -> std::span<const char> {
    const bool cut = random_.below(5) == 0;
    const auto size = cut ? random_.below(8) == 0 ? random_.below(original_.size()) : place() : original_.size();
    copy_ = std::make_unique<char[]>(size);
    std::copy_n(original_.begin(), size, copy_.get());
    const std::span<char> bytes{copy_.get(), size};
    for (auto n = cut ? random_.below(2) : 1 + random_.below(3); n > 0 && size > 8; --n) mutate(bytes);
    return bytes;
  }

 private:
  /// Seven times of eight a place that is no weight.
  auto place() -> std::size_t {
    return random_.below(8) == 0 ? random_.below(original_.size()) : structure_[random_.below(structure_.size())];
  }
  auto place_for(std::size_t length, std::size_t size) -> std::size_t { return std::min(place(), size - length); }

  void mutate(std::span<char> bytes) {
    switch (random_.below(6)) {
      case 0:
        for (auto flips = 1 + random_.below(4); flips > 0; --flips)
          bytes[place_for(1, bytes.size())] ^= static_cast<char>(1 << random_.below(8));
        break;
      case 1: {
        const auto length = 1 + random_.below(std::min<std::size_t>(32, bytes.size()));
        const char filling[] = {'\0', '\xff', '\x7f', '\x01', static_cast<char>(random_.below(256))};
        std::memset(bytes.data() + place_for(length, bytes.size()), filling[random_.below(5)], length);
        break;
      }
      case 2:
      case 3:
        put(bytes, place_for(4, bytes.size()) & ~std::size_t{3}, interesting(bytes.size()), 4);
        break;
      case 4:
        put(bytes, place_for(2, bytes.size()) & ~std::size_t{1}, interesting(bytes.size()), 2);
        break;
      default:
        swap(bytes, random_.below(2) == 0 ? 4 : 1 + random_.below(std::min<std::size_t>(64, bytes.size() - 1)));
    }
  }

  /// The edges of counts, indices, offsets and types.
  auto interesting(std::size_t size) -> std::uint32_t {
    const auto end = static_cast<std::uint32_t>(size);
    const std::uint32_t numbers[] = {0,
                                     1,
                                     2,
                                     4,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0xffff,
                                     0x10000,
                                     1u << 20,
                                     0x3fffffff,
                                     0x40000000,
                                     0x7fffffff,
                                     0x80000000,
                                     0xfffffffc,
                                     0xffffffff,
                                     end,
                                     end - 1,
                                     end - 4,
                                     end + 1,
                                     end / 4,
                                     0u - end,
                                     static_cast<std::uint32_t>(place()),
                                     static_cast<std::uint32_t>(random_.below(64))};
    return numbers[random_.below(std::size(numbers))];
  }
  static void put(std::span<char> bytes, std::size_t at, std::uint32_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
  }
  /// Exchanges two runs; where they overlap, one is written over the other.
  void swap(std::span<char> bytes, std::size_t length) {
    const auto a = bytes.begin() + static_cast<std::ptrdiff_t>(place_for(length, bytes.size()));
    const auto b = bytes.begin() + static_cast<std::ptrdiff_t>(place_for(length, bytes.size()));
    const std::vector<char> kept(a, a + static_cast<std::ptrdiff_t>(length));
    std::copy_n(std::vector<char>(b, b + static_cast<std::ptrdiff_t>(length)).begin(), length, a);
    std::copy_n(kept.begin(), length, b);
  }

  std::vector<char> original_;
  std::vector<std::size_t> structure_;
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
