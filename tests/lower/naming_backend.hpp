// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that only stores named data. Tests use it instead of a backend for each error.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <type_traits>
#include <utility>

/// Fills its store with `Fill(store)` or `Fill(store, part)`, which return the failure if there is one.
template <auto Fill, baton::fixed_string Id = "Npu">
struct naming_backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::preprocess_result processed;
    baton::failure why;
    if constexpr (std::is_invocable_v<decltype(Fill), baton::named_data_store&>) {
      why = Fill(processed.named_data);
    } else {
      why = Fill(processed.named_data, baton::program_view(part));
    }
    if (why) return why;
    return processed;
  }
};
