// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes small ExecuTorch programs, at compile time and at run time: values and instructions first, then the methods, then the file.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_schema.hpp>

#include "import/flatbuffer_writer.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// A tensor. It is in planned memory if `offset` is not negative.
struct pte_tensor {
  std::initializer_list<std::int32_t> sizes{};
  std::int32_t offset = -1;
  std::int32_t buffer = 0;  ///< the number of its data; of a constant, or of the initial value of a placed tensor
  std::string_view name{};
  std::initializer_list<std::uint8_t> order{};
  int type = 6;  ///< float32
  bool is_external = false;
  int dynamism = 0;
};

class pte_writer : public flatbuffer_writer {
 public:
  using value_type = baton::pte::value_type;
  using numbers = std::initializer_list<std::int32_t>;

  // Values; each function returns the number of the value

  constexpr auto integer(std::int64_t number) -> std::int32_t { return add(value_type::integer, table({long_field(0, number)})); }
  constexpr auto boolean(bool value) -> std::int32_t { return add(value_type::boolean, table({byte_field(0, value ? 1 : 0)})); }
  constexpr auto real(double number) -> std::int32_t {
    return add(value_type::real, table({long_field(0, std::bit_cast<std::int64_t>(number))}));
  }
  constexpr auto null() -> std::int32_t { return add(value_type::null, table({})); }
  constexpr auto words(std::string_view characters) -> std::int32_t {
    return add(value_type::text, table({offset_field(0, text(characters))}));
  }
  constexpr auto integers(std::initializer_list<std::int64_t> values) -> std::int32_t {
    return add(value_type::integers, table({offset_field(0, vector(values))}));
  }
  constexpr auto reals(std::initializer_list<double> values) -> std::int32_t {
    return add(value_type::reals, table({offset_field(0, vector(values))}));
  }
  constexpr auto tensors(numbers values, value_type type = value_type::tensors) -> std::int32_t {
    return add(type, table({offset_field(0, vector(values))}));
  }
  constexpr auto tensor(const pte_tensor& facts) -> std::int32_t {
    using slot = baton::pte::slot::tensor;
    const auto sizes = vector(facts.sizes);
    auto order = vector(facts.order);
    if (facts.order.size() == 0) {
      baton::vector<std::uint8_t> identity;
      for (std::size_t i = 0; i < facts.sizes.size(); ++i) identity.push_back(static_cast<std::uint8_t>(i));
      order = vector(baton::span<const std::uint8_t>{identity});
    }
    const auto place = facts.offset < 0 ? 0 : table({int_field(0, 1), int_field(1, facts.offset)});
    reference extra = 0;
    if (!facts.name.empty()) extra = table({offset_field(1, text(facts.name)), byte_field(2, facts.is_external ? 1 : 0)});
    return add(value_type::tensor,
               table({byte_field(slot::scalar_type, facts.type), offset_field(slot::sizes, sizes), offset_field(slot::dim_order, order),
                      int_field(slot::data_buffer_idx, facts.buffer), offset_field(slot::allocation_info, place),
                      byte_field(slot::shape_dynamism, facts.dynamism), offset_field(slot::extra_tensor_info, extra)}));
  }

  // Instructions

  constexpr void call(std::string_view name, std::string_view overload, numbers arguments) {
    const auto n = text(name), o = text(overload);
    operators_.push_back(table({offset_field(0, n), offset_field(1, o)}));
    call_again(arguments);
  }
  /// Calls the operator of the last call.
  constexpr void call_again(numbers arguments) {
    const auto list = vector(arguments);
    add_instruction(1, table({int_field(0, static_cast<std::int32_t>(operators_.size() - 1)), offset_field(1, list)}));
  }
  constexpr void delegate_call(std::int32_t delegate, numbers arguments) {
    const auto list = vector(arguments);
    add_instruction(2, table({int_field(0, delegate), offset_field(1, list)}));
  }
  constexpr void move(std::int32_t from, std::int32_t to) { add_instruction(3, table({int_field(0, from), int_field(1, to)})); }
  constexpr void jump_false(std::int32_t condition, std::int32_t to) {
    add_instruction(4, table({int_field(0, condition), int_field(1, to)}));
  }
  /// Adds a delegate with one compile spec. Its processed bytes are entry `index` of the inline data, or of the segments. If
  /// `location` is negative, they are missing.
  constexpr void delegate(std::string_view id, int location, std::int32_t index) {
    const auto key = text("mode"), value = text("fast"), name = text(id);
    const auto specs = offsets({table({offset_field(0, key), offset_field(1, value)})});
    const auto data = location < 0 ? 0 : table({byte_field(0, location), int_field(1, index)});
    delegates_.push_back(table({offset_field(0, name), offset_field(1, data), offset_field(2, specs)}));
  }

