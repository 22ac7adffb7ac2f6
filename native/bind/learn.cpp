#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "learn/averaged.hpp"
#include "learn/parallel.hpp"
#include "learn/update.hpp"

namespace treaty::bind {
namespace {

using features::Weights;
using namespace treaty::learn;

template <class Number>
void add_at(Averaged<Number>& self, In<std::int64_t> places, In<Number> numbers, double change) {
  check_changeable(self);
  if (places.shape(0) != numbers.shape(0)) throw std::invalid_argument("expected a number for each place");
  for (auto place : view(places))
    if (place < 0 || place >= std::ssize(self.values)) throw std::invalid_argument("a weight that is not there");
  const auto rate = self.rate_of(change);
  for (std::size_t i = 0; i < places.shape(0); ++i)
    self.add(static_cast<std::size_t>(places.data()[i]), view(numbers).subspan(i, 1), rate);
}

template <class Number>
void add_all(Averaged<Number>& self, In<Number> numbers, double change) {
  check_changeable(self);
  if (numbers.shape(0) != self.values.size()) throw std::invalid_argument("expected a number for each weight");
  self.add(0, view(numbers), self.rate_of(change));
}

template <class Number>
void restore(Averaged<Number>& self, In<Number> values, In<Number> late, In<Number> past, double scale, double time,
             std::int64_t step) {
  check_changeable(self);
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
  using Table = Averaged<Number>;
  // The memory belongs to the weights, and lives as long as they do.
  const auto values = [](nb::handle_t<Table> self) {
    auto& weights = nb::cast<Table&>(self);
    check_readable(weights);
    return Out<Number>(weights.show(), {weights.values.size()}, self);
  };
  const auto copy_of = [](auto member) {
    return [member](const Table& self) {
      check_readable(self);
      return to_numpy(std::vector<Number>((self.*member).begin(), (self.*member).end()));
    };
  };
  nb::class_<Table>(m, name, "Weights in training, with their running average: scale * values.")
      .def(
          "__init__",
          [](Table* self, std::size_t size) {
            new (self) Table;
            self->values.assign(size, Number{0});
          },
          nb::arg("size"))
      .def_prop_ro("values", values, kOwned, "The table itself: writing changes the weights.")
      .def_prop_ro("late", copy_of(&Table::late), kOwned, "A copy, empty when there is no averaging.")
      .def_prop_ro("past", copy_of(&Table::past), kOwned, "A copy, empty before the scale was folded in.")
      .def_ro("scale", &Table::scale)
      .def_ro("time", &Table::time)
      .def_ro("step", &Table::step, "Steps since averaging began.")
      .def("add", &add_at<Number>, nb::arg("places"), nb::arg("numbers"), nb::arg("change"),
           "Adds the numbers, times the change, at these places; one may occur twice.")
      .def("add_all", &add_all<Number>, nb::arg("numbers"), nb::arg("change"))
      .def("shrink", changing<Table>(&Table::shrink), nb::arg("factor"))
      .def("next_step", changing<Table>(&Table::next_step))
      .def("start_averaging", changing<Table>(&Table::start_averaging))
      .def("average", [](const Table& self) { return check_readable(self), to_numpy(self.average()); },
           "The mean of the weights after each step since averaging began.")
      .def("keep_average", changing<Table>(&Table::keep_average), "Puts the average in the place of the weights.")
      .def("restore", &restore<Number>, nb::arg("values"), nb::arg("late"), nb::arg("past"), nb::arg("scale"),
           nb::arg("time"), nb::arg("step"));
}

}  // namespace

void register_learn(nb::module_& m) {
  register_averaged<float>(m, "AveragedFloats");
  register_averaged<double>(m, "AveragedDoubles");
  m.def("usable_threads", [](Threads wanted) { return usable_threads(wanted); }, nb::arg("wanted"),
        "Of this many threads, those that do not only cost memory.");
  m.def(
      "learn_from",
      [](Weights& weights, In<std::int64_t> begin, In<std::int32_t> places, In<float> values, In<double> cost,
         double aggressiveness) {
        check_changeable(weights);
        learn_from(weights, {view(begin), view(places), view(values), view(cost)}, aggressiveness);
      },
      nb::arg("weights"), nb::arg("begin"), nb::arg("places"), nb::arg("values"), nb::arg("cost"),
      nb::arg("aggressiveness"),
      "Learns from a batch of examples: the features of gold less those of the answer, and what the answer costs. By "
      "MIRA, or as a perceptron if aggressiveness is zero.");
}

}  // namespace treaty::bind
