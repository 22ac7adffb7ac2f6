#include "learn/averaged.hpp"

#include "bind/bind.hpp"

namespace treaty::bind {
namespace {

using learn::Averaged;

template <class Number>
void add_at(Averaged<Number>& self, In<std::int64_t> places, In<Number> numbers, double change) {
  if (places.shape(0) != numbers.shape(0)) throw std::invalid_argument("expected a number for each place");
  for (auto place : view(places))
    if (place < 0 || place >= std::ssize(self.values)) throw std::invalid_argument("a weight that is not there");
  const auto rate = self.rate_of(change);
  for (std::size_t i = 0; i < places.shape(0); ++i)
    self.add(static_cast<std::size_t>(places.data()[i]), view(numbers).subspan(i, 1), rate);
}

template <class Number>
void add_all(Averaged<Number>& self, In<Number> numbers, double change) {
  if (numbers.shape(0) != self.values.size()) throw std::invalid_argument("expected a number for each weight");
  self.add(0, view(numbers), self.rate_of(change));
}

template <class Number>
void restore(Averaged<Number>& self, In<Number> values, In<Number> late, In<Number> past, double scale, double time,
             std::int64_t step) {
  const auto fits = [&](const In<Number>& table) { return table.shape(0) == 0 || table.shape(0) == values.shape(0); };
  if (values.shape(0) != self.values.size() || !fits(late) || !fits(past))
    throw std::invalid_argument("expected " + std::to_string(self.values.size()) + " weights");
  if (!(scale > 0.0) || !(time >= 0.0) || step < 0) throw std::invalid_argument("expected a scale, a time and a step");
  const auto copy = [](const In<Number>& from, auto& to) {  // from its own table, perhaps
    to.resize(from.shape(0));
    std::ranges::copy(view(from), to.begin());
  };
  copy(values, self.values);
  copy(late, self.late);
  copy(past, self.past);
  self.scale = scale, self.time = time, self.step = step;
}

template <class Number>
void register_averaged(nb::module_& m, const char* name) {
  using Weights = Averaged<Number>;
  // The table itself; it belongs to the weights, and lives as long as they do.
  const auto table = [](auto member) {
    return [member](nb::handle_t<Weights> self) {
      auto& numbers = nb::cast<Weights&>(self).*member;
      return Out<Number>(numbers.data(), {numbers.size()}, self);
    };
  };
  nb::class_<Weights>(m, name, "Weights in training, with their running average: scale * values.")
      .def(
          "__init__",
          [](Weights* self, std::size_t size) {
            new (self) Weights;
            self->values.assign(size, Number{0});
          },
          nb::arg("size"))
      .def_prop_ro("values", table(&Weights::values), kOwned, "The table itself: writing changes the weights.")
      .def_prop_ro("late", table(&Weights::late), kOwned, "Empty when there is no averaging.")
      .def_prop_ro("past", table(&Weights::past), kOwned, "Empty before the scale was folded in.")
      .def_ro("scale", &Weights::scale)
      .def_ro("time", &Weights::time)
      .def_ro("step", &Weights::step, "Steps since averaging began.")
      .def("add", &add_at<Number>, nb::arg("places"), nb::arg("numbers"), nb::arg("change"),
           "Adds the numbers, times the change, at these places; one may occur twice.")
      .def("add_all", &add_all<Number>, nb::arg("numbers"), nb::arg("change"))
      .def("shrink", &Weights::shrink, nb::arg("factor"))
      .def("next_step", &Weights::next_step)
      .def("start_averaging", &Weights::start_averaging)
      .def("average", [](const Weights& self) { return to_numpy(self.average()); },
           "The mean of the weights after each step since averaging began.")
      .def("keep_average", &Weights::keep_average, "Puts the average in the place of the weights.")
      .def("restore", &restore<Number>, nb::arg("values"), nb::arg("late"), nb::arg("past"), nb::arg("scale"),
           nb::arg("time"), nb::arg("step"));
}

}  // namespace

void register_learn(nb::module_& m) {
  register_averaged<float>(m, "AveragedFloats");
  register_averaged<double>(m, "AveragedDoubles");
}

}  // namespace treaty::bind
