// Feature templates, compiled: each is a conjunction of atoms, an atom one attribute of one role's item.
//
// A part (an arc, a pair of siblings, a position with its tag) has one row of attributes per role, and values that
// belong to no item (direction, distance). Every template gives one hash, or one for each item in between if it has
// that role; every hash is joined with each of the family's `each` combinations of values, and the high bits of the
// result are the index of the feature in the weight table.
//
// Hashes are extended role by role, in the order of the family's roles. Loops over parts nest in that order, so that
// the contribution of the outer roles is hashed once for all inner ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "features/attributes.hpp"
#include "features/hash.hpp"
#include "learn/host.hpp"

namespace treaty::features {

// A small number as a value of a part.
constexpr std::uint64_t value_of(std::int64_t number) {
  return mix(static_cast<std::uint64_t>(number) ^ 0x5851f42d4c957f2du);
}

struct Atom {
  std::int32_t role;
  std::int32_t place;  // in the role's row: offset * width + attribute
};

class Templates {
 public:
  static constexpr int kMostEach = 4;
  using Row = const std::uint64_t*;

  // `template_begin` delimits the atoms of each template; templates from `first_between` on are repeated for each
  // item in between, whose row is role `between`, the last. `each` lists combinations of values, delimited likewise.
  struct Source {
    std::vector<Atom> atoms;
    std::vector<std::int32_t> template_begin;
    std::vector<std::uint64_t> seed;
    std::int32_t first_between = 0, between = -1;
    std::vector<std::int32_t> each_values, each_begin;
  };
  explicit Templates(Source source) : source_(std::move(source)) {
    if (each() < 1 || each() > kMostEach) throw std::invalid_argument("templates: 1 to 4 combinations of values");
    std::int32_t roles = source_.between + 1;
    for (const auto& atom : source_.atoms) roles = std::max(roles, atom.role + 1);
    steps_.resize(roles);
    for (std::int32_t t = 0; t < size(); ++t)
      for (auto i = source_.template_begin[t]; i < source_.template_begin[t + 1]; ++i)
        steps_[source_.atoms[i].role].push_back({t, source_.atoms[i].place});
  }

  std::int32_t size() const { return static_cast<std::int32_t>(source_.seed.size()); }
  int roles() const { return static_cast<int>(steps_.size()); }
  int each() const { return static_cast<int>(source_.each_begin.size()) - 1; }
  // The maximum number of hashes of a part with `between` items in between.
  std::int32_t most_features(std::int32_t between) const {
    return (source_.first_between + (size() - source_.first_between) * between) * each();
  }

  // Hashes before any role.
  const std::uint64_t* seeds() const { return source_.seed.data(); }
  // Hashes with one more role; `to` has room for size() of them and may be `from`.
  void advance(int role, Row row, const std::uint64_t* from, std::uint64_t* to) const {
    if (to != from) std::copy(from, from + size(), to);
    if (role < roles())
      for (const auto& step : steps_[role]) to[step.index] = combine(to[step.index], row[step.place]);
  }
  // Writes the features of a part whose hashes have all roles but `between`; returns the end. Values are well mixed,
  // as value_of() makes them.
  std::uint64_t* finish(const std::uint64_t* hashes, const std::uint64_t* values, std::span<const Row> between,
                        std::uint64_t* out) const {
    std::uint64_t each[kMostEach];
    const int count = combine_values(values, each);
    for (std::int32_t t = 0; t < source_.first_between; ++t)
      for (int k = 0; k < count; ++k) *out++ = combine(hashes[t], each[k]);
    if (source_.first_between == size()) return out;
    for (const auto* row : between) {
      auto* const begin = out;
      for (auto t = source_.first_between; t < size(); ++t) *out++ = hashes[t];
      for (const auto& step : steps_[source_.between]) {
        auto& hash = begin[step.index - source_.first_between];
        hash = combine(hash, row[step.place]);
      }
      out = spread(begin, out, each, count);
    }
    return out;
  }

  // All at once, for families without items in between: one row per role.
  std::uint64_t* extract(const Row* rows, const std::uint64_t* values, std::uint64_t* out) const {
    std::uint64_t each[kMostEach];
    const int count = combine_values(values, each);
    std::copy(seeds(), seeds() + size(), out);
    for (int role = 0; role < roles(); ++role) advance(role, rows[role], out, out);
    return spread(out, out + size(), each, count);
  }

 private:
  struct Step {
    std::int32_t index, place;
  };

  int combine_values(const std::uint64_t* values, std::uint64_t* each) const {
    const int count = this->each();
    for (int k = 0; k < count; ++k) {
      each[k] = mix(static_cast<std::uint64_t>(k));
      for (auto i = source_.each_begin[k]; i < source_.each_begin[k + 1]; ++i)
        each[k] = mix(each[k] ^ values[source_.each_values[i]]);
    }
    return count;
  }
  // Joins each of the hashes in place with each combination of values, from the last backwards.
  static std::uint64_t* spread(std::uint64_t* begin, std::uint64_t* end, const std::uint64_t* each, int count) {
    const auto n = end - begin;
    for (auto i = n; i-- > 0;) {
      const auto hash = begin[i];
      for (int k = count; k-- > 0;) begin[i * count + k] = combine(hash, each[k]);
    }
    return begin + n * count;
  }

  Source source_;
  std::vector<std::vector<Step>> steps_;  // by role
};

// One hash for every item of sequences and template of a single role.
inline std::vector<std::uint64_t> item_features(const Sequences& sequences, const Templates& templates) {
  if (templates.roles() > 1) throw std::invalid_argument("templates of one role are needed");
  std::size_t items = 0;
  for (int s = 0; s < sequences.size(); ++s) items += static_cast<std::size_t>(sequences.length(s));
  std::vector<std::uint64_t> features(items * static_cast<std::size_t>(templates.most_features(0)));
  auto* out = features.data();
  for (int s = 0; s < sequences.size(); ++s)
    for (int i = 0; i < sequences.length(s); ++i) {
      learn::check_interrupt(i);
      const std::uint64_t* rows[] = {sequences.row(s, i)};
      out = templates.extract(rows, nullptr, out);
    }
  return features;
}

}  // namespace treaty::features
