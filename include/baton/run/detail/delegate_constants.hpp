// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The constants that a delegate reads at run time. The constants are copies, because a pointer into the program would keep the whole
// program in the executable image.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/processed_bytes_alignment.hpp>
#include <baton/plan/shared/stored_named_data.hpp>
#include <baton/plan/shared/stored_processed_bytes.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/processed_bytes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

template <std::size_t Size, class Bytes>
constexpr auto copy_of_bytes(const Bytes& bytes) -> std::array<char, Size> {
  std::array<char, Size> copy{};
  std::copy(bytes.begin(), bytes.end(), copy.begin());
  return copy;
}

/// A delegate that a backend runs, and the first node that calls the delegate.
struct running_delegate {
  delegate_id id = none<delegate_id>;
  node_id node = none<node_id>;
};

/// The delegates that backends run, in the order of the program's list of delegates.
template <class Execution>
struct running_delegates {
  static constexpr auto view() -> program_view { return Execution::view(); }

  static constexpr auto first_call(delegate_id id) -> node_id {
    if constexpr (Execution::outcome.is_planned) {
      for (std::uint32_t n = 0; n < view().nodes.size(); ++n) {
        if (view().nodes[n].delegate == id && Execution::tables.kernel[n] != npos) return static_cast<node_id>(n);
      }
    }
    return none<node_id>;
  }
  static constexpr auto runs(delegate_id id) -> bool { return !Execution::runs_original(id) && first_call(id) != none<node_id>; }
  static consteval auto count_all() -> std::size_t {
    std::size_t total = 0;
    if constexpr (Execution::outcome.is_planned) {
      for (std::uint32_t d = 0; d < view().delegates.size(); ++d) total += runs(static_cast<delegate_id>(d)) ? 1U : 0U;
    }
    return total;
  }
  static constexpr std::size_t count = count_all();
  static consteval auto find_all() -> std::array<running_delegate, count> {
    std::array<running_delegate, count> delegates{};
    std::size_t at = 0;
    if constexpr (count != 0) {
      for (std::uint32_t d = 0; d < view().delegates.size(); ++d) {
        const auto id = static_cast<delegate_id>(d);
        if (runs(id)) delegates[at++] = {id, first_call(id)};
      }
    }
    return delegates;
  }
  static constexpr std::array<running_delegate, count> all = find_all();

  static constexpr auto position(delegate_id id) -> std::size_t {
    std::size_t at = 0;
    while (at < count && all[at].id != id) ++at;
    return at;
  }
  /// True if one of the delegates is run by the backend with the id `backend_id`.
  static constexpr auto uses_backend(std::string_view backend_id) -> bool {
    return std::any_of(all.begin(), all.end(),
                       [&](const running_delegate& each) { return lowered_module_view(view(), each.id).backend_id() == backend_id; });
  }
};

/// The name of the method that an execution runs.
template <class Execution>
struct method_constants {
  static constexpr auto name_in_program() -> std::string_view { return Execution::view().text(Execution::view().root().name); }
  static constexpr auto bytes = copy_of_bytes<name_in_program().size()>(name_in_program());
  static constexpr auto name() -> std::string_view { return {bytes.data(), bytes.size()}; }
};

template <class Execution, delegate_id Id>
struct delegate_constants {
  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto module() -> lowered_module_view { return {view(), Id}; }
  static constexpr auto record() -> const lowered_module_ref& { return view().delegates[index(Id)]; }

  static constexpr std::size_t position_of_backend_in_list = Execution::backend_types::position_of(module().backend_id());
  using backend = typename Execution::backend_types::template at<position_of_backend_in_list>;

  /// The `Module` parameter of a `part_call`.
  struct part {
    static constexpr auto view() -> lowered_module_view { return module(); }
  };

  // The processed bytes

  static constexpr auto processed_bytes() -> span<const char> {
    return stored_processed_bytes<typename Execution::program_type, Id, processed_bytes_alignment_of<backend>>();
  }

  static constexpr auto id_bytes = copy_of_bytes<module().backend_id().size()>(module().backend_id());
  static constexpr auto name_bytes = copy_of_bytes<module().name().size()>(module().name());
  static constexpr auto request() -> baton::processed_bytes::request {
    return {baton::processed_bytes::request::segment_kind::backend,
            {id_bytes.data(), id_bytes.size()},
            {name_bytes.data(), name_bytes.size()},
            module().processed_bytes().size(),
            processed_bytes_alignment_of<backend>};
  }

  // Compile specs

  static constexpr auto spec_size() -> std::size_t {
    std::size_t size = 0;
    for (const auto& spec : module().compile_specs()) size += spec.key.size + spec.value.size;
    return size;
  }
  static consteval auto copy_specs() {
    std::array<char, spec_size()> copy{};
    auto* to = copy.data();
    for (const auto& spec : module().compile_specs()) {
      to = std::ranges::copy(view().text(spec.key), to).out;
      to = std::ranges::copy(view().text(spec.value), to).out;
    }
    return copy;
  }
  static constexpr auto spec_bytes = copy_specs();
  static consteval auto list_specs() {
    std::array<compile_spec_view, record().compile_specs.size> list{};
    const char* from = spec_bytes.data();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& spec = module().compile_specs()[i];
      list[i] = {{from, spec.key.size}, {from + spec.key.size, spec.value.size}};
      from += spec.key.size + spec.value.size;
    }
    return list;
  }
  static constexpr auto specs = list_specs();

  // Named data that is stored in the executable image.

  static constexpr auto named_entry(std::size_t i) -> const named_data_ref& { return view().named_data[record().named_data.first + i]; }
  static constexpr auto is_in_image(std::size_t i) -> bool { return named_entry(i).external_tag.size == 0; }
  static constexpr auto named_count() -> std::size_t {
    std::size_t count = 0;
    for (std::size_t i = 0; i < record().named_data.size; ++i) count += is_in_image(i) ? 1U : 0U;
    return count;
  }
  /// Returns the position, in the program's named data, of entry `n` of this delegate. `n` counts only entries that are stored in the
  /// executable image.
  static constexpr auto nth_named(std::size_t n) -> std::uint32_t {
    std::size_t i = 0;
    while (!is_in_image(i) || n-- != 0) ++i;
    return static_cast<std::uint32_t>(record().named_data.first + i);
  }
  template <std::size_t N>
  struct named_key {
    static constexpr auto text() -> std::string_view { return view().text(view().named_data[nth_named(N)].key); }
    static constexpr auto bytes = copy_of_bytes<text().size()>(text());
  };
  template <std::size_t... N>
  static consteval auto list_named(std::index_sequence<N...>) {
    return std::array<named_data_map::entry, sizeof...(N)>{named_data_map::entry{
        {named_key<N>::bytes.data(), named_key<N>::bytes.size()},
        stored_named_data<typename Execution::program_type, nth_named(N), typename Execution::constant_programs>()}...};
  }
  static constexpr auto named = list_named(std::make_index_sequence<named_count()>{});
  /// The positions of this delegate's entries in the program's named data. Only entries that are stored in the executable image are listed.
  static constexpr auto positions_of_named = [] {
    std::array<std::uint32_t, named_count()> locations{};
    for (std::size_t n = 0; n < locations.size(); ++n) locations[n] = nth_named(n);
    return locations;
  }();
};

}  // namespace baton::detail
