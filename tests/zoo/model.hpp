// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface between a zoo test and its compiled models, so that their translation unit contains nothing else.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace zoo {

struct tensor {
  char* data;
  std::size_t size;
  bool is_float;
};

/// A compiled model: the memory of its inputs and outputs, and a function that runs it once.
struct model {
  std::string_view name;
  const tensor* inputs;
  std::size_t input_count;
  const tensor* outputs;
  std::size_t output_count;
  void (*run)();
};

/// Returns the models of this program.
auto compiled_models() -> std::vector<model>;

}  // namespace zoo
