// A step that may reveal everything: P and Q have no outcome in common, so the loss is infinite
// (docs/math/infinite-loss.md, "Nothing and everything").
#include "mechanism/model.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace non_private_file {
namespace {

struct NonPrivate {
  static constexpr std::string_view kind = "non-private";
  static constexpr std::string_view summary = "a step without any privacy";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static Notes notes() {
    return {.relation = "any",
            .exact = "for a step that publishes the records: epsilon is infinite at every delta below 1",
            .bound = "for every other step. On a sample only those who are drawn are revealed",
            .references = {}};
  }
  std::optional<NonPrivate> for_group(double) const { return *this; }
  // The loss is infinite with probability 1, so that the curve of the finite part does not matter.
  std::shared_ptr<const Curve> curve() const {
    return std::make_shared<mechanism::InfiniteLossCurve>(1, mechanism::pure_step(0));
  }
  bool operator==(const NonPrivate&) const = default;
};

}  // namespace
}  // namespace non_private_file

Mechanism table::non_private() { return mechanism::made(non_private_file::NonPrivate{}); }

}  // namespace renyi
