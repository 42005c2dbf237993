// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The records of a zip archive without compression.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// A record of an archive: a file with a name. The name and the bytes are views of the archive.
struct zip_record {
  std::string_view name;
  span<const char> bytes;
  std::uint64_t hash = 0;  ///< `hash_of(name)`
};

/// The records of a zip archive (PKWARE, APPNOTE.TXT 6.3.10), in the order of the central directory. The sizes are read from the central
/// directory, because writers that do not know the sizes in advance store zeros in the local headers.
class zip_archive {
 public:
  /// The permitted folders. `one`: all records are in one top-level folder (the root), or no record is in a folder. `any`: records may be
  /// in several folders, and there is no root.
  enum class folders : bool { one, any };

  /// True if the bytes begin with a local header.
  static constexpr auto has_signature(span<const char> bytes) -> bool {
    byte_reader reader{bytes};
    return reader.u32(0) == local_signature && reader.ok();
  }

  /// Reads the central directory. Fails with `damaged_model` if the directory or a record is damaged or outside the bytes. Also fails with
  /// `damaged_model` if the name of a record is absolute or leaves the archive, or if two records have the same name. Fails with
  /// `unsupported_model` if the archive is zip64 or split (multi-disk). Also fails with `unsupported_model` if a record is compressed or
  /// encrypted, or if `allowed` does not permit its folder.
  static constexpr auto read(span<const char> bytes, folders allowed = folders::one) -> result<zip_archive> {
    zip_archive archive;
    byte_reader reader{bytes};
    const auto end = find_end(bytes);
    if (end == npos)
      return broken<"damaged_model">("the zip archive has no end of its central directory; the file of ", bytes.size(),
                                     " bytes is cut off");
    const std::uint32_t count = reader.u16(end + 10), size = reader.u32(end + 12), first = reader.u32(end + 16);
    if (count == 0xffff || size == 0xffffffff || first == 0xffffffff)
      return broken<"unsupported_model">("the zip archive is in the zip64 form, which is for more than 4 GiB or 65535 records");
    if (reader.u16(end + 4) != 0 || reader.u16(end + 6) != 0 || reader.u16(end + 8) != count)
      return broken<"unsupported_model">("the zip archive is split into several parts (multi-disk)");
    if (first > end || size > end - first)
      return broken<"damaged_model">("the central directory is at byte ", first, " and has ", size,
                                     " bytes, but its end record is at byte ", end);
    archive.records_.reserve(count < size / central_size ? count : size / central_size);
    std::size_t at = first;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (first + std::size_t{size} - at < central_size || reader.u32(at) != central_signature)
        return broken<"damaged_model">("entry ", i, " of the central directory, at byte ", at, ", has no signature or is cut off");
      if (auto why = archive.add(reader, at, end)) return why;
      at += central_size + std::size_t{reader.u16(at + 28)} + reader.u16(at + 30) + reader.u16(at + 32);
      if (at > first + std::size_t{size}) return broken<"damaged_model">("entry ", i, " of the central directory ends outside it");
    }
    if (auto why = archive.index(allowed)) return why;
    return archive;
  }

  constexpr auto records() const -> span<const zip_record> { return records_; }
  /// Returns the name of the root, without a slash. The name is empty if the records are in no folder or if there is no root.
  constexpr auto root() const -> std::string_view { return root_; }

  /// Returns the record with the name `<root>/<folder><name>`, or null if there is no such record.
  constexpr auto find(std::string_view folder, std::string_view name) const -> const zip_record* {
    return find(folder, name, hash_of(name, hash_of(folder, root_hash_)));
  }
  /// Returns the name of a record without the root.
  constexpr auto name_in_root(const zip_record& record) const -> std::string_view {
    return root_.empty() ? record.name : record.name.substr(root_.size() + 1);
  }

 private:
  static constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50;
  static constexpr std::size_t local_size = 30, central_size = 46, end_size = 22;

  /// Returns the position of the end record, or `npos` if there is none. A comment of at most 65535 bytes may follow the end record.
  static constexpr auto find_end(span<const char> bytes) -> std::size_t {
    byte_reader reader{bytes};
    for (std::size_t comment = 0; comment <= 0xffff && end_size + comment <= bytes.size(); ++comment) {
      const auto at = bytes.size() - end_size - comment;
      if (bytes[at] == 'P' && reader.u32(at) == end_signature && reader.u16(at + 20) == comment) return at;
    }
    return npos;
  }
  static constexpr auto printable_name(std::string_view name) -> text_buffer { return shortened(name, 80); }

  /// True if a path may leave the folder of the archive. Such a path is empty or absolute, or has an empty, `.` or `..` component. A path
  /// with a backslash, a colon or a zero character also counts. One slash at the end is permitted, because it marks a folder.
  static constexpr auto is_outside(std::string_view name) -> bool {
    if (name.empty() || name[0] == '/') return true;
    std::size_t part = 0;
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (i != name.size() && name[i] != '/') {
        if (name[i] == '\\' || name[i] == ':' || name[i] == '\0') return true;
        continue;
      }
      const auto size = i - part;
      if ((size == 2 && name[part] == '.' && name[part + 1] == '.') || (size == 1 && name[part] == '.')) return true;
      if (size == 0 && i != name.size()) return true;
      part = i + 1;
    }
    return false;
  }

  constexpr auto add(byte_reader& reader, std::size_t at, std::size_t end) -> failure {
    const auto name = reader.text(at + central_size, reader.u16(at + 28));
    const auto flags = reader.u16(at + 8), method = reader.u16(at + 10);
    const auto packed = reader.u32(at + 20), size = reader.u32(at + 24), local = reader.u32(at + 42);
    if (!reader.ok()) return broken<"damaged_model">("the name of the record that the central directory lists at byte ", at, " is cut off");
    if (is_outside(name))
      return broken<"damaged_model">("record ", view(printable_name(name)), " has a name that is absolute or leaves the archive");
    if ((flags & 1) != 0) return broken<"unsupported_model">("record ", view(printable_name(name)), " is encrypted");
    if (method != 0)
      return broken<"unsupported_model">("record ", view(printable_name(name)), " is compressed (method ", method,
                                         "); store it uncompressed, as torch.export.save does");
    if (packed == 0xffffffff || size == 0xffffffff || local == 0xffffffff)
      return broken<"unsupported_model">("record ", view(printable_name(name)), " is in the zip64 form, which is for more than 4 GiB");
    if (packed != size)
      return broken<"damaged_model">("record ", view(printable_name(name)), " has ", packed, " stored bytes and a size of ", size);
    if (local > end || end - local < local_size || reader.u32(local) != local_signature)
      return broken<"damaged_model">("record ", view(printable_name(name)), " has no local header at byte ", local,
                                     "; the records end at byte ", end);
    const auto data = std::size_t{local} + local_size + reader.u16(std::size_t{local} + 26) + reader.u16(std::size_t{local} + 28);
    if (data > end || size > end - data)
      return broken<"damaged_model">("record ", view(printable_name(name)), " is at byte ", data, " and has ", size,
                                     " bytes, but the records end at byte ", end);
    if (name.ends_with('/')) return {};  // a folder
    records_.push_back({name, reader.view(data, size), hash_of(name)});
    return {};
  }

  /// Sets the root, and fills the table of names. Fails if `allowed` is `one` and records are in several folders, or if two records have
  /// the same name.
  constexpr auto index(folders allowed) -> failure {
    if (records_.empty()) return broken<"damaged_model">("the zip archive has no records");
    if (allowed == folders::one) root_ = folder_of(records_[0].name);
    std::size_t slots = 8;
    while (slots < 2 * records_.size()) slots *= 2;
    slots_.resize(slots, npos);
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
      const auto& record = records_[i];
      if (allowed == folders::one && folder_of(record.name) != root_)
        return broken<"unsupported_model">("the records are in several root folders: ", view(printable_name(records_[0].name)), " and ",
                                           view(printable_name(record.name)));
      auto at = static_cast<std::size_t>(record.hash) & (slots - 1);
      for (; slots_[at] != npos; at = (at + 1) & (slots - 1)) {
        if (records_[slots_[at]].hash == record.hash && records_[slots_[at]].name == record.name)
          return broken<"damaged_model">("two records have the name ", view(printable_name(record.name)));
      }
      slots_[at] = i;
    }
    root_hash_ = root_.empty() ? hash_of({}) : hash_of("/", hash_of(root_));
    return {};
  }
  static constexpr auto folder_of(std::string_view name) -> std::string_view {
    const auto end = name.find('/');
    return end == std::string_view::npos ? std::string_view{} : name.substr(0, end);
  }

  constexpr auto find(std::string_view folder, std::string_view name, std::uint64_t hash) const -> const zip_record* {
    for (auto at = static_cast<std::size_t>(hash) & (slots_.size() - 1); slots_[at] != npos; at = (at + 1) & (slots_.size() - 1)) {
      const auto& record = records_[slots_[at]];
      if (record.hash != hash) continue;
      const auto stored = name_in_root(record);
      if (stored.size() == folder.size() + name.size() && stored.starts_with(folder) && stored.ends_with(name)) return &record;
    }
    return nullptr;
  }

  vector<zip_record> records_;
  vector<std::uint32_t> slots_;  ///< a hash table with open addressing: indices of records, or `npos` if free
  std::string_view root_;
  std::uint64_t root_hash_ = 0;
};

}  // namespace baton::detail
