#include "api/rdp.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

#include "renyi/error.h"
#include "renyi/limits.h"

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
  std::exception_ptr last;
  for (const double order : asked.orders) {
    try {
      stop_if_overdue();
      answer.upper.push_back(rdp(analysis, order, asked.options).upper());
      continue;
    } catch (const NotConverged& error) {
      answer.obstacles.push_back({order, error.what()});
      last = std::current_exception();
    } catch (const LimitReached& error) {
      answer.obstacles.push_back({order, error.why()});
      last = std::current_exception();
    }
    answer.upper.push_back(std::numeric_limits<double>::infinity());  // which is an upper bound
  }
  if (answer.obstacles.size() == asked.orders.size()) std::rethrow_exception(last);
  answer.note = rdp_file::note_on_infinite_loss(*analysis.curve());
  answer.overflows = overflows(asked.plan);
  return answer;
}

}  // namespace renyi::api
