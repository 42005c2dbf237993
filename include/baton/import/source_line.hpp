// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The line of Python that an operator comes from. Importers skip these lines, so that constants stay small; tools read them at run time.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>

namespace baton {

/// A line of Python: the innermost frame of a stack trace that is not in PyTorch. If all frames are in PyTorch, the innermost one. Empty if
/// there is no stack trace.
struct source_line {
  text_buffer file;  ///< as in the stack trace
  std::int64_t number = 0;
  text_buffer function;
  text_buffer text;  ///< of the line, without the blanks at both ends; empty if the trace has none
};

}  // namespace baton
