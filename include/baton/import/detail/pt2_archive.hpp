// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The records (files in the zip archive) of a torch.export archive: the names of its programs, and the JSON texts of one program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/zip_archive.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

using baton::detail::zip_archive;
using baton::detail::zip_record;

/// Returns the name for use in an error message, shortened if it is long.
constexpr auto printable_name(std::string_view name) -> text_buffer { return shortened(name, 80); }

inline constexpr std::string_view model_folder{"models/"}, model_ending{".json"};
inline constexpr std::string_view weights_folder{"data/weights/"}, constants_folder{"data/constants/"};

/// True if the record with this name is the JSON text of a program.
constexpr auto is_program(std::string_view name) -> bool {
  return name.size() > model_folder.size() + model_ending.size() && name.starts_with(model_folder) && name.ends_with(model_ending);
}
/// True if a record with this name marks a torch.export archive, of any version.
constexpr auto is_own_record(std::string_view name) -> bool {
  return is_program(name) || name == "archive_format" || name == "serialized_exported_program.json";
}

/// True if the bytes are a torch.export archive, or a zip archive whose directory cannot be read.
constexpr auto is_archive(span<const char> bytes) -> bool {
  if (!zip_archive::has_signature(bytes)) return false;
  const auto archive = zip_archive::read(bytes);
  if (!archive) return true;
  for (const auto& record : archive.value.records()) {
    if (is_own_record(archive.value.name_in_root(record))) return true;
  }
  return false;
}

/// Returns the programs of an archive, in the order of its directory. The default program is `model`, or `forward` if there is no `model`,
/// or the first program if the archive has neither.
constexpr auto programs_of(const zip_archive& archive) -> vector<entry_point> {
  vector<entry_point> names;
  std::size_t chosen = 0;
  std::uint32_t rank = 0;
  for (const auto& record : archive.records()) {
    auto name = archive.name_in_root(record);
    if (!is_program(name)) continue;
    name = name.substr(model_folder.size(), name.size() - model_folder.size() - model_ending.size());
    const std::uint32_t rank_of_name = name == "model" ? 2 : name == "forward" ? 1 : 0;
    if (rank_of_name > rank) rank = rank_of_name, chosen = names.size();
    names.push_back({name});
  }
  if (!names.empty()) names[chosen].is_default = true;
  return names;
}

/// The JSON texts of one program: its graphs and the tables of its tensors.
struct program_texts {
  static constexpr std::size_t count = 3;

  std::string_view name{};  ///< the name of the program
  /// The records of the table of weights, the table of constants, and the program. A missing table is null.
  const zip_record* texts[count] = {};
};

/// Returns the texts of the program `entry`. An empty name selects the default program. Fails with `unknown_name` if the archive has
/// programs, but not this one, and with `damaged_model` if the archive has no program. Fails with `unsupported_model` if the archive has
/// the layout of an older torch, or is not little-endian.
constexpr auto texts_of(const zip_archive& archive, std::string_view entry) -> result<program_texts> {
  const auto programs = programs_of(archive);
  const entry_point* chosen = nullptr;
  for (const auto& each : programs) {
    if (entry.empty() ? each.is_default : each.name == entry) chosen = &each;
  }
  if (programs.empty()) {
    if (archive.find({}, "serialized_exported_program.json") != nullptr)
      return broken<"unsupported_model">(
          "the archive has the record serialized_exported_program.json, the layout of torch before 2.8; save it again with a newer torch");
    return broken<"damaged_model">("the archive has no record models/<name>.json");
  }
  if (chosen == nullptr) {
    auto why = broken<"unknown_name">("there is no program ", view(printable_name(entry)), "; there are:");
    for (const auto& each : programs) append(append(why.reason, " "), view(printable_name(each.name)));
    return why;
  }
  if (const auto* order = archive.find({}, "byteorder");
      order != nullptr && std::string_view{order->bytes.data(), order->bytes.size()} != "little")
    return broken<"unsupported_model">("record byteorder is not \"little\"; only little-endian archives are supported");
  program_texts program;
  program.name = chosen->name;
  program.texts[0] = archive.find(weights_folder, view(join(program.name, "_weights_config.json")));
  program.texts[1] = archive.find(constants_folder, view(join(program.name, "_constants_config.json")));
  program.texts[2] = archive.find(model_folder, view(join(program.name, model_ending)));
  if (program.texts[0] == nullptr && archive.find(weights_folder, "model.pt") != nullptr)
    return broken<"unsupported_model">(
        "record data/weights/model.pt has all weights in one pickle, the layout of torch before 2.9; save it again with a newer torch");
  return program;
}

}  // namespace baton::pt2::detail
