// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The line of Python that an operator comes from. Importers do not store these lines in the program, so that the program remains small.
// Tools read the lines at run time.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>

namespace baton {

/// A line of Python from a stack trace: the line of the innermost frame whose file is not part of PyTorch. If all files are part of
/// PyTorch, it is the line of the innermost frame. All members are empty or 0 if there is no stack trace.
struct source_line {
  text_buffer file;         ///< the path as in the stack trace
  std::int64_t number = 0;  ///< counted from 1
  text_buffer function;
  text_buffer text;  ///< the text of the line, without the blanks at both ends; empty if the trace does not state it
};

}  // namespace baton
