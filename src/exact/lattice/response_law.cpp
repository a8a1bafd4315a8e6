// All copies of one randomized response, composed on their own lattice and then put on the grid as one step.
#include <algorithm>
#include <cmath>

#include "exact/lattice/responses.h"
#include "exact/lattice/step_law.h"
#include "renyi/error.h"

namespace renyi::exact::lattice {

namespace {

class ResponseLaw final : public StepLaw {
 public:
  explicit ResponseLaw(const CountedMechanism& step)
      : StepLaw(1, Direction::remove, renyi::compose(std::vector<CountedMechanism>{step})),
        response_(*response_of(step)),
        one_(step.mechanism.curve()) {}

  // A cell costs a quarter of one that is integrated.
  double cells(const Grid& grid) const override {
    const double reach = 20 * response_.e * (std::sqrt(static_cast<double>(response_.count)) + 1);
    return std::min(reach, 2 * response_.e * static_cast<double>(response_.count)) / (4 * grid.h) + 2;
  }
  bool sides_agree() const override { return false; }

  // Above, the atoms are masses of cells; below, they are rounded down to the grid.
  Cells cut(const Grid& grid, bool upper) const override {
    const auto law = composed_response(response_, *one_, grid.c);
    if (!law) throw NotConverged("the law of a randomized response");
    Cells cells;
    cells.offset = law->origin;
    cells.log_scale = law->log_scale;
    cells.relative = law->relative;
    cells.slack = law->slack;
    // The masses' own error may be anywhere: |w| in l1 is at most sqrt(n) times its Euclidean norm.
    cells.dropped = law->outside + law->error * std::sqrt(static_cast<double>(law->w.size()));
    const double reach = law->h * static_cast<double>(law->w.size() - 1);
    cells.log_infinite = std::log(law->beyond) + law->log_scale - grid.c * (law->origin + reach);
    const auto n = static_cast<std::size_t>(std::floor(reach / grid.h)) + 1;
    cells.p.resize(n);
    cells.u.resize(n);
    for (std::size_t k = 0; k < law->w.size(); ++k) {
      const double l = law->h * static_cast<double>(k);
      const auto at = std::min(n - 1, static_cast<std::size_t>(l / grid.h));
      const double over = std::max(0.0, l - static_cast<double>(at) * grid.h);
      const double mass = law->w[k] * std::exp(-grid.c * over);
      if (upper) {
        cells.p[at] += mass;
        cells.u[at] += mass * -std::expm1(-over);
      } else {
        cells.atoms.push_back({static_cast<std::int64_t>(at), mass});
      }
    }
    return cells;
  }

 private:
  Response response_;
  std::shared_ptr<const Curve> one_;
};

}  // namespace

std::unique_ptr<StepLaw> response_law(const CountedMechanism& step) { return std::make_unique<ResponseLaw>(step); }

}  // namespace renyi::exact::lattice
