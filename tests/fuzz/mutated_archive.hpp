// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged copies of an archive of torch.export: values of its JSON texts are removed, repeated, exchanged or changed; records are removed,
// renamed, cut off, or have wrong headers; or single bytes are changed. The same seed produces the same copies on every machine.
#pragma once

#include <baton/core/span.hpp>

#include "formats/json_tree.hpp"
#include "formats/zip_records.hpp"
#include "fuzz/mutated_bytes.hpp"
#include "import/zip_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

/// An archive, and mutated copies of it in memory of exactly their size, so that sanitizers detect reads past the end.
class mutated_archive {
 public:
  mutated_archive(baton::span<const char> original, std::uint64_t seed)
      : original_(original.begin(), original.end()),
        records_(formats::zip_records_of(original)),
        random_(seed) {
    for (auto& record : records_) {
      formats::json_tree tree;
      if (record.name.ends_with(".json") && record.name.find("extra") == std::string::npos) tree = formats::json_tree_of(record.bytes);
      remove_metadata(tree);
      trees_.push_back(tree);
    }
  }

  /// Returns a copy. Of eight copies, five have one to three changed values, two changed records, and one has changed or missing bytes.
  auto next() -> baton::span<const char> {
    const auto form = random_.below(8);
    if (form == 0) return copy_.assign(with_changed_bytes(original_, random_));
    auto records = records_;
    std::vector<tests::zip_entry> headers(records.size());
    if (form <= 2) {
      for (auto n = 1 + random_.below(2); n > 0; --n) mutate_record(records, headers);
    } else {
      std::vector<std::size_t> texts;
      for (std::size_t i = 0; i < trees_.size(); ++i) {
        if (trees_[i].type == formats::json_tree::kind::object) texts.push_back(i);
      }
      const auto at = texts[random_.below(texts.size())];
      auto tree = trees_[at];
      for (auto n = 1 + random_.below(3); n > 0; --n) mutate(tree);
      records[at].bytes.clear();
      formats::append_json(records[at].bytes, tree);
      if (random_.below(16) == 0) records[at].bytes.resize(random_.below(records[at].bytes.size()));
    }
    tests::zip_writer archive(random_.below(4) == 0 ? 1 : 64);
    for (std::size_t i = 0; i < records.size(); ++i) {
      headers[i].name = records[i].name;
      headers[i].bytes = records[i].bytes;
      archive.add(headers[i]);
    }
    const auto file = archive.file();
    return copy_.assign({file.data(), file.size()});
  }

 private:
  /// Stack traces are half of the texts, and the importer skips them.
  static void remove_metadata(formats::json_tree& tree) {
    for (auto& each : tree.items) {
      if (each.key == "metadata") {
        each.items.clear();
      } else {
        remove_metadata(each);
      }
    }
  }
  auto edge() -> std::int64_t {
    constexpr std::int64_t edges[] = {0, 1, 2, 7, 30, 255, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff};
    return edges[random_.below(std::size(edges))];
  }

  void mutate_record(std::vector<formats::zip_record>& records, std::vector<tests::zip_entry>& headers) {
    const auto at = random_.below(records.size()), other = random_.below(records.size());
    switch (random_.below(10)) {
      case 0:
        records[at].name.clear();
        return;
      case 1:
        records[at].name = records[other].name;
        return;
      case 2:
        std::swap(records[at].name, records[other].name);
        return;
      case 3:
        records[at].bytes.resize(random_.below(records[at].bytes.size() + 1));
        return;
      case 4:
        records[at].name.insert(random_.below(records[at].name.size() + 1), random_.below(2) == 0 ? "../" : "/");
        return;
      case 5:
        headers[at].method = static_cast<std::uint32_t>(random_.below(10));
        return;
      case 6:
        headers[at].flags = 1u << random_.below(16);
        return;
      case 7:
        headers[at].size = headers[at].packed = edge();
        return;
      case 8:
        headers[at].local = edge();
        return;
      default:
        if (!records[at].bytes.empty()) records[at].bytes[random_.below(records[at].bytes.size())] = static_cast<char>(random_.below(256));
        return;
    }
  }

  /// Returns a random value of a tree.
  auto any(formats::json_tree& tree) -> formats::json_tree& {
    auto* value = &tree;
    while (!value->items.empty() && random_.below(10) != 0) value = &value->items[random_.below(value->items.size())];
    return *value;
  }
  /// Descends to a random value, and changes it or its siblings.
  void mutate(formats::json_tree& root) {
    auto* list = &root;
    while (!list->items.empty()) {
      auto& next = list->items[random_.below(list->items.size())];
      if (next.items.empty() || random_.below(8) == 0) break;
      list = &next;
    }
    if (list->items.empty()) return;
    const auto at = random_.below(list->items.size());
    auto& value = list->items[at];
    switch (random_.below(9)) {
      case 0:
        list->items.erase(list->items.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1: {
        const auto copy = value;
        list->items.insert(list->items.begin() + static_cast<std::ptrdiff_t>(random_.below(list->items.size() + 1)), copy);
        return;
      }
      case 2:
        std::swap(value, list->items[random_.below(list->items.size())]);
        return;
      case 3: {
        auto copy = any(root);
        copy.key = value.key;
        value = std::move(copy);
        return;
      }
      case 4:
        value.key = any(root).key;
        return;
      case 5: {
        formats::json_tree inner{.type = formats::json_tree::kind::list};
        inner.key = value.key;
        inner.items.push_back(value);
        inner.items.back().key.clear();
        value = std::move(inner);
        return;
      }
      default: {
        constexpr std::string_view scalars[] = {"0",
                                                "1",
                                                "-1",
                                                "2",
                                                "7",
                                                "12",
                                                "28",
                                                "33",
                                                "null",
                                                "true",
                                                "4294967296",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "1e-05",
                                                "Infinity",
                                                "x",
                                                "65535"};
        constexpr std::string_view names[] = {"",
                                              "x",
                                              "weight_0",
                                              "torch.ops.aten.add_.Tensor",
                                              "torch.ops.aten.view.default",
                                              "torch.ops.higher_order.cond",
                                              "2*s77 + 1",
                                              "Symbol('s77', positive=True)",
                                              "a\\u00e9\\\\",
                                              "\xff"};
        const bool is_text = value.type == formats::json_tree::kind::text;
        value.value = is_text ? names[random_.below(std::size(names))] : scalars[random_.below(std::size(scalars))];
        return;
      }
    }
  }

  std::string original_;
  std::vector<formats::zip_record> records_;
  std::vector<formats::json_tree> trees_;  ///< of the records; a scalar if the record is not JSON
  random_numbers random_;
  exact_copy copy_;
};

}  // namespace fuzz
