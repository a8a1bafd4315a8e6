#include "mechanism/sampled_gaussian/line.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "mechanism/sampled_gaussian/order.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "mechanism/sampled_gaussian/summation.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"

namespace renyi::sampled_gaussian {

using std::numbers::pi;

namespace line_file {
namespace {

constexpr std::size_t most_nodes = 1 << 16, most_chunks = most_nodes / Chunk::size;
// Past the peaks, atoms with less than this share of the mass and of E[L^2] end the sum.
constexpr double negligible = 1e-18;
constexpr std::size_t likely_chunks = 256 / Chunk::size;  // in each direction
constexpr double missing_mass = 1e-10;
// Bounds are computed from sums over nodes; they are weakened by this share to allow for that.
constexpr double margin = 0.05;
constexpr double margin_of_mass = 1e-9;
constexpr std::size_t enough_nodes = 6;  // number of nodes in a bucket from which on they are summed
// A cut is kept only if its variation is below this multiple of that of every cut with less mass.
constexpr double better = 0.98;

// Chunks of tilted nodes, from some chunk on upwards or downwards.
struct March {
  const Lattice& lattice;
  const Tilt& tilt;
  TiltedMoments& moments;

  bool counts(const TiltedChunk& chunk, std::size_t i) const {
    const double weight = chunk.weight[i], loss = chunk.loss[i];
    return weight > negligible || weight * loss * loss > negligible * moments.moment[2];
  }

  // Adds chunks from `c` in steps of `way` until, past `settled`, the outermost atom is negligible.
  void operator()(long c, long way, long settled, std::vector<TiltedChunk>& chunks) const {
    Chunk scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the lattice before it is read
    for (; chunks.size() <= most_chunks; c += way) {
      chunks.emplace_back();
      tilt_chunk(tilt, lattice.chunk(c, scratch), chunks.back(), moments);
      if (way * (c - settled) >= 0 && !counts(chunks.back(), way > 0 ? Chunk::size - 1 : 0)) return;
    }
  }
};

// Concatenates all chunks in rising order of x, without the negligible atoms at both ends, in rising order of the loss.
void put_together(const March& march, const std::vector<TiltedChunk>& down, const std::vector<TiltedChunk>& up,
                  TiltedNodes& nodes) {
  const std::size_t below = down.size() * Chunk::size, all = below + up.size() * Chunk::size;
  const auto chunk_of = [&](std::size_t i) -> const TiltedChunk& {
    return i < below ? down[down.size() - 1 - i / Chunk::size] : up[(i - below) / Chunk::size];
  };
  std::size_t begin = 0, end = all;
  while (begin < end && !march.counts(chunk_of(begin), begin % Chunk::size)) ++begin;
  while (begin < end && !march.counts(chunk_of(end - 1), (end - 1) % Chunk::size)) --end;
  for (auto* column : {&nodes.loss, &nodes.weight, &nodes.density}) column->reserve(end - begin);
  for (std::size_t i = begin; i < end;) {
    const std::size_t first = i % Chunk::size, last = std::min(Chunk::size + i - first, end) - (i - first);
    const TiltedChunk& chunk = chunk_of(i);
    const auto append = [&](const Chunk::Column& from, std::vector<double>& to) {
      to.insert(to.end(), from.data() + first, from.data() + last);
    };
    append(chunk.loss, nodes.loss);
    append(chunk.weight, nodes.weight);
    append(chunk.density, nodes.density);
    i += last - first;
  }
  if (march.tilt.direction == Direction::remove) return;
  for (auto* column : {&nodes.loss, &nodes.weight, &nodes.density}) std::reverse(column->begin(), column->end());
}

// Returns a lower bound on E[1 - cos(v(L-L')); L, L' in J] for every v in [y, 2y], |v(L-L')| <= pi: from 1 - cos u >= 2
// u^2/pi^2, and from 1 - cos u >= u^2/2 - u^4/24, which is concave in v^2 and so least at an endpoint. Moments about
// any point but the mean of J would make E[(L-L')^2; J] a difference of large numbers: a rare loss of -1/2 next to a
// common one of 1e-11 would hide a variance of 1e-18.
double lost(const CentralMoments& about_mean, double y) {
  const auto& m = about_mean.m;
  const double second = 2 * (m[0] * m[2] - m[1] * m[1]);                        // E[(L-L')^2; J]
  const double fourth = 2 * (m[0] * m[4] - 4 * m[1] * m[3] + 3 * m[2] * m[2]);  // E[(L-L')^4; J]
  const auto series = [&](double v2) { return 0.5 * v2 * second - v2 * v2 * fourth / 24; };
  const double wide = 2 * y * y / (pi * pi) * second;
  return std::max({0.0, wide, std::min(series(y * y), series(4 * y * y))});
}

// Returns the first atom past `begin` that lies further than `width` from it. The search is fast for buckets that are
// short or very long.
std::size_t bucket_end(const std::vector<double>& loss, std::size_t begin, double width) {
  const double last = loss[begin] + width;
  std::size_t end = begin + 1;
  for (const std::size_t near = std::min(begin + 2 * enough_nodes, loss.size()); end < near; ++end) {
    if (loss[end] > last) return end;
  }
  return static_cast<std::size_t>(std::upper_bound(loss.begin() + static_cast<std::ptrdiff_t>(end), loss.end(), last) -
                                  loss.begin());
}

// Collects cuts in rising order of mass, and keeps only those that vary less than all before.
class BestCuts {
 public:
  explicit BestCuts(std::size_t most) { best_.reserve(most); }

