// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The target device of a delegate's arguments, read from the delegate's compile specs (key-value pairs for a backend's `preprocess`).
// Memory planning ignores the device.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The kinds of devices, in ExecuTorch's order.
enum class device_kind : std::uint8_t { cpu, cuda };
inline constexpr std::array<std::string_view, 2> device_names{"cpu", "cuda"};

/// A device: its kind, and its number among the devices of this kind.
struct target_device {
  device_kind kind = device_kind::cpu;
  std::uint32_t number = 0;

  constexpr auto operator==(const target_device&) const -> bool = default;
};

/// Parses a device such as `cuda:1`: a case-insensitive kind, and an optional number from 0 to 9999, which is 0 by default. Fails with
/// `unknown_device` if the kind is unknown or the number is invalid.
constexpr auto read_device(std::string_view text) -> result<target_device> {
  const auto kind = text.substr(0, text.find(':'));
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t kind_index = 0;
  for (; kind_index < device_names.size(); ++kind_index) {
    const auto name = device_names[kind_index];
    std::size_t same = 0;
    while (same < name.size() && same < kind.size() && lower(kind[same]) == name[same]) ++same;
    if (same == name.size() && same == kind.size()) break;
  }
  std::uint32_t number = 0;
  bool is_number = kind.size() == text.size() || text.size() - kind.size() > 1;
  for (const char c : text.substr(kind.size() < text.size() ? kind.size() + 1 : text.size())) {
    is_number = is_number && c >= '0' && c <= '9' && number < 1000;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (kind_index < device_names.size() && is_number) return target_device{static_cast<device_kind>(kind_index), number};
  auto why = broken<"unknown_device">(text, "; the valid kinds are:");
  for (const auto name : device_names) append(append(why.reason, " "), name);
  return why;
}

/// Returns the device of a lowered module (nodes that a backend's `preprocess` has compiled): the value of the last compile spec with the
/// key `target_device`. If there is no such spec, returns CPU number 0. Fails as `read_device` does.
constexpr auto target_device_of(const lowered_module_view& module) -> result<target_device> {
  result<target_device> device;
  for (const auto& spec : module.compile_specs()) {
    if (module.program().text(spec.key) == "target_device") device = read_device(module.program().text(spec.value));
  }
  return device;
}

/// Returns the device of each delegate call of a program, in the order of the calls. Fails with `unknown_device` at the first call with an
/// invalid device.
constexpr auto target_devices_of(const program_view& program) -> result<vector<target_device>> {
  vector<target_device> devices;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].delegate == none<delegate_id>) continue;
    const lowered_module_view module(program, program.nodes[n].delegate);
    const auto device = target_device_of(module);
    if (!device) {
      auto why = locate(device.error, program, static_cast<node_id>(n));
      why.backend = join(module.backend_id());
      return why;
    }
    devices.push_back(device.value);
  }
  return devices;
}

/// Stops the compiler if `target_devices_of` fails for `Program`, and returns true otherwise:
/// `static_assert(baton::require_target_devices<lowered>());`.
template <auto Program>
consteval auto require_target_devices() -> bool {
  constexpr static_failure why{target_devices_of(Program).error};
  require_no_failure<why>();
  return true;
}

}  // namespace baton
