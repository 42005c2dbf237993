// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The device that a delegate's arguments are meant for, as its compile specs name it. Baton plans the same memory for every device.
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

/// One device of a kind.
struct target_device {
  device_kind kind = device_kind::cpu;
  std::uint32_t number = 0;

  constexpr auto operator==(const target_device&) const -> bool = default;
};

/// Reads `cuda:1`: a kind in whatever case, and a number, 0 if it is left out. Errors: `unknown_device`.
constexpr auto read_device(std::string_view text) -> result<target_device> {
  const auto kind = text.substr(0, text.find(':'));
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t found = 0;
  for (; found < device_names.size(); ++found) {
    const auto name = device_names[found];
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
  if (found < device_names.size() && is_number) return target_device{static_cast<device_kind>(found), number};
  auto why = broken<"unknown_device">(text, "; the valid kinds are:");
  for (const auto name : device_names) append(append(why.reason, " "), name);
  return why;
}

/// The device of a lowered module: what the last compile spec with the key `target_device` says, else the first CPU. Errors:
/// `unknown_device`.
constexpr auto target_device_of(const lowered_module_view& module) -> result<target_device> {
  result<target_device> found;
  for (const auto& spec : module.compile_specs()) {
    if (module.program().text(spec.key) == "target_device") found = read_device(module.program().text(spec.value));
  }
  return found;
}

/// The devices of the delegates of a program, in the order of its nodes that call them. Errors: `unknown_device`, at the first such node.
constexpr auto target_devices_of(const program_view& program) -> result<vector<target_device>> {
  vector<target_device> found;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].delegate == none<delegate_id>) continue;
    const lowered_module_view module(program, program.nodes[n].delegate);
    const auto device = target_device_of(module);
    if (!device) {
      auto why = locate(device.error, program, static_cast<node_id>(n));
      why.backend = join(module.backend_id());
      return why;
    }
    found.push_back(device.value);
  }
  return found;
}

/// Stops the compiler where `target_devices_of` refuses a static program: `static_assert(baton::require_target_devices<lowered>());`.
template <auto Program>
consteval auto require_target_devices() -> bool {
  constexpr static_failure why{target_devices_of(Program).error};
  require_unbroken<why>();
  return true;
}

}  // namespace baton