  void add(double mass, double variation) {
    if (!(variation < least_)) return;  // NaN and infinity are rejected, too
    best_.push_back({mass, variation});
    least_ = better * variation;
  }
  std::vector<Cut> all() && { return std::move(best_); }

 private:
  std::vector<Cut> best_{};
  double least_ = std::numeric_limits<double>::infinity();
};

// Returns the cuts whose first part consists of nodes in the order of `at`, from one end to the other: its mass, and
// the variation of the remainder.
template <class At>
std::vector<Cut> cuts_from(const TiltedNodes& nodes, const At& at) {
  const std::size_t n = nodes.loss.size();
  std::vector<double> rest(n);  // variation of the density at and past a node
  double variation = nodes.density[at(n - 1)];
  for (std::size_t i = n; i-- > 0;) {
    rest[i] = variation;
    if (i > 0) variation += std::abs(nodes.density[at(i)] - nodes.density[at(i - 1)]);
  }
  BestCuts best(n + 1);
  best.add(0, variation + nodes.density[at(0)]);
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass += nodes.weight[at(i)];
    best.add(mass * (1 + margin_of_mass), rest[i] + nodes.density[at(i)]);
  }
  return std::move(best).all();
}

}  // namespace
}  // namespace line_file

double TiltedNodes::largest() const {
  return loss.empty() ? 0 : std::max(std::abs(loss.front()), std::abs(loss.back()));
}

TiltedNodes tilted_nodes(const Lattice& lattice, double c, Direction direction, double log_mass) {
  const Peaks peaks = peaks_of(lattice.params(), c, direction);
  const Order order = make_order(lattice, c, direction, peaks);
  const double s = lattice.params().s, left = std::min(peaks.left, 0.0);
  const auto chunk_at = [&](double x) { return std::lround(x / lattice.step()) >> Chunk::log2_size; };
  const double top = std::max({1.0, peaks.right, peaks.upper.value_or(0)});
  TiltedNodes nodes;
  const Tilt tilt{order, lattice.params(), direction, log_mass, lattice.step()};
  const line_file::March march{lattice, tilt, nodes};
  std::vector<TiltedChunk> down, up;
  down.reserve(line_file::likely_chunks);
  up.reserve(line_file::likely_chunks);
  march(chunk_at(left), 1, chunk_at(top + 2 * s), up);
  march(chunk_at(left) - 1, -1, chunk_at(left - 2 * s), down);
  // The total mass is known, so that a window that missed some of it is detected.
  if (down.size() + up.size() > line_file::most_chunks || !(std::abs(nodes.moment[0] - 1) < line_file::missing_mass))
    return {};
  line_file::put_together(march, down, up, nodes);
  return nodes;
}

