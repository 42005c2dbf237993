// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real signals, and their inverses, in stages of radix 2, 3, 4 and 5.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/sine_and_cosine.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton::portable::detail {

/// The compile-time plan of a transform of `length` real numbers. The transform consists of a complex transform of half the length, in
/// stages, and a step that separates the spectra of even and odd samples. In the inverse transform, this step comes first and joins the
/// spectra.
struct fourier_plan {
  dtype type = dtype::float32;
  bool is_inverse = false;
  std::int32_t length = 4;
  std::int32_t signals = 1;
  std::int32_t samples = 4;  ///< samples per signal; a signal is padded with zeros to `length`
  std::int32_t stages = 0;
  std::array<std::int32_t, 16> radix{};  ///< the radix of each stage

  constexpr auto half() const -> std::int32_t { return length / 2; }
  constexpr auto bytes_of_number() const -> std::int32_t { return type == dtype::int16 ? 2 : 4; }
  /// Returns the number of twiddle factors: `half()` for the stages, followed by `half() / 2` for the separation of the spectra.
  constexpr auto twiddles() const -> std::int32_t { return half() + half() / 2; }
};

/// Sets the stages in the order of kissfft's `kf_factor`: first radix 4, then 2, then 3 and 5. Returns false if `half()` has a prime factor
/// above 5; the reference (kissfft in TensorFlow Lite Micro) does not reserve memory for such factors.
constexpr auto divide_into_stages(fourier_plan& plan) -> bool {
  auto quotient = plan.half();
  for (const std::int32_t radix : {4, 2, 3, 5}) {
    for (; quotient % radix == 0; quotient /= radix) plan.radix[static_cast<std::size_t>(plan.stages++)] = radix;
  }
  return quotient == 1;
}

/// Rounds to the nearest integer, half up.
constexpr auto rounded(double number) -> std::int64_t {
  const auto whole = static_cast<std::int64_t>(number + 0.5);
  return static_cast<double>(whole) > number + 0.5 ? whole - 1 : whole;
}

