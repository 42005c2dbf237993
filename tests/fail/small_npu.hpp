// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A minimal backend, its partitioner, and a minimal program.
#pragma once

#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using partitioner = baton::by_support<npu, baton::operator_names<"test.copy">>;
