// Templates over codes: integer properties of items (pairs of posts, concepts, candidate parts of any kind).
//
// A part joins one or more items; an atom is one code of one of them. A feature's hash starts from its template's seed,
// adds the mixed codes in the order of the atoms, and is mixed at the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "features/hash.hpp"
#include "learn/host.hpp"

namespace treaty::features {

class CodeTemplates {
 public:
  struct Atom {
    std::int32_t item;  // which of the items of a part
    std::int32_t code;  // which of its codes
    bool operator==(const Atom&) const = default;
  };
  using Column = std::span<const std::uint64_t>;

  // `begin` delimits the atoms of each template.
  CodeTemplates(std::span<const Atom> atoms, std::vector<std::int32_t> begin, std::vector<std::uint64_t> seed,
                int joined, int codes)
      : begin_(std::move(begin)), seed_(std::move(seed)), joined_(joined), codes_(codes) {
    if (joined < 1 || codes < 0) throw std::invalid_argument("parts join at least one item");
    if (begin_.size() != seed_.size() + 1 || begin_.front() != 0 || begin_.back() != static_cast<int>(atoms.size()) ||
        !std::ranges::is_sorted(begin_))
      throw std::invalid_argument("expected the atoms of every template");
    for (const auto& atom : atoms) {
      if (atom.item < 0 || atom.item >= joined || atom.code < 0 || atom.code >= codes)
        throw std::invalid_argument("an atom of nothing");
      const auto known = std::ranges::find(atoms_, atom);
      place_.push_back(static_cast<std::size_t>(known - atoms_.begin()));
      if (known == atoms_.end()) atoms_.push_back(atom);
    }
  }

  std::size_t size() const { return seed_.size(); }

  // A row of features for each part. `columns` has each code of all items, `parts` the items of each part.
  std::vector<std::uint64_t> hashes(std::span<const Column> columns, std::span<const std::int64_t> parts) const {
    const auto joined = static_cast<std::size_t>(joined_);
    check(columns, parts);
    const auto count = parts.size() / joined;
    std::vector<std::uint64_t> features(count * size());
    // Template by template over a block of parts: the loops have no branches, and their data stays in the cache.
    std::vector<std::array<std::uint64_t, kBlock>> values(atoms_.size());
    std::array<std::uint64_t, kBlock> hash;
    for (std::size_t first = 0; first < count; first += kBlock) {
      const auto block = std::min(kBlock, count - first);
      learn::check_interrupt(static_cast<std::int64_t>(first / kBlock));
      for (std::size_t a = 0; a < atoms_.size(); ++a) {
        const auto* const item = parts.data() + first * joined + atoms_[a].item;
        const auto* const column = columns[atoms_[a].code].data();
        for (std::size_t p = 0; p < block; ++p) values[a][p] = mix(column[item[p * joined]]);
      }
      for (std::size_t t = 0; t < size(); ++t) {
        std::fill_n(hash.begin(), block, seed_[t]);
        for (auto a = begin_[t]; a < begin_[t + 1]; ++a) {
          const auto& value = values[place_[a]];
          for (std::size_t p = 0; p < block; ++p) hash[p] = combine(hash[p], value[p]);
        }
        auto* const out = features.data() + first * size() + t;
        for (std::size_t p = 0; p < block; ++p) out[p * size()] = mix(hash[p]);
      }
    }
    return features;
  }

 private:
  void check(std::span<const Column> columns, std::span<const std::int64_t> parts) const {
    if (columns.size() != static_cast<std::size_t>(codes_)) throw std::invalid_argument("expected all codes");
    if (parts.size() % static_cast<std::size_t>(joined_) != 0)
      throw std::invalid_argument("expected all items of all parts");
    if (columns.empty()) return;
    const auto items = columns.front().size();
    for (const auto& column : columns)
      if (column.size() != items) throw std::invalid_argument("expected all codes of all items");
    for (auto item : parts)
      if (item < 0 || static_cast<std::size_t>(item) >= items)
        throw std::invalid_argument("a part joins an item that is not there");
  }

  static constexpr std::size_t kBlock = 32;

  std::vector<Atom> atoms_;          // each once
  std::vector<std::size_t> place_;   // where the atoms of each template are among them
  std::vector<std::int32_t> begin_;  // in place_
  std::vector<std::uint64_t> seed_;
  int joined_, codes_;
};

}  // namespace treaty::features
