#include <nanobind/stl/tuple.h>

#include <algorithm>

#include "bind/bind.hpp"
#include "label/phrase_table.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::label;

enum Mark : std::int32_t { kBegin, kInside, kEnd, kSingle, kMarks };

Mark mark_of(const PhraseTable::Match& match, std::int32_t word) {
  if (match.end - match.start == 1) return kSingle;
  return word == match.start ? kBegin : word + 1 == match.end ? kEnd : kInside;
}

// The words that are matched, and for each list * 4 + mark; texts[begin[i]:begin[i+1]] are the words of text i.
auto marks(const PhraseTable& table, const std::vector<std::string>& texts, In<std::int64_t> begin) {
  std::vector<std::int32_t> words, codes;
  {
    nb::gil_scoped_release free;
    std::vector<std::uint64_t> hashes;
    for (const auto& text : texts) hashes.push_back(hash_of(text));
    std::vector<PhraseTable::Match> found;
    for (std::size_t i = 0; i + 1 < begin.shape(0); ++i) {
      const auto first = begin.data()[i], last = begin.data()[i + 1];
      if (first < 0 || first > last || last > static_cast<std::int64_t>(hashes.size()))
        throw std::invalid_argument("texts begin in order, within the words");
      found.clear();
      table.match({hashes.data() + first, static_cast<std::size_t>(last - first)}, found);
      for (const auto& match : found)
        for (auto word = match.start; word < match.end; ++word) {
          words.push_back(static_cast<std::int32_t>(first) + word);
          codes.push_back(match.list * kMarks + mark_of(match, word));
        }
    }
  }
  return std::make_tuple(to_numpy(std::move(words)), to_numpy(std::move(codes)));
}

auto entries(const PhraseTable& table) {
  auto all = table.entries();
  std::ranges::sort(all);
  std::vector<std::uint64_t> keys, lists;
  for (const auto& [key, set] : all) keys.push_back(key), lists.push_back(set);
  return std::make_tuple(to_numpy(std::move(keys)), to_numpy(std::move(lists)));
}

}  // namespace

void register_label_phrases(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable", "Lists of phrases, to be found in texts.")
      .def(nb::init<>())
      .def(
          "add",
          [](PhraseTable& self, int list, const std::vector<std::string>& phrases) {
            for (const auto& phrase : phrases) self.add(list, phrase);
          },
          nb::arg("list"), nb::arg("phrases"), "Adds phrases, words with single spaces between them, to a list.")
      .def(
          "insert",
          [](PhraseTable& self, In<std::uint64_t> keys, In<std::uint64_t> lists) {
            if (keys.shape(0) != lists.shape(0)) throw std::invalid_argument("as many keys as sets of lists are needed");
            for (std::size_t i = 0; i < keys.shape(0); ++i) {
              if (!keys.data()[i]) throw std::invalid_argument("no key of a phrase is zero");
              self.insert(keys.data()[i], lists.data()[i]);
            }
          },
          nb::arg("keys"), nb::arg("lists"), "Adds what entries() of another table gave.")
      .def("entries", &entries, "Keys and sets of lists, sorted.")
      .def("marks", &marks, nb::arg("words"), nb::arg("begin"),
           "The words that are part of a phrase, and list * 4 + 0, 1, 2, 3 for its first, inner, last and only word.")
      .def("__len__", &PhraseTable::size);
}

}  // namespace treaty::bind