  /// Ends a method. The next one begins with value 0.
  constexpr void method(numbers inputs, numbers outputs, std::string_view name = "forward", int chains = 1) {
    using slot = baton::pte::slot::execution_plan;
    const auto chain = table({offset_field(2, offsets(instructions_))});
    baton::vector<reference> all(static_cast<std::size_t>(chains), chain);
    const auto c = offsets(all), v = offsets(values_), i = vector(inputs), o = vector(outputs), p = offsets(operators_),
               d = offsets(delegates_), n = text(name), planned = vector<std::int64_t>({0, 16 * static_cast<std::int64_t>(values_.size())});
    methods_.push_back(table({offset_field(slot::name, n), offset_field(slot::values, v), offset_field(slot::inputs, i),
                              offset_field(slot::outputs, o), offset_field(slot::chains, c), offset_field(slot::operators, p),
                              offset_field(slot::delegates, d), offset_field(slot::non_const_buffer_sizes, planned)}));
    values_.clear();
    instructions_.clear();
    operators_.clear();
    delegates_.clear();
  }

  // The file

  /// Returns a file whose segment 0 is `segment`. Constant i and initial value i are at byte 8 · i of the segment. Named data are the whole
  /// segment.
  constexpr auto file(std::string_view segment = {}, std::string_view inline_data = "inline bytes") -> baton::vector<char> {
    using slot = baton::pte::slot::program;
    const auto s = offsets({table({long_field(0, 0), long_field(1, static_cast<std::int64_t>(segment.size()))})});
    baton::vector<std::uint64_t> places;
    for (std::size_t at = 0; at <= segment.size(); at += 8) places.push_back(at);
    const auto constants = table({int_field(0, 0), offset_field(1, vector(baton::span<const std::uint64_t>{places}))});
    const auto initial = offsets({table({int_field(0, 0), offset_field(1, vector(baton::span<const std::uint64_t>{places}))})});
    const auto data = offsets({table({offset_field(0, text(inline_data))})});
    const auto named = offsets({table({offset_field(0, text("key")), int_field(1, 0)})});
    const auto m = offsets(methods_);
    const auto root = table({offset_field(slot::execution_plan, m), offset_field(slot::backend_delegate_data, data),
                             offset_field(slot::segments, s), offset_field(slot::constant_segment, constants),
                             offset_field(slot::mutable_data_segments, initial), offset_field(slot::named_data, named)});
    const auto size = reversed_.size() + 40;
    put(segment.size(), 8);
    put(size, 8);
    put(size, 8);
    put(32, 4);
    put_text("eh00");
    auto bytes = finish(root, baton::pte::program_identifier);
    for (const char c : segment) bytes.push_back(c);
    return bytes;
  }
  /// Returns a file as writers before segments existed wrote it: constants are in tables.
  constexpr auto old_file(std::string_view constant) -> baton::vector<char> {
    using slot = baton::pte::slot::program;
    const auto nothing = table({}), data = table({offset_field(0, text(constant))});
    const auto constants = offsets({nothing, data});
    const auto m = offsets(methods_);
    return finish(table({offset_field(slot::execution_plan, m), offset_field(slot::constant_buffer, constants)}),
                  baton::pte::program_identifier);
  }

 private:
  constexpr auto add(value_type type, reference value) -> std::int32_t {
    values_.push_back(table({byte_field(0, static_cast<int>(type)), offset_field(1, value)}));
    return static_cast<std::int32_t>(values_.size() - 1);
  }
  constexpr void add_instruction(int type, reference arguments) {
    instructions_.push_back(table({byte_field(0, type), offset_field(1, arguments)}));
  }
  constexpr void put_text(std::string_view characters) {
    for (std::size_t i = characters.size(); i-- > 0;) reversed_.push_back(characters[i]);
  }

  baton::vector<reference> values_, instructions_, operators_, delegates_, methods_;
};

/// Returns a file with one tensor (.ptd). Its segment has `excess` bytes more than the file.
constexpr auto tensor_file(std::string_view key, std::string_view data, std::int64_t excess = 0) -> baton::vector<char> {
  struct writer : flatbuffer_writer {
    constexpr auto run(std::string_view name, std::string_view bytes, std::int64_t more) -> baton::vector<char> {
      const auto segments = offsets({table({long_field(0, 0), long_field(1, static_cast<std::int64_t>(bytes.size()) + more)})});
      const auto named = offsets({table({offset_field(0, text(name)), int_field(1, 0)})});
      const auto root = table({offset_field(1, segments), offset_field(2, named)});
      const auto size = reversed_.size() + 48;
      put(bytes.size(), 8);
      put(size, 8);
      put(size - 48, 8);
      put(48, 8);
      put(40, 4);
      for (const char c : {'1', '0', 'H', 'F'}) reversed_.push_back(c);
      auto file = finish(root, baton::pte::data_identifier);
      for (const char c : bytes) file.push_back(c);
      return file;
    }
  };
  return writer{}.run(key, data, excess);
}

}  // namespace tests
