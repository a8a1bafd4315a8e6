// A step that does not look at the records: P = Q.
#include "mechanism/curve.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace no_op_file {
namespace {

struct NoOp {
  static constexpr std::string_view kind = "no-op";
  static constexpr std::string_view summary = "a step that reveals nothing";
  static std::span<const Parameter> parameters() { return {}; }
  static constexpr auto fields = std::tuple<>{};
  static Notes notes() {
    return {.relation = "any", .exact = "everything: it costs nothing", .bound = "", .references = {}};
  }
  std::optional<NoOp> for_group(double) const { return *this; }
  std::shared_ptr<const Curve> curve() const { return std::make_shared<mechanism::ZeroCurve>(); }
  bool operator==(const NoOp&) const = default;
};

}  // namespace
}  // namespace no_op_file

Mechanism table::no_op() { return mechanism::made(no_op_file::NoOp{}); }

}  // namespace renyi
