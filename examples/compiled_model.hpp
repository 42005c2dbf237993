// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The model that is compiled into a program, for the tools that run it. `compile_model` of tools/build.sh builds them: it generates
// model.hpp from the model's file and defines CHOICE (a choice of choices.hpp), CHOICE_HEADER (its file), ENTRY (the name of an entry
// point, or empty), and IMPORTERS (a list of importers).
#pragma once

#include "all_kernels.hpp"
#include "model.hpp"
#include "tools.hpp"

#include CHOICE_HEADER

#include <cstdio>

#if !defined(ENTRY)
#define ENTRY ""  // the default entry point
#endif
#if !defined(IMPORTERS)
#define IMPORTERS baton::default_importers
#endif

namespace compiled {

inline constexpr auto lowered = choices::CHOICE::lower(baton::read_model<model, IMPORTERS, ENTRY>);
using executor = baton::executor<lowered, baton::with_kernels<choices::kernels>>;
inline executor net;

/// Runs one inference on the concatenated inputs at `from`. Returns false and prints the message of the failure if a delegate failed.
inline auto infer(const char* from) -> bool {
  ::infer(net, from);
  if (net.last_failure().code == baton::status::ok) return true;
  const auto sentence = baton::message(baton::explain(lowered, net.last_failure()));
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
  return false;
}

}  // namespace compiled
