// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The line of Python that an operator comes from. Importers do not store these lines in the program, so that the program remains small.
// Tools read the lines at run time.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>

namespace baton {

/// A line of Python: the innermost frame of a stack trace that is not in PyTorch. If all frames are in PyTorch, the line is the innermost
/// frame. All members are empty or 0 if there is no stack trace.
struct source_line {
  text_buffer file;         ///< the path as in the stack trace
  std::int64_t number = 0;  ///< counted from 1
  text_buffer function;
  text_buffer text;  ///< the text of the line, without the blanks at both ends; empty if the trace does not state it
};

}  // namespace baton
