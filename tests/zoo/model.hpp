// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a test of a zoo model knows of the executor that runs it, so that its translation unit compiles the model and no more.
#pragma once

#include <cstddef>
#include <string_view>

namespace zoo {

struct tensor {
  char* data;
  std::size_t size;
  bool is_float;
};

/// A compiled model: where its inputs and outputs lie, and how it runs once.
struct model {
  std::string_view name;
  const tensor* inputs;
  std::size_t input_count;
  const tensor* outputs;
  std::size_t output_count;
  void (*run)();
};

/// The model that this test is of.
auto compiled_model() -> model;

}  // namespace zoo