/// Writes the bytes of twiddle factor `i`, the cosine of its angle followed by the sine. In fixed point, the largest number of the type
/// represents 1.
constexpr void write_twiddle(const fourier_plan& plan, std::int32_t i, char* to) {
  constexpr double pi = 3.14159265358979323846264338327950288;
  const auto n = plan.half();
  auto angle = i < n ? -2 * pi * i / n : -pi * (static_cast<double>(i - n + 1) / n + 0.5);
  if (plan.is_inverse) angle = -angle;
  const auto unit = direction_of(angle);
  const auto bits_of = [&plan](double number) {
    if (plan.type == dtype::float32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    const double largest = plan.type == dtype::int16 ? 32767 : 2147483647;
    return static_cast<std::uint32_t>(rounded(largest * number));
  };
  const std::uint32_t parts[] = {bits_of(unit.cosine), bits_of(unit.sine)};
  const auto size = plan.bytes_of_number();
  for (std::int32_t at = 0; at < 2 * size; ++at) to[at] = static_cast<char>(parts[at / size] >> 8 * (at % size));
}

template <class T>
struct complex {
  T re;
  T im;
};

/// The arithmetic of kissfft in fixed point (`_kiss_fft_guts.h`): products are rounded, sums wrap around, and each stage first divides its
/// inputs by the radix.
template <class T>
struct fourier_numbers {
  using wide = std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>;
  static constexpr auto fraction = static_cast<int>(8 * sizeof(T)) - 1;

  static auto narrow(wide x) -> T { return static_cast<T>(x); }
  static auto product(T a, T b) -> wide { return static_cast<wide>(a) * b; }
  static auto round(wide x) -> T { return static_cast<T>((x + (wide{1} << (fraction - 1))) >> fraction); }
  static auto divide(T x, std::int32_t by) -> T { return round(product(x, static_cast<T>(std::numeric_limits<T>::max() / by))); }
  /// Halves a sum. A 16-bit sum is halved before it wraps around, a 32-bit sum after it has wrapped around.
  static auto half(wide x) -> T { return static_cast<T>((sizeof(T) == 2 ? x : static_cast<T>(x)) >> 1); }
};
template <>
struct fourier_numbers<float> {
  using wide = float;
  static auto narrow(float x) -> float { return x; }
  static auto product(float a, float b) -> float { return a * b; }
  static auto round(float x) -> float { return x; }
  static auto divide(float x, std::int32_t) -> float { return x; }
  static auto half(float x) -> float { return x * 0.5f; }
};

/// Complex arithmetic on `fourier_numbers<T>`, and the in-place butterflies of kissfft (`kiss_fft.c`).
template <class T>
class fourier_stage {
  using numbers = fourier_numbers<T>;
  using wide = typename numbers::wide;

 public:
  using number = complex<T>;

  static auto add(number a, number b) -> number {
    return {numbers::narrow(static_cast<wide>(a.re) + b.re), numbers::narrow(static_cast<wide>(a.im) + b.im)};
  }
  static auto subtract(number a, number b) -> number {
    return {numbers::narrow(static_cast<wide>(a.re) - b.re), numbers::narrow(static_cast<wide>(a.im) - b.im)};
  }
  static auto multiply(number a, number b) -> number {
    return {numbers::round(numbers::product(a.re, b.re) - numbers::product(a.im, b.im)),
            numbers::round(numbers::product(a.re, b.im) + numbers::product(a.im, b.re))};
  }
  static auto divide(number a, std::int32_t by) -> number { return {numbers::divide(a.re, by), numbers::divide(a.im, by)}; }
  static auto conjugate(number a) -> number { return {a.re, numbers::narrow(-static_cast<wide>(a.im))}; }
  static auto half(wide x) -> T { return numbers::half(x); }

  /// Creates a stage. The inputs of a butterfly have a stride of `distance` elements. Twiddle factor k is element k · `step` of `twiddles`.
  fourier_stage(char* data, const char* twiddles, std::int32_t distance, std::int32_t step, bool is_inverse)
      : data_(data),
        twiddles_(twiddles),
        distance_(distance),
        step_(step),
        is_inverse_(is_inverse) {}

  /// Applies the butterflies of radix `radix` to `count` numbers.
  void run(std::int32_t radix, std::int32_t count) const {
    for (std::int32_t base = 0; base < count; base += radix * distance_) {
      for (std::int32_t k = 0; k < distance_; ++k) {
        if (radix == 4) four(base + k, k);
        if (radix == 2) two(base + k, k);
        if (radix == 3) three(base + k, k);
        if (radix == 5) five(base + k, k);
      }
    }
  }

 private:
  auto at(std::int32_t i) const -> number { return load<number>(data_, i); }
  void set(std::int32_t i, number to) const { store(data_, i, to); }
  auto twiddle(std::int32_t k) const -> number { return load<number>(twiddles_, k * step_); }
  /// Returns input `i` of butterfly `k`, divided by `radix` and multiplied by its twiddle factor. Element `begin` is input 0.
  auto twiddled_input(std::int32_t begin, std::int32_t k, std::int32_t i, std::int32_t radix) const -> number {
    return multiply(divide(at(begin + i * distance_), radix), twiddle(i * k));
  }
  /// Returns `a` - i · `b`, or `a` + i · `b` for the inverse, where i is the imaginary unit.
  auto add_rotated(number a, number b) const -> number {
    const number down{numbers::narrow(static_cast<wide>(a.re) + b.im), numbers::narrow(static_cast<wide>(a.im) - b.re)};
    const number up{numbers::narrow(static_cast<wide>(a.re) - b.im), numbers::narrow(static_cast<wide>(a.im) + b.re)};
    return is_inverse_ ? up : down;
  }
  auto subtract_rotated(number a, number b) const -> number {
    const number down{numbers::narrow(static_cast<wide>(a.re) - b.im), numbers::narrow(static_cast<wide>(a.im) + b.re)};
    const number up{numbers::narrow(static_cast<wide>(a.re) + b.im), numbers::narrow(static_cast<wide>(a.im) - b.re)};
    return is_inverse_ ? up : down;
  }
  static auto scale(number a, T by) -> number {
    return {numbers::round(numbers::product(a.re, by)), numbers::round(numbers::product(a.im, by))};
  }

  void two(std::int32_t begin, std::int32_t k) const {
    const auto first = divide(at(begin), 2);
    const auto second = twiddled_input(begin, k, 1, 2);
    set(begin + distance_, subtract(first, second));
    set(begin, add(first, second));
  }
  void four(std::int32_t begin, std::int32_t k) const {
    const auto first = divide(at(begin), 4);
    const auto second = twiddled_input(begin, k, 1, 4);
    const auto third = twiddled_input(begin, k, 2, 4);
    const auto fourth = twiddled_input(begin, k, 3, 4);
    const auto even = add(first, third);
    const auto odd = subtract(first, third);
    const auto sum = add(second, fourth);
    const auto difference = subtract(second, fourth);
    set(begin + 2 * distance_, subtract(even, sum));
    set(begin, add(even, sum));
    set(begin + distance_, add_rotated(odd, difference));
    set(begin + 3 * distance_, subtract_rotated(odd, difference));
  }
  void three(std::int32_t begin, std::int32_t k) const {
    const auto first = divide(at(begin), 3);
    const auto second = twiddled_input(begin, k, 1, 3);
    const auto third = twiddled_input(begin, k, 2, 3);
    const auto sum = add(second, third);
    const auto difference = scale(subtract(second, third), twiddle(distance_).im);
    const number middle{numbers::narrow(static_cast<wide>(first.re) - half(sum.re)),
                        numbers::narrow(static_cast<wide>(first.im) - half(sum.im))};
    set(begin, add(first, sum));
    const number left{numbers::narrow(static_cast<wide>(middle.re) + difference.im),
                      numbers::narrow(static_cast<wide>(middle.im) - difference.re)};
    const number right{numbers::narrow(static_cast<wide>(middle.re) - difference.im),
                       numbers::narrow(static_cast<wide>(middle.im) + difference.re)};
    set(begin + 2 * distance_, left);
    set(begin + distance_, right);
  }
  void five(std::int32_t begin, std::int32_t k) const {
    const auto a = twiddle(distance_);
    const auto b = twiddle(2 * distance_);
    const auto first = divide(at(begin), 5);
    const auto t1 = twiddled_input(begin, k, 1, 5);
    const auto t2 = twiddled_input(begin, k, 2, 5);
    const auto t3 = twiddled_input(begin, k, 3, 5);
    const auto t4 = twiddled_input(begin, k, 4, 5);
    const auto sum_14 = add(t1, t4);
    const auto difference_14 = subtract(t1, t4);
    const auto sum_23 = add(t2, t3);
    const auto difference_23 = subtract(t2, t3);
    set(begin, add(first, add(sum_14, sum_23)));
    // `near`: outputs 1 and 4. `far`: outputs 2 and 3.
    const auto near = add(first, add(scale(sum_14, a.re), scale(sum_23, b.re)));
    const auto far = add(first, add(scale(sum_14, b.re), scale(sum_23, a.re)));
    const auto near_turn = add(scale(difference_14, a.im), scale(difference_23, b.im));
    const auto far_turn = subtract(scale(difference_23, a.im), scale(difference_14, b.im));
    // `near_turn` and `far_turn` are multiplied by -i in the forward and in the inverse transform. The sines `a.im` and `b.im`, which are
    // factors of `near_turn` and `far_turn`, already have opposite signs in the two transforms.
    const number n{near_turn.im, numbers::narrow(-static_cast<wide>(near_turn.re))};
    const number f{far_turn.im, numbers::narrow(-static_cast<wide>(far_turn.re))};
    set(begin + distance_, subtract(near, n));
    set(begin + 4 * distance_, add(near, n));
    set(begin + 2 * distance_, add(far, f));
    set(begin + 3 * distance_, subtract(far, f));
  }

  char* data_;
  const char* twiddles_;
  std::int32_t distance_;
  std::int32_t step_;
  bool is_inverse_;
};

/// Calls `move(to, from)` for each input of a transform. The stages expect input `from` at position `to` (digit-reversed order). The
/// results of the stages are in natural order.
template <class F>
[[gnu::always_inline]] inline void for_stage_order(const fourier_plan& plan, F move) {
  std::array<std::int32_t, 16> digit{};
  std::int32_t from = 0;
  for (std::int32_t to = 0; to < plan.half(); ++to) {
    move(to, from);
    auto step = plan.half();
    for (auto stage = static_cast<std::size_t>(plan.stages); stage-- > 0;) {
      step /= plan.radix[stage];
      from += step;
      if (++digit[stage] < plan.radix[stage]) break;
      digit[stage] = 0;
      from -= step * plan.radix[stage];
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void run_stages(const fourier_plan& plan, char* data, const char* twiddles) {
  std::int32_t distance = 1;
  for (auto stage = plan.stages; stage-- > 0;) {
    const auto radix = plan.radix[static_cast<std::size_t>(stage)];
    fourier_stage<T>(data, twiddles, distance, plan.half() / (distance * radix), plan.is_inverse).run(radix, plan.half());
    distance *= radix;
  }
}

/// Computes kissfft's `kiss_fftr`, with the output as working memory. Pairs of adjacent samples are transformed as complex numbers. The
/// transform of these numbers is then separated into the spectra of the even and the odd samples, from which the output is computed.
template <class T>
[[gnu::always_inline]] inline void transform(const fourier_plan& plan, const char* from, char* to, const char* twiddles) {
  using stage = fourier_stage<T>;
  using number = typename stage::number;
  const auto n = plan.half();
  for_stage_order(plan, [&](std::int32_t at, std::int32_t pair) {
    const auto sample = [&](std::int32_t i) { return i < plan.samples ? load<T>(from, i) : T{}; };
    store(to, at, number{sample(2 * pair), sample(2 * pair + 1)});
  });
  run_stages<T>(plan, to, twiddles);
  const auto sums = stage::divide(load<number>(to), 2);
  store(to, 0, number{stage::add({sums.re, T{}}, {sums.im, T{}}).re, T{}});
  store(to, n, number{stage::subtract({sums.re, T{}}, {sums.im, T{}}).re, T{}});
  using wide = typename fourier_numbers<T>::wide;
  for (std::int32_t k = 1; k <= n / 2; ++k) {
    const auto left = stage::divide(load<number>(to, k), 2);
    const auto right = stage::divide(stage::conjugate(load<number>(to, n - k)), 2);
    const auto even = stage::add(left, right);
    const auto odd = stage::multiply(stage::subtract(left, right), load<number>(twiddles, n + k - 1));
    store(to, k, number{stage::half(static_cast<wide>(even.re) + odd.re), stage::half(static_cast<wide>(even.im) + odd.im)});
    store(to, n - k, number{stage::half(static_cast<wide>(even.re) - odd.re), stage::half(static_cast<wide>(odd.im) - even.im)});
  }
}

/// Computes kissfft's `kiss_fftri`, the inverse transform. Float results are divided by the length.
template <class T>
[[gnu::always_inline]] inline void transform_back(const fourier_plan& plan, const char* from, char* to, const char* twiddles) {
  using stage = fourier_stage<T>;
  using number = typename stage::number;
  const auto n = plan.half();
  for_stage_order(plan, [&](std::int32_t at, std::int32_t i) {
    if (i == 0) {
      const number first{load<number>(from).re, T{}};
      const number last{load<number>(from, n).re, T{}};
      return store(to, at, stage::divide({stage::add(first, last).re, stage::subtract(first, last).re}, 2));
    }
    // One formula computes the elements below n / 2, another one the elements above n / 2 (`is_upper`). If n is even, the reference
    // computes element n / 2 with both formulas, and keeps the result of the second one.
    const bool is_upper = 2 * i >= n;
    const auto k = is_upper ? n - i : i;
    const auto left = stage::divide(load<number>(from, k), 2);
    const auto right = stage::divide(stage::conjugate(load<number>(from, n - k)), 2);
    const auto even = stage::add(left, right);
    const auto odd = stage::multiply(stage::subtract(left, right), load<number>(twiddles, n + k - 1));
    store(to, at, is_upper ? stage::conjugate(stage::subtract(even, odd)) : stage::add(even, odd));
  });
  run_stages<T>(plan, to, twiddles);
  if constexpr (std::is_floating_point_v<T>) {
    for (std::int32_t i = 0; i < plan.length; ++i) store(to, i, load<T>(to, i) / static_cast<T>(plan.length));
  }
}

}  // namespace baton::portable::detail
