// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The failure of a delegate: as numbers on the target, and as a message on request.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/run/events.hpp>
#include <baton/run/shared/rules.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// The last failure of a delegate in an executor. `code` is `ok` if no delegate has failed.
struct run_failure {
  /// A step of a delegate's lifecycle.
  enum class lifecycle_step : std::uint8_t { none, availability, loading, named_data, init, execution };

  status code = status::ok;
  lifecycle_step step = lifecycle_step::none;
  node_id node = none<node_id>;  ///< the node of the failed call; if the initialization of the delegate failed, the first node that calls
                                 ///< the delegate
  delegate_id delegate = none<delegate_id>;
  std::uint32_t named_data = 0xffffffffu;  ///< position of the key in the program's named data, if the failure concerns a key
  /// The identifier of the failed operation in the debug handle map, or `event_identifier::unset` if the backend did not report an
  /// operation.
  std::int64_t operation = event_identifier::unset;

  constexpr auto operator==(const run_failure&) const -> bool = default;
};

namespace detail {

/// Appends the identifier `operation` of a delegate's operation. Finds the first node of the delegate's part that has a debug handle of the
/// operation, and appends the name and the operator of this node. Appends no node if there is none.
constexpr void append_operation(text_buffer& to, const lowered_module_view& module, std::int64_t operation) {
  append(append(to, ", operation "), operation);
  for (const auto& entry : module.debug_handle_map()) {
    if (entry.is_text || entry.identifier != operation) continue;
    const auto handles = module.handles(entry);
    for (const auto& record : module.program().nodes_of(module.program()[module.original()])) {
      if (std::find(handles.begin(), handles.end(), std::int64_t{record.debug_handle}) == handles.end()) continue;
      append(append(append(to, " of node "), module.program().text(record.name)), ", operator ");
      append(to, module.program().text(record.target));
      return;
    }
  }
}

}  // namespace detail

/// Converts `failed` to a `failure` with the node, the backend and the reason. Returns an empty failure if nothing failed. The reason
/// consists of the status, the key of named data (if the failure concerns a key), the delegate, and the operation (if it is known). The
/// rule of the failure is `unavailable_backend`, `unloaded_processed_bytes`, `ambiguous_named_data`, `failed_init` or `failed_execute`.
/// Call this function on a workstation or in a debugger, because the function needs the program, which is not part of the executable image.
constexpr auto explain(const program_view& program, const run_failure& failed) -> failure {
  if (failed.code == status::ok) return {};
  failure why;
  switch (failed.step) {
    case run_failure::lifecycle_step::availability:
      why = broken<"unavailable_backend">();
      break;
    case run_failure::lifecycle_step::loading:
      why = broken<"unloaded_processed_bytes">();
      break;
    case run_failure::lifecycle_step::named_data:
      why = broken<"ambiguous_named_data">();
      break;
    case run_failure::lifecycle_step::init:
      why = broken<"failed_init">();
      break;
    default:
      why = broken<"failed_execute">();
      break;
  }
  why.reason = join("status ", static_cast<int>(failed.code), " ", to_text(failed.code));
  if (failed.named_data < program.named_data.size()) {
    append(append(why.reason, ", key "), program.text(program.named_data[failed.named_data].key));
  }
  const lowered_module_view module(program, failed.delegate);
  if (!module.name().empty()) append(append(why.reason, ", delegate "), module.name());
  if (failed.operation != event_identifier::unset) detail::append_operation(why.reason, module, failed.operation);
  why.backend = join(module.backend_id());
  return locate(std::move(why), program, failed.node);
}

}  // namespace baton
