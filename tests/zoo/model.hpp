// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface between a zoo test and its compiled model, so that the translation unit of the model contains nothing else.
#pragma once

#include <cstddef>
#include <string_view>

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

/// Returns the model of this test.
auto compiled_model() -> model;

}  // namespace zoo
