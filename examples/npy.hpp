// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arrays of NumPy (.npy, format versions 1 to 3), and their conversion to and from the tensors of a model.
// Source of the format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/run/quantize.hpp>
#include <baton/run/tensor_info.hpp>

#include "tools.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace npy {

/// An array: the type of its elements as in the file (`<f4`, `|i1`), its shape, and its elements in row-major order.
struct array {
  std::string type;
  std::vector<std::int64_t> shape;
  std::vector<char> bytes;
};

/// Prints a line to standard error. Returns false.
inline auto refuse(std::string_view path, const std::string& why) -> bool {
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(path.size()), path.data(), why.c_str());
  return false;
}

/// Returns the size of an element in bytes, or 0 if the type is neither a little-endian number nor a boolean.
inline auto element_size(std::string_view type) -> std::size_t {
  for (const auto* const known : {"|b1", "|i1", "|u1", "<i2", "<u2", "<f2", "<i4", "<u4", "<f4", "<i8", "<u8", "<f8"}) {
    if (type == known) return static_cast<std::size_t>(type[2] - '0');
  }
  return 0;
}

/// Returns the type of NumPy for the elements of a tensor; empty if there is none.
inline auto type_of(baton::dtype type) -> std::string_view {
  switch (type) {
    case baton::dtype::boolean:
      return "|b1";
    case baton::dtype::int8:
      return "|i1";
    case baton::dtype::uint8:
      return "|u1";
    case baton::dtype::int16:
      return "<i2";
    case baton::dtype::uint16:
      return "<u2";
    case baton::dtype::float16:
      return "<f2";
    case baton::dtype::int32:
      return "<i4";
    case baton::dtype::uint32:
      return "<u4";
    case baton::dtype::float32:
      return "<f4";
    case baton::dtype::int64:
      return "<i8";
    case baton::dtype::uint64:
      return "<u8";
    case baton::dtype::float64:
      return "<f8";
    default:
      return {};
  }
}

/// Returns a shape as text, as `[1,8,8,1]`.
template <class Shape>
auto shape_text(const Shape& shape) -> std::string {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + "]";
}

/// Returns the text after a key of the header, which is a Python dictionary; empty if the key is missing.
inline auto value_of(std::string_view header, std::string_view key) -> std::string_view {
  const auto at = header.find(key);
  if (at == std::string_view::npos) return {};
  auto value = header.substr(at + key.size());
  while (value.starts_with(' ') || value.starts_with(':')) value.remove_prefix(1);
  return value;
}

/// Reads the dictionary of a header. Returns why it is not supported; empty if it is.
inline auto read_header(std::string_view header, array& to) -> std::string {
  auto type = value_of(header, "'descr'");
  if (!type.starts_with('\'')) return "its elements are not numbers; save an array of numbers";
  type = type.substr(1, type.find('\'', 1) - 1);
  to.type = std::string(type);
  if (element_size(type) == 0) return "its elements are " + to.type + "; convert them to float32 (array.astype('<f4'))";
  if (!value_of(header, "'fortran_order'").starts_with("False")) return "its order is that of Fortran; save numpy.ascontiguousarray(array)";
  auto shape = value_of(header, "'shape'");
  if (!shape.starts_with('(')) return "it has no shape; save it again with numpy.save";
  shape = shape.substr(1, shape.find(')') - 1);
  while (!shape.empty()) {
    std::int64_t size = 0;
    const auto read = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (read.ec != std::errc{} || size < 0) return "its shape cannot be read; save it again with numpy.save";
    to.shape.push_back(size);
    shape.remove_prefix(static_cast<std::size_t>(read.ptr - shape.data()));
    while (shape.starts_with(',') || shape.starts_with(' ')) shape.remove_prefix(1);
  }
  return {};
}

/// Reads a file. If that fails, prints one line to standard error.
inline auto read(const char* path, array& to) -> bool {
  auto file = read_file(path);
  if (!file.ok) return false;
  const auto byte = [&file](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(file.bytes[at])); };
  const std::string_view text{file.bytes.data(), file.bytes.size()};
  if (text.size() < 12 || !text.starts_with("\x93NUMPY")) return refuse(path, "it is not a file of numpy.save (.npy)");
  const bool is_short = byte(6) == 1;
  const std::size_t begin = is_short ? 10 : 12;
  const std::size_t size = byte(8) + (byte(9) << 8) + (is_short ? 0 : (byte(10) << 16) + (byte(11) << 24));
  if (byte(6) < 1 || byte(6) > 3 || size > text.size() - begin) return refuse(path, "its header is damaged; save it again with numpy.save");
  if (const auto why = read_header(text.substr(begin, size), to); !why.empty()) return refuse(path, why);
  file.bytes.erase(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
  // Divides, because the product of the sizes may overflow.
  std::size_t elements = file.bytes.size() / element_size(to.type), left = elements;
  bool is_whole = file.bytes.size() % element_size(to.type) == 0;
  bool is_empty = false;
  for (const auto each : to.shape) is_empty = is_empty || each == 0;
  for (const auto each : to.shape) {
    if (is_empty) break;
    is_whole = is_whole && left % static_cast<std::size_t>(each) == 0;
    left /= static_cast<std::size_t>(each);
  }
  if (!is_whole || (is_empty ? elements != 0 : left != 1)) {
    return refuse(path, "its shape is " + shape_text(to.shape) + ", but it has " + std::to_string(elements) + " elements; it is damaged");
  }
  to.bytes = std::move(file.bytes);
  return true;
}

