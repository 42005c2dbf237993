// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the model that is compiled into the program, on arrays of NumPy or on labeled samples:
//   program arrays INPUTS OUTPUTS [--integers]
//   program samples LIST CLASSES
// INPUTS and OUTPUTS are the names of .npy files, separated by commas: one for each tensor. Inputs of real numbers are quantized, and
// outputs are converted to real numbers, with the scales of the model. With --integers, outputs keep their type.
// LIST has a line for each sample: its class (an index of the first output), a tab, and a file: .npy, or raw bytes. CLASSES has the names
// of the classes, one per line. Prints the accuracy and the confusion matrix.
// `baton run --npy` and `baton evaluate` build the program.
#include "compiled_model.hpp"
#include "npy.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using compiled::executor;
using compiled::net;

auto inputs_of_net() -> std::vector<baton::tensor_info> {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<baton::tensor_info>{baton::tensor_info(executor::input_info<I>())...};
  }(std::make_index_sequence<executor::input_count>{});
}
auto outputs_of_net() -> std::vector<baton::tensor_info> {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<baton::tensor_info>{baton::tensor_info(executor::output_info<I>())...};
  }(std::make_index_sequence<executor::output_count>{});
}

auto split(std::string_view names) -> std::vector<std::string> {
  std::vector<std::string> result;
  for (std::size_t at = 0; at <= names.size();) {
    const auto end = std::min(names.find(',', at), names.size());
    result.emplace_back(names.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

/// True if there is one file for each tensor. Otherwise, prints a line.
auto has_files(const char* role, const std::vector<std::string>& files, const std::vector<baton::tensor_info>& tensors) -> bool {
  if (files.size() == tensors.size()) return true;
  std::fprintf(stderr, "the model has %zu %s, but %zu files are given; separate them by commas\n", tensors.size(), role, files.size());
  return false;
}

/// Reads an array and appends its elements, as those of `tensor`. The number of inferences is set by the first array, and must be equal
/// for the others.
auto read_input(const std::string& file, const baton::tensor_info& tensor, std::int64_t& inferences, std::vector<char>& to) -> bool {
  npy::array array;
  if (!npy::read(file.c_str(), array)) return false;
  const auto count = npy::inferences(array, tensor);
  if (count < 1) {
    return npy::refuse(file, "its shape is " + npy::shape_text(array.shape) + "; the model needs " + npy::shape_text(tensor.shape) +
                                 ", or several arrays of this shape");
  }
  if (inferences != 0 && count != inferences) {
    return npy::refuse(file, "it has " + std::to_string(count) + " inferences, but another input has " + std::to_string(inferences));
  }
  inferences = count;
  return npy::to_tensors(file.c_str(), array, tensor, static_cast<std::size_t>(count), to);
}

auto run_arrays(std::string_view inputs, std::string_view outputs, bool wants_integers) -> int {
  const auto in = inputs_of_net(), out = outputs_of_net();
  const auto in_files = split(inputs), out_files = split(outputs);
  if (!has_files("inputs", in_files, in) || !has_files("outputs", out_files, out)) return 1;
  std::int64_t inferences = in.empty() ? 1 : 0;
  std::vector<std::vector<char>> arrays(in.size()), computed(out.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!read_input(in_files[i], in[i], inferences, arrays[i])) return 1;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (npy::type_of(out[i].type).empty()) {
      npy::refuse(out_files[i], "NumPy has no " + std::string(baton::facts(out[i].type).name) + "; run the model without --npy");
      return 1;
    }
  }
  for (std::size_t n = 0; n < static_cast<std::size_t>(inferences); ++n) {
    std::vector<char> bytes;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto* const from = arrays[i].data() + n * in[i].bytes;
      bytes.insert(bytes.end(), from, from + in[i].bytes);
    }
    if (!compiled::infer(bytes.data())) return 1;
    const auto result = output_bytes(net);
    const auto* from = result.data();
    for (std::size_t i = 0; i < out.size(); ++i) {
      computed[i].insert(computed[i].end(), from, from + out[i].bytes);
      from += out[i].bytes;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto array = npy::from_tensors(computed[i], out[i], static_cast<std::size_t>(inferences), wants_integers);
    if (!npy::write(out_files[i].c_str(), array)) return 1;
  }
  return 0;
}

auto read_lines(const char* path, std::vector<std::string>& to) -> bool {
  const auto file = read_file(path);
  if (!file.ok) return false;
  std::string line;
  for (const char c : file.bytes) {
    if (c != '\n') line += c;
    if (c == '\n') to.push_back(std::exchange(line, {}));
  }
  if (!line.empty()) to.push_back(line);
  return true;
}

/// Returns the index of the largest element of the first output.
auto predicted_class(const baton::tensor_info& output) -> std::size_t {
  const auto bytes = output_bytes(net);
  std::vector<float> scores(output.elements);
  if (npy::is_quantized(output)) {
    scores = npy::reals_of(output, bytes.data());
  } else {
    std::memcpy(scores.data(), bytes.data(), output.bytes);
  }
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

void print_confusion(const std::vector<std::string>& classes, const std::vector<std::size_t>& counts, std::size_t columns) {
  std::size_t label = 7, cell = 1;
  for (const auto& name : classes) label = std::max(label, name.size());
  for (const auto count : counts) cell = std::max(cell, std::to_string(count).size());
  cell = std::max(cell, std::to_string(columns - 1).size());
  std::printf("confusion (a row for each class, a column for each prediction)\n%*s", static_cast<int>(label), "");
  for (std::size_t c = 0; c < columns; ++c) std::printf(" %*zu", static_cast<int>(cell), c);
  std::printf("  correct\n");
  for (std::size_t r = 0; r < columns; ++r) {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += counts[r * columns + c];
    if (sum == 0) continue;
    std::printf("%*s", static_cast<int>(label), r < classes.size() ? classes[r].c_str() : std::to_string(r).c_str());
    for (std::size_t c = 0; c < columns; ++c) std::printf(" %*zu", static_cast<int>(cell), counts[r * columns + c]);
    std::printf("  %5.1f %%\n", 100.0 * static_cast<double>(counts[r * columns + r]) / static_cast<double>(sum));
  }
}

auto run_samples(const char* list, const char* names) -> int {
  const auto in = inputs_of_net(), out = outputs_of_net();
  if (in.size() != 1 || out.empty() || (!npy::is_quantized(out[0]) && out[0].type != baton::dtype::float32)) {
    std::fprintf(stderr, "the model is not a classifier: a classifier has one input, and its first output is quantized or float32\n");
    return 1;
  }
  std::vector<std::string> samples, classes;
  if (!read_lines(list, samples) || !read_lines(names, classes)) return 1;
  const auto columns = out[0].elements;
  std::vector<std::size_t> counts(columns * columns);
  std::size_t correct = 0;
  for (const auto& line : samples) {
    if (line.empty()) continue;
    const auto tab = std::min(line.find('\t'), line.size() - 1);
    const auto path = line.substr(tab + 1);
    std::size_t label = columns;
    std::from_chars(line.data(), line.data() + tab, label);
    if (label >= columns) {
      npy::refuse(path, "its class has index " + std::to_string(label) + ", but the model has " + std::to_string(columns) + " classes");
      return 1;
    }
    std::vector<char> bytes;
    std::int64_t inferences = 0;
    if (path.ends_with(".npy")) {
      if (!read_input(path, in[0], inferences, bytes)) return 1;
      if (inferences != 1) {
        npy::refuse(path, "it has the inputs of several inferences; a sample needs the input of one");
        return 1;
      }
    } else {
      auto file = read_exactly(path.c_str(), in[0].bytes, "the input of the model");
      if (!file.ok) return 1;
      bytes = std::move(file.bytes);
    }
    net.reset();  // the samples do not share states
    if (!compiled::infer(bytes.data())) return 1;
    const auto predicted = predicted_class(out[0]);
    ++counts[label * columns + predicted];
    if (predicted == label) ++correct;
  }
  const auto all = static_cast<double>(samples.size());
  std::printf("accuracy: %zu of %zu, %.2f %%\n", correct, samples.size(), 100.0 * static_cast<double>(correct) / all);
  print_confusion(classes, counts, columns);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fprintf(stderr, "cannot write the result: %s\n", std::strerror(errno));
  return 1;
}

}  // namespace

auto main(int count, char** words) -> int {
  const std::string_view mode = count > 1 ? words[1] : "";
  const bool wants_integers = count == 5 && std::string_view{words[4]} == "--integers";
  if (mode == "arrays" && (count == 4 || wants_integers)) return run_arrays(words[2], words[3], wants_integers);
  if (mode == "samples" && count == 4) return run_samples(words[2], words[3]);
  std::fprintf(stderr, "usage: %s arrays INPUTS OUTPUTS [--integers]\n       %s samples LIST CLASSES\n", words[0], words[0]);
  return 2;
}
