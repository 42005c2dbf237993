// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads a torch.export archive, either in one constant expression or in several. The index is the data that the importer needs from the
// JSON texts, as 32-bit words (`pt2_index.hpp`). If there are several constant expressions, the last one builds the program, and each of
// the others reads a piece of the index.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_indexer.hpp>
#include <baton/import/detail/pt2_model.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/import/detail/read_options.hpp>
#include <baton/import/pt2_read_options.hpp>
#include <baton/operators/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::pt2::detail {

/// Reads a program of an archive in one constant expression. Does not verify the program.
constexpr auto read_at_once(span<const char> bytes, const read_options& user_options) -> result<exported_program> {
  const auto archive = zip_archive::read(bytes);
  if (!archive) return archive.error;
  const auto texts = texts_of(archive.value, user_options.entry);
  if (!texts) return texts.error;
  indexer index(bytes, texts.value, {}, static_cast<std::size_t>(-1));
  if (!index.run()) return index.why();
  index_pieces pieces;
  pieces.push_back(index.words());
  return model_reader(bytes, archive.value, texts.value, user_options, pieces, byte_recipe::timing::at_once).run();
}

/// A piece of the index of an embedded archive. Each piece is a constant.
struct index_piece {
  /// The number of bytes of JSON after which a piece ends. A byte costs about 100 operations in GCC and about 6 steps in Clang. GCC limits
  /// the operations of a constant expression, and Clang limits its steps.
  static constexpr std::size_t bytes = 32768;
  static constexpr std::size_t capacity = 16384;  ///< the maximum number of words of a piece

  bool is_valid = false;    ///< false if reading failed, or if the words exceed `capacity`
  index_position end{};     ///< the position at which the next piece begins
  std::uint32_t count = 0;  ///< the number of words
  std::uint32_t words[capacity] = {};
};

/// A reader of the program `Entry` of an embedded archive. It reads the JSON texts in several constant expressions, because a single
/// constant expression may exceed the compiler's limits.
template <class Importer, const auto& Bytes, fixed_string Entry, class... ReadOptions>
struct read_in_pieces : baton::detail::embedded_bytes<Bytes> {
  using model = baton::detail::embedded_bytes<Bytes>;
  using whole = baton::detail::read_embedded<Importer, Bytes>;
  static constexpr bool stages_are_valid = true;
  static constexpr bool is_verified = true;
  static constexpr bool defers_bytes = true;
  static constexpr auto unevaluated() -> failure { return whole::unevaluated(); }

 private:
  /// Calls `f` with the read options.
  template <class F>
  static constexpr auto with_options(F f) {
    return baton::detail::with_read_options<read_option_lists, ReadOptions...>(f, Entry);
  }
  /// Returns the result of `f` for the archive, the texts of the program and the options. Returns `absent` if the archive or the program
  /// cannot be read.
  template <class Result, class F>
  static constexpr auto with_texts(Result absent, F f) -> Result {
    return with_options([&](const read_options& user_options) {
      const auto archive = zip_archive::read(model::bytes());
      if (!archive) return absent;
      const auto texts = texts_of(archive.value, user_options.entry);
      if (!texts) return absent;
      return f(archive.value, texts.value, user_options);
    });
  }
  static consteval auto has_texts() -> bool {
    if constexpr (model::is_of_bytes && model::is_constant) {
      if (!model::ends_with_zero() || !Importer::recognizes(model::bytes())) return false;
      return with_texts(false, [](const auto&...) { return true; });
    }
    return false;
  }
  /// Reads the archive in one constant expression. Used if the texts cannot be read, or if a piece exceeds `capacity`.
  static constexpr auto read_whole() -> result<exported_program> {
    return with_options([](const read_options& user_options) {
      if constexpr (model::is_of_bytes && model::is_constant) {
        if (model::ends_with_zero()) return Importer::read(model::bytes(), user_options);
      }
      return whole{}();
    });
  }

  static constexpr auto read_piece(const index_position& start) -> index_piece {
    return with_texts(index_piece{}, [&](const zip_archive&, const program_texts& texts, const read_options&) {
      indexer index(model::bytes(), texts, start, index_piece::bytes);
      index_piece piece;
      piece.is_valid = index.run() && index.words().size() <= index_piece::capacity;
      if (!piece.is_valid) return piece;
      piece.end = index.position();
      piece.count = static_cast<std::uint32_t>(index.words().size());
      std::uint32_t* to = piece.words;
      for (const auto word : index.words()) *to++ = word;
      return piece;
    });
  }
  template <std::size_t K>
  static consteval auto start_of() -> index_position {
    if constexpr (K == 0) {
      return {};
    } else {
      return piece_constant<K - 1>.end;
    }
  }
  template <std::size_t K>
  static constexpr index_piece piece_constant = read_piece(start_of<K>());

  /// Returns the failure of the piece at `start`, which is not valid. If the indexer reads the piece without a failure, the piece exceeds
  /// `capacity`. Then reads the archive in one constant expression instead, and returns the result.
  static constexpr auto failure_of(const index_position& start) -> result<exported_program> {
    auto why = with_texts(failure{}, [&](const zip_archive&, const program_texts& texts, const read_options&) {
      indexer index(model::bytes(), texts, start, index_piece::bytes);
      index.run();
      return index.why();
    });
    if (why) return why;
    return read_whole();
  }
  template <std::size_t... K>
  static constexpr auto read_index(std::index_sequence<K...>) -> result<exported_program> {
    return with_texts(
        result<exported_program>{}, [](const zip_archive& archive, const program_texts& texts, const read_options& user_options) {
          index_pieces pieces;
          (pieces.push_back({piece_constant<K>.words, piece_constant<K>.count}), ...);
          auto program = model_reader(model::bytes(), archive, texts, user_options, pieces, byte_recipe::timing::deferred).run();
          if (!program) return program;
          if (auto why = verify(program.value)) return result<exported_program>{why};
          return program;
        });
  }
  template <std::size_t K>
  static constexpr auto read_pieces() -> result<exported_program> {
    if constexpr (!piece_constant<K>.is_valid) {
      return failure_of(start_of<K>());
    } else if constexpr (!piece_constant<K>.end.is_done) {
      return read_pieces<K + 1>();
    } else {
      return read_index(std::make_index_sequence<K + 1>{});
    }
  }

 public:
  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (!has_texts()) {
      return read_whole();
    } else {
      return read_pieces<0>();
    }
  }
};

}  // namespace baton::pt2::detail
