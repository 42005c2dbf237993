// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Prints a report of the model that is compiled into the program, and runs it: demo [SAMPLES LABELS EXPECTED]. The arguments are only for
// the digits model. `demo.sh` builds the program: it generates model.hpp from the model's file and defines CHOICE (a choice of
// choices.hpp), CHOICE_HEADER (its file), and IMPORTERS (a list of importers).
#include "explanation.hpp"
#include "model.hpp"
#include "tools.hpp"

#include "choices/none.hpp"
#include CHOICE_HEADER

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#if !defined(IMPORTERS)
#define IMPORTERS baton::default_importers
#endif

namespace {

using choice = choices::CHOICE;
constexpr auto& imported = baton::read_model<model, IMPORTERS>;
constexpr auto lowered = choice::lower(imported);
constexpr auto transformed = choices::none::lower(imported);
baton::executor<transformed> portable;
baton::executor<lowered> delegated;

void show_programs() {
  show(baton::report::operator_table(imported));
  std::printf("\n");
  show(baton::report::partition_table(lowered, choices::explanation<choice>(baton::thaw(imported))));
  std::printf("\n");
  show(baton::report::memory_table(lowered, delegated.plan()));
  std::printf("(without a backend: arena %zu bytes, lower bound %zu)\n\n", portable.arena_bytes, portable.lower_bound);
}

/// The outputs of the program without a backend for one input, and whether the delegated program has equal outputs.
struct answer {
  std::vector<char> bytes;
  bool agree = false;
};
auto run_both(const char* input) -> answer {
  infer(portable, input);
  infer(delegated, input);
  answer result{output_bytes(portable)};
  result.agree = result.bytes == output_bytes(delegated);
  return result;
}

// The digits model. Inputs: images of 8 × 8 int8 pixels. Outputs: 10 int8 scores.

constexpr std::size_t side = 8;
constexpr std::size_t digits = 10;

/// Draws images side by side. A pixel is two characters wide.
void draw(const char* images, std::size_t count) {
  constexpr std::string_view shades = " .:-=+*#%@";
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t i = 0; i < count; ++i) {
      std::printf("  ");
      for (std::size_t x = 0; x < side; ++x) {
        const auto bright = static_cast<std::size_t>(images[(i * side + y) * side + x] + 128);
        const char shade = shades[bright * shades.size() / 256];
        std::printf("%c%c", shade, shade);
      }
      std::printf("  ");
    }
    std::printf("\n");
  }
}

/// Returns the real value of an int8 score.
auto real(char score) -> double {
  const auto view = baton::program_view(imported);
  const auto& quant = view[view.outputs_of(view.root())[0].value].quant;
  return static_cast<double>(view.scale(quant)) * static_cast<double>(static_cast<std::int8_t>(score) - view.zero_point(quant));
}

auto show_digits(const char* samples, const char* labels, const char* expected) -> bool {
  const auto images = read_exactly(samples, digits * side * side, "ten images");
  const auto names = read_exactly(labels, 2 * digits, "ten labels, one per line");
  const auto wanted = read_exactly(expected, digits * digits, "ten outputs");
  if (!images.ok || !names.ok || !wanted.ok) return false;
  std::vector<char> all;
  std::size_t right = 0;
  bool agree = true;
  constexpr std::size_t images_per_row = 5;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i % images_per_row == 0) draw(images.bytes.data() + i * side * side, images_per_row);
    const auto result = run_both(images.bytes.data() + i * side * side);
    const auto best = std::max_element(result.bytes.begin(), result.bytes.end(), [](char a, char b) { return real(a) < real(b); });
    const auto read_as = static_cast<char>('0' + (best - result.bytes.begin()));
    std::printf("  a %c, read as %c %3.0f%%", names.bytes[2 * i], read_as, 100 * real(*best));
    if (i % images_per_row == images_per_row - 1) std::printf("\n\n");
    right += read_as == names.bytes[2 * i] ? 1u : 0u;
    agree = agree && result.agree;
    all.insert(all.end(), result.bytes.begin(), result.bytes.end());
  }
  const bool as_expected = all == wanted.bytes;
  std::printf("%zu of %zu digits are correct. Outputs of %s and of the portable kernels: %s. Outputs of TensorFlow Lite: %s.\n", right,
              digits, choice::name.data(), agree ? "equal" : "DIFFERENT", as_expected ? "equal" : "DIFFERENT");
  return agree && as_expected;
}

