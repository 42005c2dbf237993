// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damage that a model file may contain, outside the domain of the kernels: every kind of damage, at every place of a program.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace nodes {

/// Damages a copy of a program in one place at a time, in several ways. Calls `f(kind, program)` for each copy.
class damager {
 public:
  explicit damager(const baton::exported_program& whole) : whole_(whole) {}

  template <class F>
  void for_each(F&& f) {
    for (std::size_t v = 0; v < whole_.values.size(); ++v) {
      texts_.clear();
      types(v, f);
      sizes(v, f);
      quantizations(v, f);
      bytes(v, f);
    }
    for (std::size_t a = 0; a < whole_.attributes.size(); ++a) options(a, f);
    for (std::size_t o = 0; o < whole_.operands.size(); ++o) operands(o, f);
    counts(f);
  }

 private:
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

  /// Returns a copy to be damaged.
  auto copy() const -> baton::exported_program { return whole_; }
  /// Stores bytes while a place is damaged, and returns a reference to them.
  auto kept(std::string text) -> baton::byte_ref {
    const auto& stored = texts_.emplace_back(std::move(text));
    return {stored.data(), 0, static_cast<std::uint32_t>(stored.size())};
  }
  template <class T>
  static auto bytes_of(T number, std::size_t count = 1) -> std::string {
    const auto element = std::bit_cast<std::array<char, sizeof(T)>>(number);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text.append(element.data(), element.size());
    return text;
  }

  template <class F>
  void types(std::size_t v, F& f) {
    for (std::size_t type = 0; type <= static_cast<std::size_t>(baton::dtype::variant); ++type) {
      auto damaged = copy();
      damaged.values[v].type = static_cast<baton::dtype>(type);
      f("type", damaged);
    }
  }

  template <class F>
  void sizes(std::size_t v, F& f) {
    const auto shape = whole_.integer_list(whole_.values[v].shape);
    const std::vector<std::int64_t> old(shape.begin(), shape.end());
    const auto with = [&](std::string_view kind, const std::vector<std::int64_t>& sizes) {
      auto damaged = copy();
      damaged.values[v].shape = {static_cast<std::uint32_t>(damaged.integers.size()), static_cast<std::uint32_t>(sizes.size())};
      for (const auto size : sizes) damaged.integers.push_back(size);
      f(kind, damaged);
    };
    for (std::size_t axis = 0; axis < old.size(); ++axis) {
      for (const auto size :
           {std::int64_t{0}, std::int64_t{-1}, lowest, std::int64_t{1} << 16, std::int64_t{1} << 31, highest, old[axis] + 1}) {
        auto sizes = old;
        sizes[axis] = size;
        with("size", sizes);
      }
    }
    with("rank", {});
    for (const std::size_t rank : {std::size_t{1}, old.size() + 1, std::size_t{8}, std::size_t{9}, std::size_t{40}}) {
      auto sizes = old;
      sizes.resize(rank, 1);
      with("rank", sizes);
    }
  }

  template <class F>
  void quantizations(std::size_t v, F& f) {
    const auto& old = whole_.values[v].quant;
    const auto channels = old.channels == 0 ? 1 : old.channels;
    const auto with = [&](std::string_view kind, const baton::quantization& quant) {
      auto damaged = copy();
      damaged.values[v].quant = quant;
      f(kind, damaged);
    };
    using limits = std::numeric_limits<float>;
    for (const auto scale : {0.0f, -0.5f, limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::max(), 1.0f}) {
      with("scale", {kept(bytes_of(scale, channels)), old.zero_points, channels, old.axis});
      if (channels == 1) continue;
      auto one = bytes_of(0.5f, channels - 1) + bytes_of(scale);
      with("scale", {kept(std::move(one)), old.zero_points, channels, old.axis});
    }
    for (const auto zero_point : {lowest, std::int64_t{-32769}, std::int64_t{-129}, std::int64_t{-1}, std::int64_t{7}, std::int64_t{128},
                                  std::int64_t{256}, std::int64_t{32768}, std::int64_t{1} << 31, highest}) {
      with("zero point",
           {old.scales.size == 0 ? kept(bytes_of(0.5f)) : old.scales, kept(bytes_of(zero_point, channels)), channels, old.axis});
    }
    for (const std::uint32_t count : {0u, 1u, 2u, channels + 1, 1000u}) {
      for (const auto axis : {old.axis, -1, 0, 1, 3, 100}) {
        with("channels", {kept(bytes_of(0.25f, count)), kept(bytes_of(std::int64_t{0}, count)), count, axis});
      }
      with("channels", {old.scales, old.zero_points, count, old.axis});
      with("channels", {kept(bytes_of(0.25f, count)), kept(bytes_of(std::int64_t{1}, count == 0 ? 0 : count - 1)), count, old.axis});
    }
  }

