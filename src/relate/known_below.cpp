#include "relate/known_below.h"

#include "relate/divergence_growth.h"
#include "renyi/own.h"

namespace renyi::relate {

namespace {

// The upper end of all, the lower end of those that have one.
template <class Search>
Range enclosed(const std::vector<CountedMechanism>& mechanisms, const Search& search) {
  Range range = search(*compose(mechanisms));
  const auto known = known_from_below(mechanisms);
  if (known.size() < mechanisms.size()) range.lower = search(*compose(known)).lower;
  return range;
}

}  // namespace

bool is_only_bounded(const Mechanism& mechanism) {
  return mechanism.get_if<Own>() != nullptr && mechanism.curve()->knowledge() == Knowledge::orders;
}

std::vector<CountedMechanism> known_from_below(std::vector<CountedMechanism> mechanisms) {
  std::erase_if(mechanisms, [](const CountedMechanism& m) { return is_only_bounded(m.mechanism); });
  return mechanisms;
}

Range smallest_rho(const std::vector<CountedMechanism>& mechanisms, double last_order) {
  return enclosed(mechanisms, [last_order](const Curve& curve) { return smallest_rho(curve, last_order); });
}

Range smallest_xi(const std::vector<CountedMechanism>& mechanisms, double rho) {
  return enclosed(mechanisms, [rho](const Curve& curve) { return smallest_xi(curve, rho); });
}

}  // namespace renyi::relate
