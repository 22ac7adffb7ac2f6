#include "bind/bind.hpp"

NB_MODULE(_native, m) {
  m.doc() = "Treaty's compiled core. Private: use treaty.graph and treaty.solve.";
  treaty::bind::register_graph(m);
  treaty::bind::register_oracle(m);
  treaty::bind::register_solve(m);
}
