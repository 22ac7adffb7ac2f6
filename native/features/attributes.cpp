#include "features/attributes.hpp"

#include <stdexcept>

#include "features/hash.hpp"
#include "learn/host.hpp"

namespace treaty::features {
namespace {

constexpr std::uint64_t kBefore = hash_of("<before>"), kAfter = hash_of("<after>"), kRoot = hash_of("<root>");

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // inside a UTF-8 character

std::string_view prefix(std::string_view text, int length) {
  std::size_t end = 0;
  while (end < text.size() && length-- > 0)
    do ++end;
    while (end < text.size() && continues(text[end]));
  return text.substr(0, end);
}

std::string_view suffix(std::string_view text, int length) {
  std::size_t begin = text.size();
  while (begin > 0 && length-- > 0)
    do --begin;
    while (begin > 0 && continues(text[begin]));
  return text.substr(begin);
}

char class_of(char c) {
  if (c >= 'A' && c <= 'Z') return 'A';
  if (c >= 'a' && c <= 'z') return 'a';
  if (c >= '0' && c <= '9') return '0';
  return static_cast<unsigned char>(c) < 0x80 ? c : 'u';
}

// "McDonald's-1999" becomes "AaAaa'a-00": runs count up to two.
std::string_view shape(std::string_view text, std::string& scratch) {
  scratch.clear();
  for (const char c : text) {
    if (continues(c)) continue;
    const char shape = class_of(c);
    const auto n = scratch.size();
    if (n >= 2 && scratch[n - 1] == shape && scratch[n - 2] == shape) continue;
    scratch.push_back(shape);
  }
  return scratch;
}

std::string_view feature(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const auto bar = text.find('|');
    const auto pair = text.substr(0, bar);
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=') return pair.substr(key.size() + 1);
    if (bar == std::string_view::npos) break;
    text.remove_prefix(bar + 1);
  }
  return "_";
}

}  // namespace

std::string_view derive(const Attribute& attribute, std::string_view text, std::string& scratch) {
  switch (attribute.derivation) {
    case Derivation::Whole: return text;
    case Derivation::Prefix: return prefix(text, attribute.length);
    case Derivation::Suffix: return suffix(text, attribute.length);
    case Derivation::Shape: return shape(text, scratch);
    case Derivation::Feature: return feature(text, attribute.key);
  }
  return text;
}

Sequences::Sequences(std::vector<Attribute> attributes, bool root) : attributes_(std::move(attributes)), root_(root) {}

void Sequences::clear() {
  values_.clear();
  begin_.assign(1, 0);
}

void Sequences::add_constant_row(std::uint64_t value) { values_.insert(values_.end(), attributes_.size(), value); }

void Sequences::add(std::span<const std::vector<std::string_view>> columns) {
  const auto items = columns.empty() ? 0 : columns[0].size();
  for (const auto& column : columns)
    if (column.size() != items) throw std::invalid_argument("columns of different lengths");
  for (const auto& attribute : attributes_)
    if (attribute.column < 0 || attribute.column >= static_cast<int>(columns.size()))
      throw std::invalid_argument("an attribute of a column that is not there");
  const auto rows = 2 * kPadding + items + root_;
  for (int i = 0; i < kPadding; ++i) add_constant_row(kBefore);
  if (root_) add_constant_row(kRoot);
  try {
    for (std::size_t i = 0; i < items; ++i) {
      learn::check_interrupt(static_cast<std::int64_t>(i));
      for (const auto& attribute : attributes_)
        values_.push_back(hash_of(derive(attribute, columns[attribute.column][i], scratch_)));
    }
  } catch (...) {
    values_.resize(static_cast<std::size_t>(begin_.back()) * attributes_.size());
    throw;
  }
  for (int i = 0; i < kPadding; ++i) add_constant_row(kAfter);
  begin_.push_back(begin_.back() + static_cast<std::int64_t>(rows));
}

}  // namespace treaty::features
