// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers several methods together at run time: all are partitioned first, then each backend has its parts of all of them.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/validation.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/method_name.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/program_named_data.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The failure of names of methods to which partitioners were given: one that stands twice, or that no method has.
constexpr auto check_partitioned_names(std::span<const std::string_view> partitioned, std::span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// One round of lowering: methods whose turn it is are tagged, then lowered backend by backend, then put together again.
class lowering_of_methods {
 public:
  constexpr lowering_of_methods(exported_methods methods, validation checks) : methods_(std::move(methods).release()), checks_(checks) {
    for (const auto& each : methods_) names_.push_back(view(each.name));
  }
  constexpr auto names() const -> const vector<std::string_view>& { return names_; }

  template <class... Backends, class Partitioner>
  constexpr auto tag(backend_list<Backends...> list, std::string_view name, const Partitioner& partitioner) -> failure {
    const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    auto made = partition_step(list, methods_[place].program, partitioner, checks_);
    if (!made) {
      made.error.method = join(name);
      return std::move(made.error);
    }
    places_.push_back(place);
    tagged_names_.push_back(name);
    tagged_.push_back(std::move(made.value));
    return {};
  }

  template <class... Backends>
  constexpr auto lower(backend_list<Backends...> list) -> failure {
    const vector<program_view> views(tagged_.begin(), tagged_.end());
    lowered_.resize(tagged_.size());
    for (std::size_t m = 0; m < tagged_.size(); ++m) lowered_[m].resize(parts_of(tagged_[m]).size());
    for (const auto& batch : batch_finder().run(views)) {
      auto made = batch_step(list, tagged_names_, views, batch, source_bytes::copied);
      if (!made) return std::move(made.error);
      for (std::size_t i = 0; i < batch.members.size(); ++i) {
        const auto& member = batch.members[i];
        lowered_[member.method][member.number] = std::move(made.value[i]);
      }
    }
    return {};
  }

  constexpr auto assemble() -> failure {
    for (std::size_t m = 0; m < tagged_.size(); ++m) {
      vector<lowered_module_view> modules;
      for (const auto& part : lowered_[m]) modules.emplace_back(part, last_delegate(part));
      auto made = assembly_step(tagged_[m], modules, source_bytes::copied, checks_);
      if (!made) {
        made.error.method = join(tagged_names_[m]);
        return std::move(made.error);
      }
      methods_[places_[m]].program = std::move(made.value);
      name_method(methods_[places_[m]].program, tagged_names_[m]);
    }
    return check_methods_named_data();
  }

  constexpr auto release() && -> exported_methods { return exported_methods(std::move(methods_)); }

 private:
  /// A key means the same bytes in all methods.
  constexpr auto check_methods_named_data() const -> failure {
    named_data_store merged;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      auto why = merge_named_data(merged, program_view(methods_[m].program), reach::branches);
      if (!why) continue;
      why.method = join(names_[m]);
      return why;
    }
    return {};
  }

  vector<exported_method> methods_;
  vector<std::string_view> names_;
  validation checks_;
  // Of each tagged method, in the order of the partitioners:
  vector<std::size_t> places_;  ///< among the methods
  vector<std::string_view> tagged_names_;
  vector<exported_program> tagged_;
  vector<vector<exported_program>> lowered_;  ///< in the order of `parts_of`
};

/// Tags the methods that have a turn in a round: all, or those of a map whose entry is long enough.
template <std::size_t Round, class... Backends, class Partitioner>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const Partitioner& partitioner) -> failure {
  for (const auto name : lowering.names()) {
    if (auto why = lowering.tag(list, name, partitioner)) return why;
  }
  return {};
}
template <std::size_t Round, class... Backends, class... Entries>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const partitioner_map<Entries...>& map)
    -> failure {
  failure why;
  const auto tag_one = [&](const auto& entry) {
    if constexpr (Round < std::remove_cvref_t<decltype(entry)>::count) {
      if (!why) why = lowering.tag(list, entry.method(), std::get<Round>(entry.partitioners));
    }
  };
  std::apply([&](const auto&... each) { (tag_one(each), ...); }, map.entries);
  return why;
}
template <std::size_t Round, class... Backends, class... Partitioners>
constexpr auto tag_methods(lowering_of_methods& lowering, backend_list<Backends...> list, const partitioner_list<Partitioners...>& order)
    -> failure {
  return tag_methods<Round>(lowering, list, std::get<Round>(order.partitioners));
}

/// The methods that a map has partitioners for; where there is no map, none are named.
template <class Partitioner>
constexpr auto names_of(const Partitioner&) -> vector<std::string_view> {
  return {};
}
template <class... Entries>
constexpr auto names_of(const partitioner_map<Entries...>& map) -> vector<std::string_view> {
  return std::apply([](const auto&... each) { return vector<std::string_view>{each.method()...}; }, map.entries);
}

/// From this round on.
template <std::size_t Round, class... Backends, class Partitioners>
constexpr auto lower_in_rounds(backend_list<Backends...> list, exported_methods methods, const Partitioners& partitioners,
                               validation checks) -> result<exported_methods> {
  if constexpr (Round == rounds_of<Partitioners>) {
    return methods;
  } else {
    lowering_of_methods lowering(std::move(methods), checks);
    constexpr list_place at{Round, listed_partitioners<Partitioners>};
    if (auto why = tag_methods<Round>(lowering, list, partitioners)) return at.told(std::move(why));
    if (auto why = lowering.lower(list)) return at.told(std::move(why));
    if (auto why = lowering.assemble()) return at.told(std::move(why));
    return lower_in_rounds<Round + 1>(list, std::move(lowering).release(), partitioners, checks);
  }
}

/// Lowers methods at run time, or within a constant. Errors: those of `to_backend` for methods.
template <class... Backends, class Partitioners>
constexpr auto lower_methods(backend_list<Backends...> list, exported_methods methods, const Partitioners& partitioners, validation checks)
    -> result<exported_methods> {
  if (auto why = check_partitioned_names(names_of(partitioners), methods.names())) return why;
  return lower_in_rounds<0>(list, std::move(methods), partitioners, checks);
}

}  // namespace baton::detail