double near_decay(const TiltedNodes& nodes, double y) {
  const double width = pi / (2 * y);
  // Where a bucket contains few nodes the density is nearly constant across it, p say, and
  // E[(L-L')^2; L, L' in J] = p^2 width^4/6.
  const double flat = 2 * y * y / (pi * pi) * width * width * width / 6;
  const std::size_t n = nodes.loss.size();
  double total = 0;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    end = line_file::bucket_end(nodes.loss, begin, width);
    if (end - begin >= line_file::enough_nodes) {
      total += line_file::lost(central_moments(&nodes.loss[begin], &nodes.weight[begin], end - begin), y);
      continue;
    }
    double as_flat = 0;
    for (std::size_t i = begin; i < end; ++i) as_flat += nodes.weight[i] * nodes.density[i];
    total += as_flat * flat;
  }
  total *= 1 - line_file::margin;
  return total > 0 && total < 1 ? 0.5 * std::log1p(-total) : 0;  // false for NaN
}

std::vector<Cut> cuts(const TiltedNodes& nodes) {
  const std::size_t n = nodes.loss.size();
  if (n == 0) return {};
  // First the part with the given mass is at and below a node; then it is at and above the node.
  const std::vector<Cut> up = line_file::cuts_from(nodes, [](std::size_t i) { return i; });
  const std::vector<Cut> down = line_file::cuts_from(nodes, [n](std::size_t i) { return n - 1 - i; });
  std::vector<Cut> both(up.size() + down.size());
  std::merge(up.begin(), up.end(), down.begin(), down.end(), both.begin(),
             [](const Cut& a, const Cut& b) { return a.mass < b.mass; });
  line_file::BestCuts best(both.size());
  for (const Cut& cut : both) best.add(cut.mass, cut.variation);
  std::vector<Cut> kept = std::move(best).all();
  kept.shrink_to_fit();  // a plan of many steps has many lines
  return kept;
}

double far_decay(const std::vector<Cut>& cuts, double y) {
  double least = 1;
  for (const Cut& cut : cuts) {
    const double bound = cut.mass + (1 + line_file::margin) * cut.variation / y;
    if (bound < least) least = bound;  // false for NaN
  }
  return std::log(least);
}

namespace line_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A sum less accurate than this is computed again with half the step.
constexpr double sufficient_accuracy = 1e-13;
constexpr int most_refinements = 3;
// Terms of this share of the sum need not be resolved.
constexpr double rare = 1e-14;
// Phases are rotated from point to point where the sum is at least this, because the error of the rotation is absolute.
constexpr double turn_from = 0.05;
constexpr std::size_t worth_turning = 6;  // number of points

// |exp(ix) - 1 - ix| <= min(x^2/2, 2 + |x|), summed over atoms whose moments these are.
double size_bound(const double (&moment)[3], double y) {
  return std::min(0.5 * y * y * moment[2], 2 * moment[0] + y * moment[1]);
}

// Atoms are added in rows of this length, whose roundings then do not add up over all atoms.
constexpr std::size_t row = 16;

// Computes the sums without the kernels, where phases are too large for them.
PhaseSums plain_phase_sums(const Atoms& atoms, double y) {
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    std::complex<double> part[2];
    for (const std::size_t end = std::min(atoms.count, i + 2 * row); i < end; ++i) {
      part[i & 1] += atoms.weight[i] * numerics::exp_remainder(std::complex<double>(0, y * atoms.loss[i]));
    }
    for (std::size_t p = 0; p < 2; ++p) {
      sums.re[p] += part[p].real();
      sums.im[p] += part[p].imag();
    }
  }
  return sums;
}

// Returns the sums of w and of w L.
PhaseSums mass_and_mean(const Atoms& atoms) {
  PhaseSums sums;
  for (std::size_t i = 0; i < atoms.count;) {
    PhaseSums part;
    for (const std::size_t end = std::min(atoms.count, i + 2 * row); i < end; ++i) {
      part.re[i & 1] += atoms.weight[i];
      part.im[i & 1] += atoms.weight[i] * atoms.loss[i];
    }
    for (std::size_t p = 0; p < 2; ++p) {
      sums.re[p] += part.re[p];
      sums.im[p] += part.im[p];
    }
  }
  return sums;
}

}  // namespace
}  // namespace line_file

