#include "exact/lattice/refine.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "exact/agreed.h"
#include "exact/lattice/grid_law.h"

namespace renyi::exact::lattice {

namespace {

constexpr int most_levels = 8;
constexpr double first_points = 4096;
// Tails of a step that are given up weigh this beside delta.
constexpr double log_given_up = -25;
// Cells, and points over all transforms, that fit into the time of a call; a list of atoms takes longer.
constexpr double most_cells = 1.5e6, most_points_all = 4.2e6, most_cells_direct = 3e5;
// Atoms beside a grid, which reads each of them a dozen times.
constexpr double most_read = 1.5e6;
// Over all grids of a call, as a multiple of those.
constexpr double most_work = 1.5;
// The atoms' grid may have so many times as many cells; usually it has no more than 2.5 times as many.
constexpr double most_refined_by_alignment = 4;
constexpr double most_points_extended = 1 << 17;
// Bytes a cell and a point of the transform take.
constexpr double bytes_a_cell = 64, bytes_a_point = 160;

struct Limits {
  double cells = most_cells;
  double points = most_points_all;  // a power of two

  Limits(const Parts& parts, std::size_t memory) {
    const auto bytes = static_cast<double>(memory);
    cells = std::min(is_direct(parts) ? most_cells_direct : most_cells, 0.3 * bytes / bytes_a_cell);
    const double most =
        std::min(most_points_all / static_cast<double>(parts.laws.size() + 1), 0.7 * bytes / bytes_a_point);
    points = static_cast<double>(std::bit_floor(static_cast<std::size_t>(std::max(64.0, most))));
  }

  // How much coarser a grid must be to keep within them.
  double coarser(double cells_there, double points_there) const {
    return std::max(cells_there / cells, 1.01 * points_there / points);
  }
};

class Refinement {
 public:
  Refinement(const Parts& parts, const Start& start, std::size_t memory)
      : parts_(parts),
        limits_(parts, memory),
        grid_{.h = 1, .c = start.c, .log_negligible = negligible(start.log_delta)} {
    // Neither the law nor the kernel changes on a shorter scale.
    const double scale = std::max(parts.variance(start.c), 0.0) + 1 / (start.c * (start.c + 1));
    set_spacing(16 * std::sqrt(scale) / first_points);
  }

  // Reads the next grid; false when that was the last.
  bool next(const Read& read) {
    auto law = grid_law(parts_, grid_, static_cast<std::size_t>(limits_.points), orders_, precision_);
    if (!law) {
      aligned_ = false;  // atoms that are close to each other would ask for the same grid again
      return !figure_ && set_spacing(4 * grid_.h);
    }
    const auto reading = read(law->law);
    if (!reading || !is_interval(reading->ends)) return false;
    add(*reading);
    law_ = std::make_shared<const DeltaLaw>(std::move(law->law));
    work_ += work_of(law->points);
    const double finest = grid_.h * limits_.coarser(cells_of(parts_, grid_), law->points);
    // Where finer grids do not help any more, rounding is what is left.
    const bool helps = reading->excess < 0.7 * last_excess_ || is_direct(parts_);
    if (!figure_->limited) return false;
    if (!helps) return extend(law->points);
    if (finest > 0.8 * grid_.h) return false;
    last_excess_ = reading->excess;
    grid_.log_negligible = std::min(grid_.log_negligible, negligible(reading->log_delta));
    if (reading->tilt > 0 && std::isfinite(reading->tilt)) grid_.c = reading->tilt;
    if (++level_ < 2) orders_.reset();
    // Errors fall with the square of the spacing.
    const double spacing = std::max(finest, grid_.h / std::clamp(1.2 * std::sqrt(reading->excess), 1.7, 64.0));
    return work_ + work_of(law->points * grid_.h / spacing) <= most_work && set_spacing(spacing);
  }

  Refined result() { return {figure_, std::move(law_)}; }

 private:
  // The share of the time of a call that such a grid takes.
  double work_of(double points) const {
    const double n = std::exp2(std::ceil(std::log2(std::max(points, 64.0))));
    return n * static_cast<double>(parts_.laws.size() + 1) / most_points_all + cells_of(parts_, grid_) / most_cells +
           parts_.listed() / most_read;
  }

  // The same grid again, with less rounding, if that is not too slow.
  bool extend(double points) {
    if (precision_ == Precision::extended || work_ > 0.5) return false;
    precision_ = Precision::extended;
    limits_.points = std::min(limits_.points, most_points_extended);
    last_excess_ = HUGE_VAL;
    return set_spacing(grid_.h * std::max(1.0, limits_.coarser(0, points)));
  }

  double negligible(double log_delta) const {
    return std::min(log_delta, 0.0) - std::log(parts_.count()) + log_given_up;
  }

  bool set_spacing(double h) {
    grid_.h = h;
    grid_.h *= std::max(1.0, limits_.coarser(cells_of(parts_, grid_), 0));
    if (aligned_) align();
    return grid_.h > 0 && grid_.c * grid_.h < 50;
  }

  // Unless atoms are so close to each other that the grid would be out of reach.
  void align() {
    const Grid asked = grid_;
    grid_.h = aligned_spacing(parts_, asked);
    if (limits_.coarser(cells_of(parts_, grid_), 0) > most_refined_by_alignment) grid_ = asked;
  }

  void add(const Reading& reading) {
    if (!figure_) figure_ = ExactFigure{reading.ends.lower, reading.ends.upper, Engine::lattice, true};
    figure_ = agreed(*figure_, reading.ends.lower, reading.ends.upper);
    figure_->limited = reading.excess > 1;
  }

  const Parts& parts_;
  Limits limits_;
  Grid grid_;
  bool aligned_ = true;
  std::optional<TailOrders> orders_;
  std::optional<ExactFigure> figure_;
  std::shared_ptr<const DeltaLaw> law_;  // the last one read
  double last_excess_ = HUGE_VAL;
  Precision precision_ = Precision::plain;
  int level_ = 0;
  double work_ = 0;
};

// Nothing to refine but the tilt.
Refined without_grid(const Parts& parts, double c, const Read& read) {
  Refined result;
  for (int i = 0; i < 3; ++i) {
    auto law = response_law(parts, c);
    const auto reading = law ? read(*law) : std::nullopt;
    if (!reading || !is_interval(reading->ends)) return result;
    result.figure = ExactFigure{reading->ends.lower, reading->ends.upper, Engine::lattice, reading->excess > 1};
    result.law = std::make_shared<const DeltaLaw>(std::move(*law));
    if (!result.figure->limited || std::abs(std::log(reading->tilt / c)) < 0.1) break;
    c = reading->tilt;
  }
  return result;
}

}  // namespace

Refined refine(const Parts& parts, const Start& start, std::size_t memory, const Read& read) {
  if (parts.laws.empty()) return without_grid(parts, start.c, read);
  Refinement refinement(parts, start, memory);
  for (int i = 0; i < most_levels && refinement.next(read); ++i) {
  }
  return refinement.result();
}

}  // namespace renyi::exact::lattice