/// Writes a file. If that fails, prints one line to standard error.
inline auto write(const char* path, const array& from) -> bool {
  std::string shape;
  for (const auto each : from.shape) shape += std::to_string(each) + ", ";
  if (from.shape.size() > 1) shape.resize(shape.size() - 2);
  if (from.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string header = "{'descr': '" + from.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10, ' ');  // the elements begin at a multiple of 64
  header.back() = '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(header.size() & 255);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(from.bytes.data(), from.bytes.size());
  return write_file(path, baton::span<const char>{text.data(), text.size()});
}

/// Returns the number of inferences whose inputs an array contains, or -1 if its shape does not fit. The shape is that of the tensor, maybe
/// with the number of inferences before it, or in place of a first dimension of 1.
inline auto inferences(const array& from, const baton::tensor_info& tensor) -> std::int64_t {
  const auto ends_with = [&from](baton::span<const std::int64_t> shape) {
    const auto before = from.shape.size() - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (from.shape[before + i] != shape[i]) return false;
    }
    return true;
  };
  const auto rank = tensor.shape.size();
  if (from.shape.size() == rank && ends_with(tensor.shape)) return 1;
  if (from.shape.size() == rank + 1 && ends_with(tensor.shape)) return from.shape[0];
  if (rank == 0 || tensor.shape[0] != 1) return -1;
  const baton::span<const std::int64_t> sample_shape{tensor.shape.data() + 1, rank - 1};
  if (from.shape.size() == rank && ends_with(sample_shape)) return from.shape[0];
  return from.shape.size() + 1 == rank && ends_with(sample_shape) ? 1 : -1;
}

/// True if the integers of a tensor represent real numbers.
inline auto is_quantized(const baton::tensor_info& tensor) -> bool {
  const bool is_integer = tensor.type == baton::dtype::int8 || tensor.type == baton::dtype::uint8 || tensor.type == baton::dtype::int16 ||
                          tensor.type == baton::dtype::int32;
  return is_integer && !tensor.scales.empty();
}

/// Converts the elements of an array to those of `count` tensors. Real numbers are quantized if the tensor is. If the types do not fit,
/// prints one line to standard error.
inline auto to_tensors(const char* path, const array& from, const baton::tensor_info& tensor, std::size_t count, std::vector<char>& to)
    -> bool {
  if (from.type == type_of(tensor.type)) {
    to = from.bytes;
    return true;
  }
  const bool is_double = from.type == "<f8";
  if ((!is_double && from.type != "<f4") || (!is_quantized(tensor) && tensor.type != baton::dtype::float32)) {
    return refuse(path, "its elements are " + from.type + "; the model needs " + std::string(baton::facts(tensor.type).name) +
                            (is_quantized(tensor) ? ", or float32 for real numbers" : ""));
  }
  std::vector<float> reals(count * tensor.elements);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    double real = 0;
    if (is_double) std::memcpy(&real, from.bytes.data() + i * sizeof real, sizeof real);
    if (is_double) reals[i] = static_cast<float>(real);
    if (!is_double) std::memcpy(&reals[i], from.bytes.data() + i * sizeof(float), sizeof(float));
  }
  to.resize(count * tensor.bytes);
  for (std::size_t n = 0; n < count; ++n) {
    const std::span<const float> source{reals.data() + n * tensor.elements, tensor.elements};
    const std::span<char> target{to.data() + n * tensor.bytes, tensor.bytes};
    if (is_quantized(tensor)) {
      baton::quantize(tensor, source, target);
    } else {
      std::memcpy(target.data(), source.data(), target.size());
    }
  }
  return true;
}

/// Returns the real numbers that the integers of a tensor represent.
inline auto reals_of(const baton::tensor_info& tensor, const char* from) -> std::vector<float> {
  std::vector<float> reals(tensor.elements);
  baton::dequantize(tensor, std::span<const char>{from, tensor.bytes}, std::span<float>{reals});
  return reals;
}

/// Converts the elements of `count` tensors to an array: to real numbers if the tensor is quantized and `wants_integers` is false.
inline auto from_tensors(const std::vector<char>& from, const baton::tensor_info& tensor, std::size_t count, bool wants_integers) -> array {
  array result;
  result.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (count != 1 && !result.shape.empty() && result.shape[0] == 1) {
    result.shape[0] = static_cast<std::int64_t>(count);
  } else if (count != 1) {
    result.shape.insert(result.shape.begin(), static_cast<std::int64_t>(count));
  }
  if (!is_quantized(tensor) || wants_integers) {
    result.type = std::string(type_of(tensor.type));
    result.bytes = from;
    return result;
  }
  result.type = "<f4";
  result.bytes.resize(count * tensor.elements * sizeof(float));
  for (std::size_t n = 0; n < count; ++n) {
    const auto reals = reals_of(tensor, from.data() + n * tensor.bytes);
    std::memcpy(result.bytes.data() + n * tensor.elements * sizeof(float), reals.data(), tensor.elements * sizeof(float));
  }
  return result;
}

}  // namespace npy
