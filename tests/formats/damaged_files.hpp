// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The damaged files of ../shared/formats, each of which is refused with a reason.
#pragma once

#include <baton/core/error.hpp>

#include "formats/case_folder.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace formats {

/// Checks that each damaged file with this extension is refused with its reason, and that the intact files beside them are not refused.
/// `read` returns the failure for the bytes of a file.
template <class Read>
void check_damaged_files(const char* extension, const std::map<std::string, std::string_view>& reasons, Read read) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BATON_SHARED_DIR) / "formats" / "damaged")) {
    if (entry.path().extension() != extension) continue;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto bytes = bytes_of(entry.path());
    const baton::failure why = read(bytes);
    if (name.find("control") != std::string::npos) {
      CHECK(!why);
      continue;
    }
    REQUIRE(reasons.contains(name));
    CHECK(baton::view(why.reason) == reasons.at(name));
    ++count;
  }
  CHECK(count == reasons.size());
}

}  // namespace formats
