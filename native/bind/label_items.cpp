// Features of tokens as users of CRFsuite write them: dicts of names and values, or lists of names.
#include <cmath>
#include <string_view>

#include "bind/bind.hpp"
#include "features/hash.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::features;

std::string_view text_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const begin = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!begin) throw nb::python_error();
  return {begin, static_cast<std::size_t>(size)};
}

// The features of one token: {"a": 2.0} counts a twice; {"a": "b"} is a=b, {"a": ["b", "c"]} is a:b and a:c,
// {"a": {"b": ...}} is a:b with what it holds; True counts one and False nothing.
class Items {
 public:
  void add(nb::handle item) {
    name_.clear();
    if (PyDict_Check(item.ptr())) add_dict(item);
    else add_names(item);
    begin.push_back(static_cast<std::int64_t>(features.size()));
  }

  std::vector<std::uint64_t> features;
  std::vector<std::int64_t> begin{0};
  std::vector<float> values;
  bool all_one = true;

 private:
  void add_dict(nb::handle item) {
    const auto length = name_.size();
    for (auto [key, value] : nb::borrow<nb::dict>(item)) {
      name_.resize(length);
      name_ += text_of(nb::str(key));
      add_value(value);
    }
    name_.resize(length);
  }

  void add_value(nb::handle value) {
    if (PyBool_Check(value.ptr())) {
      if (value.is(Py_True)) count(1.0f);
    } else if (PyUnicode_Check(value.ptr())) {
      name_ += '=';
      name_ += text_of(value);
      count(1.0f);
    } else if (PyDict_Check(value.ptr())) {
      name_ += ':';
      add_dict(value);
    } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyAnySet_Check(value.ptr())) {
      name_ += ':';
      add_names(value);
    } else {
      count(number_of(value));
    }
  }

  void add_names(nb::handle names) {
    const auto length = name_.size();
    for (nb::handle name : nb::iter(names)) {
      name_.resize(length);
      name_ += text_of(nb::str(name));
      count(1.0f);
    }
    name_.resize(length);
  }

  float number_of(nb::handle value) const {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      throw nb::type_error(("feature " + name_ + ": expected a number, a text, a list of texts or a dict").c_str());
    }
    if (!std::isfinite(static_cast<float>(number))) throw nb::value_error(("feature " + name_ + " is not finite").c_str());
    return static_cast<float>(number);
  }

  void count(float value) {
    features.push_back(hash_of(name_));
    values.push_back(value);
    all_one = all_one && value == 1.0f;
  }

  std::string name_;
};

}  // namespace

void register_label_items(nb::module_& m) {
  m.def(
      "item_features",
      [](const nb::sequence& items) {
        Items all;
        for (nb::handle item : items) all.add(item);
        if (all.all_one) all.values.clear();
        return nb::make_tuple(to_numpy(std::move(all.features)), to_numpy(std::move(all.begin)),
                              to_numpy(std::move(all.values)));
      },
      nb::arg("items"), "Features of tokens given as dicts or lists: (features, begin, values).");
}

}  // namespace treaty::bind