Line::Line(const Lattices& lattices, double c, Direction direction, const LogMoment& base)
    : lattices_(lattices),
      c_(c),
      direction_(direction),
      base_(base),
      first_level_(std::max(0, static_cast<int>(std::ceil(lattices.levels_needed(0, direction) - 1e-3)))) {}

const TiltedNodes& Line::nodes(int level) const {
  auto& slot = nodes_[static_cast<std::size_t>(level)];
  if (!slot) slot = std::make_unique<const TiltedNodes>(tilted_nodes(lattices_[level], c_, direction_, base_.value));
  return *slot;
}

// Finds the level that resolves every phase, and the level that resolves all but a negligible part of the sum: the
// latter is far lower if the loss is steep only where it is rare.
Line::Levels Line::levels_for(double y) const {
  const Params& k = lattices_.params();
  const double still = 2 * std::numbers::pi / sufficient_step(k, 0, Direction::remove);  // frequencies without a phase
  // Where phases matter less than the other frequencies the step may be somewhat longer; its error is checked.
  const double allowance = y * 2 * k.inv_2s2 < still ? 0.4 : 0;
  const double needed = std::min(lattices_.levels_needed(y, direction_) - allowance, double{Lattices::levels});
  const int all = std::max(first_level_, static_cast<int>(std::ceil(needed)));
  if (all <= first_level_ + 2) return {all, all, 0};
  const TiltedNodes& atoms = first_nodes();
  const double size = line_file::size_bound(atoms.moment, y), step = lattices_[first_level_].step();
  double steepest = 0, left_out = 0;
  for (std::size_t i = 0; i < atoms.loss.size(); ++i) {
    const double x = y * std::abs(atoms.loss[i]), term = atoms.weight[i] * std::min(0.5 * x * x, 2 + x);
    if (term > line_file::rare * size) {
      steepest = std::max(steepest, atoms.weight[i] / (atoms.density[i] * step));
    } else {
      left_out += term;
    }
  }
  const double usual = first_level_ + 1 + std::log2(1 + y * steepest / still);
  return {static_cast<int>(std::min(std::ceil(usual), static_cast<double>(all))), all, left_out};
}

// phi(y) - 1 = i y E[L] + E[exp(iyL) - 1 - iyL] under the tilted distribution, whose mean is K'(c): nothing cancels, so
// that a curve keeps its relative accuracy however small it is.
Line::Sum Line::sum_at(const TiltedNodes& atoms, const Levels& levels, int level, double y, const PhaseSums& sums,
                       double roundings) const {
  const double re = sums.re[0] + sums.re[1], im = sums.im[0] + sums.im[1];
  // By std::abs: the symbol of std::hypot is of glibc 2.35, and wheels run with older ones.
  const double coarse = std::abs(std::complex(sums.re[0] - sums.re[1], sums.im[0] - sums.im[1]));
  const double size = line_file::size_bound(atoms.moment, y);
  // The real parts all have one sign: their sum is a size that is certainly not too large. A step that does not resolve
  // every phase is not trusted to be more accurate than the step twice as long.
  const double from_step =
      level < levels.all ? coarse + 2 * levels.left_out : std::abs(re) * step_error(direction_, coarse, std::abs(re));
  const double rounded = additions(atoms.loss.size()) * size + line_file::size_bound(atoms.noise, y) + roundings;
  return {{re, im + y * base_.slope},
          from_step + size * least_step_error + rounded * numerics::unit_roundoff,
          from_step / size};
}

Line::Sum Line::direct_sum(const Levels& levels, int level, double y) const {
  const TiltedNodes& atoms = nodes(level);
  const bool served = y * atoms.largest() <= most_phase;
  return sum_at(atoms, levels, level, y,
                served ? phase_sums(atoms.atoms(), y) : line_file::plain_phase_sums(atoms.atoms(), y), 0);
}