  template <class F>
  void bytes(std::size_t v, F& f) {
    const auto& old = whole_.values[v];
    if (!baton::is_owned_data(old.kind)) return;
    const auto data = whole_.data(old.data);
    const std::string whole(data.begin(), data.end());
    const auto with = [&](std::string_view kind, std::string bytes) {
      auto damaged = copy();
      damaged.values[v].data = kept(std::move(bytes));
      f(kind, damaged);
    };
    with("no data", "");
    with("less data", whole.substr(0, whole.size() / 2));
    with("less data", whole.substr(0, whole.size() - (whole.empty() ? 0 : 1)));
    with("more data", whole + "x");
    const bool is_long = old.type == baton::dtype::int64;
    if (!is_long && old.type != baton::dtype::int32) return;
    const std::size_t width = is_long ? 8 : 4;
    for (std::size_t at = 0; at + width <= whole.size() && at < 8 * width; at += width) {
      for (const auto number :
           {std::numeric_limits<std::int32_t>::min(), -100, -1, 0, 1, 2, 9, 1 << 20, std::numeric_limits<std::int32_t>::max()}) {
        auto bytes = whole;
        const auto wide = static_cast<std::int64_t>(number);
        std::memcpy(bytes.data() + at, &wide, width);  // all machines that run these tests are little-endian
        with("constant", bytes);
      }
    }
  }

  template <class F>
  void options(std::size_t a, F& f) {
    const auto& old = whole_.attributes[a];
    const auto with = [&](auto change) {
      auto damaged = copy();
      change(damaged.attributes[a], damaged);
      f("option", damaged);
    };
    with([](auto& option, auto&) { option.key ^= 1; });  // absent
    for (const auto number : {lowest, std::int64_t{-1000}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{5},
                              std::int64_t{1} << 16, std::int64_t{1} << 31, highest}) {
      with([&](auto& option, auto&) { option.integer = number; });
      if (old.kind == baton::attribute_kind::integers && old.list.size != 0) {
        with([&](auto& option, auto& damaged) { damaged.integers[option.list.first] = number; });
      }
    }
    for (const auto number : {0.0, -1.0, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      if (old.kind == baton::attribute_kind::real) with([&](auto& option, auto&) { option.real = number; });
    }
    if (old.kind != baton::attribute_kind::text && old.kind != baton::attribute_kind::bytes) return;
    for (const std::string_view text :
         {"", "other", "same", "valid", "none", "relu", "relu6", "relu_n1_to_1", "tanh", "sign_bit", "reflect"}) {
      with([&](auto& option, auto&) { option.bytes = kept(std::string(text)); });
    }
  }

  template <class F>
  void operands(std::size_t o, F& f) {
    for (std::size_t v = 0; v <= whole_.values.size(); ++v) {
      auto damaged = copy();
      damaged.operands[o] = v == whole_.values.size() ? baton::none<baton::value_id> : static_cast<baton::value_id>(v);
      f("operand", damaged);
    }
  }

  template <class F>
  void counts(F& f) {
    for (std::size_t n = 0; n < whole_.nodes.size(); ++n) {
      for (std::uint32_t left = 0; left < whole_.nodes[n].inputs.size; ++left) {
        auto damaged = copy();
        damaged.nodes[n].inputs.size = left;
        f("operands", damaged);
      }
      for (std::uint32_t left = 0; left < whole_.nodes[n].outputs.size; ++left) {
        auto damaged = copy();
        damaged.nodes[n].outputs.size = left;
        f("outputs", damaged);
      }
    }
  }

  const baton::exported_program& whole_;
  std::deque<std::string> texts_;
};

}  // namespace nodes
