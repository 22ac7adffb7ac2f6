// Feature templates, compiled: each is a conjunction of atoms, an atom one attribute of one role's item.
//
// A part (an arc, a pair of siblings, a position with its tag) hands over one row of attributes per role, and
// one row of values that belong to no item (direction, distance). Every template gives one hash, or one for each
// item in between when it has that role; every hash is joined with each of the family's `each` combinations of
// values, and the high bits of the result are the feature's place in the weight table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/hash.hpp"

namespace treaty {

// A small number as a value of a part.
constexpr std::uint64_t value_of(std::int64_t number) { return mix(static_cast<std::uint64_t>(number) ^ 0x5851f42d4c957f2du); }

struct Atom {
  std::int32_t role;
  std::int32_t place;  // in the role's row: offset * width + attribute
};

class Templates {
 public:
  static constexpr int kMostEach = 4;

  // `template_begin` delimits the atoms of each template; templates from `first_between` on are repeated for each
  // item in between, whose row is role `between`. `each` lists combinations of values, delimited likewise.
  struct Source {
    std::vector<Atom> atoms;
    std::vector<std::int32_t> template_begin;
    std::vector<std::uint64_t> seed;
    std::int32_t first_between = 0, between = -1;
    std::vector<std::int32_t> each_values, each_begin;
  };
  explicit Templates(Source source) : source_(std::move(source)) {}

  std::int32_t size() const { return static_cast<std::int32_t>(source_.seed.size()); }
  // Hashes a part writes when `between` items lie in between: room for this many is enough.
  std::int32_t most_features(std::int32_t between) const {
    const auto per = source_.first_between + (size() - source_.first_between) * between;
    return per * static_cast<std::int32_t>(source_.each_begin.size() - 1);
  }

  // Writes the features' hashes and returns the end. Values are well mixed, as value_of() makes them.
  std::uint64_t* extract(const std::uint64_t** rows, const std::uint64_t* values,
                         std::span<const std::uint64_t* const> between, std::uint64_t* out) const {
    std::uint64_t each[kMostEach];
    const int count = combine_values(values, each);
    for (std::int32_t t = 0; t < source_.first_between; ++t) out = emit(hash(t, rows), each, count, out);
    for (const auto* row : between) {
      rows[source_.between] = row;
      for (auto t = source_.first_between; t < size(); ++t) out = emit(hash(t, rows), each, count, out);
    }
    return out;
  }

 private:
  int combine_values(const std::uint64_t* values, std::uint64_t* each) const {
    const int count = static_cast<int>(source_.each_begin.size()) - 1;
    for (int k = 0; k < count; ++k) {
      each[k] = mix(static_cast<std::uint64_t>(k));
      for (auto i = source_.each_begin[k]; i < source_.each_begin[k + 1]; ++i)
        each[k] = mix(each[k] ^ values[source_.each_values[i]]);
    }
    return count;
  }
  std::uint64_t hash(std::int32_t t, const std::uint64_t* const* rows) const {
    auto h = source_.seed[t];
    const Atom* atom = source_.atoms.data() + source_.template_begin[t];
    const Atom* end = source_.atoms.data() + source_.template_begin[t + 1];
    for (; atom != end; ++atom) h = combine(h, rows[atom->role][atom->place]);
    return h;
  }
  static std::uint64_t* emit(std::uint64_t h, const std::uint64_t* each, int count, std::uint64_t* out) {
    for (int k = 0; k < count; ++k) *out++ = combine(h, each[k]);
    return out;
  }

  Source source_;
};

}  // namespace treaty
