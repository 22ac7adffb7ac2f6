#include <nanobind/stl/tuple.h>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "features/attributes.hpp"
#include "features/code_templates.hpp"
#include "features/templates.hpp"
#include "features/weights.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::features;

// Views into the strings of the lists, which the caller keeps, and copies of those that have no UTF-8 of their own:
// a lone surrogate is written as if it were a character.
struct Columns {
  explicit Columns(const nb::list& columns) {
    for (nb::handle column : columns) {
      auto& items = texts.emplace_back();
      for (nb::handle item : nb::cast<nb::list>(column)) items.push_back(view(item));
    }
  }

  std::vector<std::vector<std::string_view>> texts;

 private:
  std::string_view view(nb::handle item) {
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size)) return {text, static_cast<std::size_t>(size)};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();
    PyObject* encoded = PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogatepass");
    if (!encoded) throw nb::python_error();
    copies_.push_back(nb::steal<nb::bytes>(encoded));
    return {copies_.back().c_str(), copies_.back().size()};
  }

  std::vector<nb::bytes> copies_;
};

Templates make_templates(In<std::int32_t> roles, In<std::int32_t> places, In<std::int32_t> template_begin,
                         In<std::uint64_t> seeds, int first_between, int between, In<std::int32_t> each_values,
                         In<std::int32_t> each_begin) {
  Templates::Source source;
  for (std::size_t i = 0; i < roles.shape(0); ++i) source.atoms.push_back({roles.data()[i], places.data()[i]});
  source.template_begin = copy(template_begin);
  source.seed = copy(seeds);
  source.first_between = first_between;
  source.between = between;
  source.each_values = copy(each_values);
  source.each_begin = copy(each_begin);
  return Templates(std::move(source));
}

CodeTemplates make_code_templates(In<std::int32_t> items, In<std::int32_t> codes, In<std::int32_t> begin,
                                  In<std::uint64_t> seeds, int joined, int columns) {
  if (items.shape(0) != codes.shape(0) || begin.shape(0) == 0)
    throw std::invalid_argument("expected the atoms of every template");
  std::vector<CodeTemplates::Atom> atoms;
  for (std::size_t i = 0; i < items.shape(0); ++i) atoms.push_back({items.data()[i], codes.data()[i]});
  return {atoms, copy(begin), copy(seeds), joined, columns};
}

}  // namespace

void register_features(nb::module_& m) {
  nb::enum_<Derivation>(m, "Derivation")
      .value("WHOLE", Derivation::Whole)
      .value("PREFIX", Derivation::Prefix)
      .value("SUFFIX", Derivation::Suffix)
      .value("SHAPE", Derivation::Shape)
      .value("FEATURE", Derivation::Feature);

  nb::class_<Attribute>(m, "Attribute")
      .def(
          "__init__",
          [](Attribute* self, int column, Derivation derivation, int length, std::string key) {
            new (self) Attribute{column, derivation, length, std::move(key)};
          },
          nb::arg("column"), nb::arg("derivation"), nb::arg("length") = 0, nb::arg("key") = "")
      .def(
          "derive",
          [](const Attribute& self, const std::string& text) {
            std::string scratch;
            return std::string(derive(self, text, scratch));
          },
          nb::arg("text"), "The attribute's text, given its column's.");

  nb::class_<Sequences>(m, "Sequences", "Sequences of items with hashed attributes.")
      .def(nb::init<std::vector<Attribute>, bool>(), nb::arg("attributes"), nb::arg("root") = false)
      .def("add", 
           [](Sequences& self, const nb::list& columns) {
             const Columns all(columns);
             check_changeable(self);
             self.add(all.texts);
           },
           nb::arg("columns"),
           "Adds one sequence: a list of texts per column.")
      .def("clear", changing<Sequences>(&Sequences::clear))
      .def("length", &Sequences::length, nb::arg("sequence"))
      .def("__len__", &Sequences::size);

  nb::class_<Templates>(m, "Templates", "Compiled feature templates of one family.")
      .def(
          "__init__",
          [](Templates* self, In<std::int32_t> roles, In<std::int32_t> places, In<std::int32_t> template_begin,
             In<std::uint64_t> seeds, int first_between, int between, In<std::int32_t> each_values,
             In<std::int32_t> each_begin) {
            new (self) Templates(
                make_templates(roles, places, template_begin, seeds, first_between, between, each_values, each_begin));
          },
          nb::arg("roles"), nb::arg("places"), nb::arg("template_begin"), nb::arg("seeds"), nb::arg("first_between"),
          nb::arg("between"), nb::arg("each_values"), nb::arg("each_begin"))
      .def("__len__", &Templates::size);

  m.def(
      "template_features",
      [](const Sequences& sequences, const Templates& templates) {
        return to_numpy(item_features(sequences, templates));
      },
      nb::arg("sequences"), nb::arg("templates"), "One hash for every item and template.");

  nb::class_<CodeTemplates>(m, "CodeTemplates", "Compiled templates over codes.")
      .def(
          "__init__",
          [](CodeTemplates* self, In<std::int32_t> items, In<std::int32_t> codes, In<std::int32_t> begin,
             In<std::uint64_t> seeds, int joined, int columns) {
            new (self) CodeTemplates(make_code_templates(items, codes, begin, seeds, joined, columns));
          },
          nb::arg("items"), nb::arg("codes"), nb::arg("begin"), nb::arg("seeds"), nb::arg("joined"), nb::arg("columns"))
      .def(
          "hashes",
          [](const CodeTemplates& self, const std::vector<In<std::uint64_t>>& columns, In<std::int64_t> parts) {
            std::vector<CodeTemplates::Column> views;
            for (const auto& column : columns) views.push_back(view(column));
            return to_numpy(unlocked([&, items = copy(parts)] { return self.hashes(views, items); }));
          },
          nb::arg("columns"), nb::arg("parts"), "One hash for every part and template.")
      .def("__len__", &CodeTemplates::size);

  m.def("text_hash", [](const std::string& text) { return hash_of(text); }, nb::arg("text"));
  m.def(
      "text_hashes",
      [](const nb::list& texts) {
        nb::list column;
        column.append(texts);
        const Columns columns(column);
        std::vector<std::uint64_t> hashes;
        for (auto text : columns.texts.front()) hashes.push_back(hash_of(text));
        return to_numpy(std::move(hashes));
      },
      nb::arg("texts"), "The hash of each string of a list; a lone surrogate is hashed as if it were a character.");

  nb::class_<Weights, learn::Averaged<float>>(m, "Weights", "A table of 2^bits weights.")
      .def(nb::init<int>(), nb::arg("bits"))
      .def_prop_ro("bits", &Weights::bits)
      .def_prop_ro(
          "values", [](nb::handle_t<Weights> self) {
            auto& weights = nb::cast<Weights&>(self);
            check_readable(weights);
            if (weights.frozen()) return to_numpy(weights.thawed());
            if (weights.values.empty()) check_changeable(weights), weights.make();
            return Out<float>(weights.show(), {weights.values.size()}, self);
          }, kOwned, "The table itself, where writing changes the model; a copy when it is frozen.")
      .def(
          "freeze",
          [](Weights& self, In<std::uint8_t> codes, In<float> levels) {
            check_changeable(self);
            self.freeze(view(codes), view(levels));
          },
          nb::arg("codes"), nb::arg("levels"), "Reads weights from one byte each from now on; there is no way back.")
      .def("start_averaging", changing<Weights>(&Weights::start_averaging))
      .def("__len__", &Weights::size);
}

}  // namespace treaty::bind
