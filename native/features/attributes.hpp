// The attributes of the items of a sequence (words, characters) that features use, hashed once.
//
// A sequence is a block of rows, one per item, with one hashed value per attribute. Rows of padding on both sides let
// templates look past the ends without a test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace treaty::features {

enum class Derivation : std::uint8_t {
  Whole,
  Prefix,   // the first `length` characters
  Suffix,   // the last
  Shape,    // upper case, lower case, digits, others; runs are shortened
  Feature,  // the value of `key` in Key=Value|Key=Value
};

struct Attribute {
  int column;
  Derivation derivation = Derivation::Whole;
  int length = 0;
  std::string key;
};

// The text of an attribute, given that of its column; `scratch` stores it if it is not a part of `text`.
std::string_view derive(const Attribute& attribute, std::string_view text, std::string& scratch);

class Sequences {
 public:
  static constexpr int kPadding = 4;  // offsets in templates may go this far

  // With a root, item 0 of each sequence is the artificial root and the given items follow from 1.
  Sequences(std::vector<Attribute> attributes, bool root);

  // One vector of texts per column, all of the same length.
  void add(std::span<const std::vector<std::string_view>> columns);
  void clear();

  int width() const { return static_cast<int>(attributes_.size()); }
  int size() const { return static_cast<int>(begin_.size()) - 1; }
  // Items of a sequence, with the root if there is one.
  int length(int sequence) const { return static_cast<int>(begin_[sequence + 1] - begin_[sequence]) - 2 * kPadding; }
  const std::uint64_t* row(int sequence, int item) const {
    return values_.data() + (begin_[sequence] + kPadding + item) * width();
  }

 private:
  void add_constant_row(std::uint64_t value);

  std::vector<Attribute> attributes_;
  bool root_;
  std::vector<std::uint64_t> values_;
  std::vector<std::int64_t> begin_{0};  // rows
  std::string scratch_;
};

}  // namespace treaty::features