// All other models.

/// Pseudorandom numbers that are equal on every machine: one xorshift step for each byte of an integer tensor, and for each float32 element
/// in
/// [-1, 1).
class generator {
 public:
  void fill(baton::dtype type, baton::span<char> bytes) {
    if (type != baton::dtype::float32) {
      for (auto& byte : bytes) byte = static_cast<char>(step() >> 24);
      return;
    }
    for (std::size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
      const float number = static_cast<float>(step() >> 8) * 0x1p-23f - 1.0f;
      std::memcpy(bytes.data() + at, &number, sizeof number);
    }
  }

 private:
  auto step() -> std::uint32_t {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return state_ ^= state_ << 5;
  }
  std::uint32_t state_ = 0x1234567;
};

/// Appends element `i`. An int8 element is followed by its real value.
void append_element(baton::text_buffer& text, baton::value_id id, const char* bytes, std::size_t i) {
  const auto view = baton::program_view(imported);
  const auto& record = view[id];
  text.push_back(' ');
  if (record.type == baton::dtype::float32) {
    float number = 0;
    std::memcpy(&number, bytes + i * sizeof number, sizeof number);
    baton::append_real(text, number);
    return;
  }
  const auto integer = record.type == baton::dtype::int8 ? std::int64_t{static_cast<std::int8_t>(bytes[i])}
                                                         : std::int64_t{static_cast<std::uint8_t>(bytes[i])};
  baton::append(text, integer);
  if (record.type != baton::dtype::int8 || record.quant.channels != 1) return;
  baton::append(text, " (");
  baton::append_real(text, static_cast<float>(integer - view.zero_point(record.quant)) * view.scale(record.quant));
  baton::append(text, ")");
}

/// Prints the first elements of a tensor, or its first bytes if the type is neither int8 nor float32.
void show_tensor(std::string_view kind, baton::value_id id, baton::span<const char> bytes) {
  constexpr std::size_t max_elements = 8;
  const auto view = baton::program_view(imported);
  const auto count = view[id].type == baton::dtype::float32 ? bytes.size() / sizeof(float) : bytes.size();
  auto text = baton::join(kind, " ", view.text(view[id].name), " ", baton::facts(view[id].type).name, ":");
  for (std::size_t i = 0; i < std::min(count, max_elements); ++i) append_element(text, id, bytes.data(), i);
  if (count > max_elements) baton::append(text, " ...");
  text.push_back('\n');
  show(text);
}

auto show_run() -> bool {
  const auto view = baton::program_view(imported);
  std::vector<char> input(input_bytes(portable), '\0');
  generator numbers;
  std::size_t at = 0;
  for (const auto id : view.inputs(view.root())) {
    if (view[id].kind != baton::value_kind::user_input) continue;
    const auto bytes = baton::span{input}.subspan(at, static_cast<std::size_t>(baton::byte_count(view[id].type, view.shape(id))));
    numbers.fill(view[id].type, bytes);
    show_tensor("input ", id, bytes);
    at += bytes.size();
  }
  const auto result = run_both(input.data());
  at = 0;
  for (const auto& spec : view.outputs_of(view.root())) {
    if (spec.kind != baton::output_kind::user_output) continue;
    const auto size = static_cast<std::size_t>(baton::byte_count(view[spec.value].type, view.shape(spec.value)));
    show_tensor("output", spec.value, baton::span{result.bytes}.subspan(at, size));
    at += size;
  }
  std::printf("Outputs of %s and of the portable kernels: %s.\n", choice::name.data(), result.agree ? "equal" : "DIFFERENT");
  return result.agree;
}

}  // namespace

auto main(int count, char** words) -> int {
  show_programs();
  const bool ok = count == 4 ? show_digits(words[1], words[2], words[3]) : show_run();
  return ok ? 0 : 1;
}
