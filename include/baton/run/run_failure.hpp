// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which delegate failed, at what, and how: as numbers on the target, as a sentence for who asks.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/run/rules.hpp>
#include <baton/run/status.hpp>

#include <cstdint>

namespace baton {

/// A step of a delegate's life.
enum class life_step : std::uint8_t { none, availability, loading, named_data, init, execution };

/// The last failure of an executor; `code` is `ok` where nothing failed.
struct run_failure {
  status code = status::ok;
  life_step step = life_step::none;
  node_id node = none<node_id>;  ///< the call, or the first call of the delegate
  delegate_id delegate = none<delegate_id>;
  std::uint32_t named_data = 0xffffffffu;  ///< where a key is concerned, its position in the program's named data

  constexpr auto operator==(const run_failure&) const -> bool = default;
};

/// The sentence of a failure, with its facts: node, backend, and the status in the reason. Rules: `unavailable_backend`, `unloaded_blob`,
/// `ambiguous_named_data`, `failed_init`, `failed_execute`. For hosts and debuggers: it needs the program.
constexpr auto explain(const program_view& program, const run_failure& what) -> failure {
  if (what.code == status::ok) return {};
  failure why;
  switch (what.step) {
    case life_step::availability:
      why = broken<rule::unavailable_backend>();
      break;
    case life_step::loading:
      why = broken<rule::unloaded_blob>();
      break;
    case life_step::named_data:
      why = broken<rule::ambiguous_named_data>();
      break;
    case life_step::init:
      why = broken<rule::failed_init>();
      break;
    default:
      why = broken<rule::failed_execute>();
      break;
  }
  why.reason = join("status ", static_cast<int>(what.code), " ", to_text(what.code));
  if (what.named_data < program.named_data.size()) {
    append(append(why.reason, ", key "), program.text(program.named_data[what.named_data].key));
  }
  why.backend = join(lowered_module_view(program, what.delegate).backend_id());
  return locate(std::move(why), program, what.node);
}

}  // namespace baton