ComplexLogMoment Line::log_of(const Sum& sum, double y) const {
  const double size = std::abs(sum.value), modulus = std::abs(1.0 + sum.value);
  // The mean's error is included except for the shift: ln(phi + i y m) = ln phi + i y m/phi.
  const double error = sum.error + y * base_.slope_error * size;
  if (!(error < 0.5 * modulus)) {
    const double bound = std::log(modulus + error);  // NaN and infinity give no bound
    return {{bound < 0 ? bound : 0, 0}, line_file::infinity};
  }
  const double rounding = 4 * numerics::unit_roundoff * size * (1 + size) / modulus;
  return {numerics::log1p(sum.value), rounding - std::log1p(-error / modulus)};
}

ComplexLogMoment Line::log_phi(double y) const {
  if (y == 0) return {};
  const Levels levels = levels_for(y);
  Sum sum{{}, line_file::infinity, line_file::infinity};
  for (int level = levels.usual; level < std::min(levels.usual + line_file::most_refinements, Lattices::levels);
       ++level) {
    if (nodes(level).loss.empty()) break;
    sum = direct_sum(levels, level, y);
    if (sum.from_step <= line_file::sufficient_accuracy) break;
  }
  return log_of(sum, y);
}

void Line::log_phis(double first, double step, std::span<ComplexLogMoment> values) const {
  for (std::size_t j = 0; j < values.size();) {
    const double y = first + static_cast<double>(j) * step;
    const std::size_t points = std::min(most_rotations, values.size() - j);
    if (points < line_file::worth_turning || line_file::size_bound(first_nodes().moment, y) < line_file::turn_from) {
      values[j++] = log_phi(y);
      continue;
    }
    turned(y, step, values.subspan(j, points));
    j += points;
  }
}

// Evaluates consecutive points on one lattice, that of the last of them: it omits no more at the other points than at
// the last.
void Line::turned(double first, double step, std::span<ComplexLogMoment> values) const {
  const auto y_of = [&](std::size_t j) { return first + static_cast<double>(j) * step; };
  const std::size_t n = values.size();
  const double last = y_of(n - 1);
  const Levels levels = levels_for(last);
  const auto point_by_point = [&] {
    for (std::size_t j = 0; j < n; ++j) values[j] = log_phi(y_of(j));
  };
  if (levels.usual >= Lattices::levels) return point_by_point();
  std::array<PhaseSums, most_rotations> sums;
  for (int level = levels.usual;; ++level) {
    const bool refinable = level + 1 < std::min(levels.usual + line_file::most_refinements, Lattices::levels);
    const TiltedNodes& atoms = nodes(level);
    if (atoms.loss.empty() || last * atoms.largest() > most_phase) return point_by_point();
    turned_phase_sums(atoms.atoms(), first, step, {sums.data(), n});
    const PhaseSums still = line_file::mass_and_mean(atoms.atoms());
    const double added = additions(atoms.loss.size());
    double from_step = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double y = y_of(j);
      for (std::size_t p = 0; p < 2; ++p) {
        sums[j].re[p] -= still.re[p];
        sums[j].im[p] -= y * still.im[p];
      }
      // The error of the rotation, of the rounding of the phases and of three more sums (docs/math/privacy-loss.md,
      // "Turned phases").
      const double phases =
          (turning_error + 3 * added + 2) * atoms.moment[0] + (6 * last + added * y) * atoms.moment[1];
      const Sum sum = sum_at(atoms, levels, level, y, sums[j], phases);
      from_step = std::max(from_step, sum.from_step);
      values[j] = log_of(sum, y);
    }
    if (from_step <= line_file::sufficient_accuracy || !refinable) return;
  }
}

double Line::decay(double y) const { return std::min(decay_beyond(y), near_decay(first_nodes(), y)); }

double Line::decay_beyond(double y) const {
  if (!cuts_) cuts_ = cuts(first_nodes());
  return far_decay(*cuts_, y);
}

// This value decides between the contour and the lattice, so it does not follow the speed of the kernels: on vectors an
// atom takes far less time, but a smaller value would move plans of a few steps from the lattice to the contour.
double Line::cost(double y) const {
  const int finer = levels_for(y).usual - first_level_;
  const double each = finer > 1 ? 8 : 3;
  return 20 + each * std::ldexp(static_cast<double>(first_nodes().loss.size()), finer);
}

}  // namespace renyi::sampled_gaussian
