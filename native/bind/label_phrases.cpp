#include <nanobind/stl/tuple.h>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "label/phrase_table.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::label;

auto marks(const PhraseTable& table, const std::vector<std::string>& words, In<std::int64_t> begin) {
  const Reading reading(&table);
  auto marked = unlocked([&, sentences = copy(begin)] { return table.mark(words, sentences); });
  return std::make_tuple(to_numpy(std::move(marked.words)), to_numpy(std::move(marked.codes)));
}

auto entries(const PhraseTable& table) {
  std::vector<std::uint64_t> keys, lists;
  for (const auto& [key, set] : table.entries()) keys.push_back(key), lists.push_back(set);
  return std::make_tuple(to_numpy(std::move(keys)), to_numpy(std::move(lists)));
}

}  // namespace

void register_label_phrases(nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable", "Lists of phrases, to be found in texts.")
      .def(nb::init<>())
      .def(
          "add",
          [](PhraseTable& self, int list, const std::vector<std::string>& phrases) {
            check_changeable(self);
            for (const auto& phrase : phrases) self.add(list, phrase);
          },
          nb::arg("list"), nb::arg("phrases"), "Adds phrases, words with single spaces between them, to a list.")
      .def(
          "insert",
          [](PhraseTable& self, In<std::uint64_t> keys, In<std::uint64_t> lists) {
            if (keys.shape(0) != lists.shape(0)) throw std::invalid_argument("as many keys as sets of lists are needed");
            check_changeable(self);
            for (std::size_t i = 0; i < keys.shape(0); ++i) self.insert(keys.data()[i], lists.data()[i]);
          },
          nb::arg("keys"), nb::arg("lists"), "Adds what entries() of another table gave.")
      .def("entries", &entries, "Keys and sets of lists, sorted.")
      .def("marks", &marks, nb::arg("words"), nb::arg("begin"),
           "The words that are part of a phrase, and list * 4 + 0, 1, 2, 3 for its first, inner, last and only word.")
      .def("__len__", &PhraseTable::size);
}

}  // namespace treaty::bind
