#include "api/rdp.h"

#include <fmt/format.h>

#include <algorithm>

namespace renyi::api {

namespace rdp_file {
namespace {

// Returns the reason why no order is finite; empty if some orders are.
std::string note_on_infinite_loss(const Curve& curve) {
  const double remove = curve.infinite_mass(Direction::remove).upper();
  const double most = std::min(1.0, std::max(remove, curve.infinite_mass(Direction::add).upper()));
  if (most == 0) return {};
  return fmt::format(
      "the loss is infinite with probability {:.6g}, so that no order is finite where that is; epsilon and delta pay "
      "for it apart",
      most);
}

}  // namespace
}  // namespace rdp_file

RdpAnswer answer(const RdpRequest& asked) {
  if (asked.closed_form) return {.comparison = compare_closed_form(asked.plan, asked.orders)};
  const Analysis analysis(asked.plan);
  RdpAnswer answer{.orders = asked.orders};
  for (const Bounded& value : rdp(analysis, asked.orders, asked.options)) answer.upper.push_back(value.upper());
  answer.note = rdp_file::note_on_infinite_loss(*analysis.curve());
  answer.overflows = overflows(asked.plan);
  return answer;
}

}  // namespace renyi::api
