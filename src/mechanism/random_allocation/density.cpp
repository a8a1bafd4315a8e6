#include "mechanism/random_allocation/density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "renyi/error.h"

namespace renyi::random_allocation {

using std::numbers::pi;
using Complex = std::complex<double>;

namespace density_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The rightmost path leaves the cut where t times the argument of M is this, or at the second number.
constexpr double most_turned = 0.3;
constexpr double furthest = 0.8;
// Neighbouring paths are about two standard deviations of the tilted law apart.
constexpr double spacing = 2.4;
// Paths end at this imaginary part of w, and bend towards it at this rate.
constexpr double final_angle = 0.65 * pi, bend = 1.4;
// A path is symmetric about the real axis, for the trapezoidal rule, where the jump is below this within so many
// standard deviations, or where the cut is further away than that.
constexpr double no_jump = 1e-18, jump_distance = 6, cut_distance = 8;
// What is below exp(-negligible) of the largest term ends a sum.
constexpr double negligible = 41;
// The sum over a path is less than this, in logarithms, above the integrand at its start plus exp(-negligible).
constexpr double far_below = 60;
constexpr std::size_t most_nodes = 6000;
// The step of a path that is sampled from one side, in the variable of the doubly exponential rule.
constexpr double usual_step = 0.1, fine_step = 0.04;

// Positions on a path: w = w0 + bend (sqrt(1 + p^2) - 1) + i final_angle p/sqrt(1 + p^2).
struct Position {
  Complex w, slope;
};
Position position(double w0, double p) {
  const double root = std::sqrt(1 + p * p);
  return {{w0 + bend * p * p / (root + 1), final_angle * p / root},
          {bend * p / root, final_angle / (root * root * root)}};
}

// Gauss-Legendre nodes and weights of 14 points on [-1, 1], positive half.
constexpr std::array<double, 7> gauss_node{
    0.1080549487073436620662447, 0.3191123689278897604356718, 0.5152486363581540919652907, 0.6872929048116854701480198,
    0.8272013150697649931897947, 0.9284348836635735173363911, 0.9862838086968123388415973};
constexpr std::array<double, 7> gauss_weight{
    0.2152638534631577901958764, 0.2051984637212956039659241, 0.1855383974779378137417166, 0.1572031671581935345696019,
    0.1215185706879031846894148, 0.0801580871597602098056333, 0.0351194603317518630318329};

}  // namespace
}  // namespace density_file

Density::Density(double steps, double s) : steps_(steps), transform_(s), widest_(density_file::furthest) {
  const double limit = std::log(density_file::most_turned / steps);
  if (transform_.log_jump(widest_) > limit) {
    double low = std::log(1e-250), high = std::log(widest_);
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      (transform_.log_jump(std::exp(middle)) < limit ? low : high) = middle;
    }
    widest_ = std::exp(low);
  }
  const Path middle = start(0);
  paths_.push_back(middle.curvature * widest_ > 6 ? middle : start(-widest_));
}

Density::Path Density::start(double w) const {
  Path path;
  path.w = w;
  path.step = density_file::usual_step;
  path.point = steps_ * transform_.point(w).real();
  path.level = w == 0 ? 0 : steps_ * transform_.centred_log(w).real();
  const auto tilted = transform_.tilted(w, widest_);
  path.mean = tilted.mean;
  path.deviation = tilted.deviation / std::sqrt(steps_);
  path.curvature = std::sqrt(steps_) * tilted.deviation * transform_.slope(w).real();
  return path;
}

void Density::prepare(Path& path, double least) const {
  path.ready = true;
  const double k = path.curvature, unit = 1 / (density_file::final_angle * k);
  bool symmetric = path.w * k > density_file::cut_distance;
  if (!symmetric) {
    const double near = std::max(density_file::jump_distance / k - path.w, 0.5 / k);
    symmetric = near < density_file::furthest && transform_.log_jump(near) < std::log(density_file::no_jump / steps_);
  }
  path.has_cut = !symmetric && path.w < 0;
  path.cut_end = std::log(std::max(-path.w, 1e-300));
  // A one-sided path is sampled at p = c ln(1 + exp(u - exp(-u))): doubly exponentially fine at its start.
  const double step = symmetric ? std::min(0.4 * unit, 0.06) : path.step, c = std::min(1.5 * unit, 0.8);
  double largest = -density_file::infinity;
  for (std::size_t j = 0;; ++j) {
    if (j >= density_file::most_nodes) throw NotConverged("random allocation: the path of an inverse transform");
    double p = 0, weight = step;
    if (symmetric) {
      p = static_cast<double>(j) * step;
      if (j == 0) weight *= 0.5;
    } else {
      const double u = -3.6 + static_cast<double>(j) * step, e = std::exp(-u), at = u - e;
      p = at > 30 ? c * at : c * std::log1p(std::exp(at));
      weight *= c / (1 + std::exp(-at)) * (1 + e);
    }
    const auto here = density_file::position(path.w, p);
    const Complex v = steps_ * transform_.point(here.w);
    const Complex level = steps_ * transform_.centred_log(here.w);
    const Complex change = steps_ * transform_.slope(here.w) * here.slope;
    const double size = (v * least + level + std::log(change)).real();
    largest = std::max(largest, size);
    path.nodes.push_back({v, level + std::log(change * weight)});
    if (size < largest - density_file::negligible && p > 2 * unit) break;
  }
}

// Adds the part of the cut below path.cut_end.
void Density::add_panel(Path& path) const {
  const double s = transform_.s(), width = std::min(0.4, 1.5 / s), middle = path.cut_end - 0.5 * width;
  for (int side : {1, -1}) {
    for (std::size_t i = 0; i < density_file::gauss_node.size(); ++i) {
      const double log_w = middle + side * 0.5 * width * density_file::gauss_node[i], w = std::exp(log_w);
      const double lambda = steps_ * -transform_.point(-w).real();
      const double centred = transform_.centred_log(-w).real(), level = steps_ * centred;
      const double log_jump = transform_.log_jump(w, centred);
      const double turned = steps_ * std::asin(std::min(1.0, std::exp(log_jump)));
      const double log_sine = turned > 1e-9 ? std::log(std::sin(turned)) : std::log(steps_) + log_jump;
      const double weight = 0.5 * width * density_file::gauss_weight[i] * w * steps_ * transform_.slope(-w).real();
      path.cut.push_back({lambda, level + log_sine + std::log(weight)});
    }
  }
  path.cut_end -= width;
}

double Density::log_cut(Path& path, double excess) const {
  constexpr std::size_t panel = 2 * density_file::gauss_node.size();
  double largest = -density_file::infinity;
  const auto size = [&](const CutNode& node) { return node.level - node.point * excess; };
  for (const CutNode& node : path.cut) largest = std::max(largest, size(node));
  const auto ended = [&] {
    if (path.cut.empty()) return false;
    const CutNode &upper = path.cut[path.cut.size() - panel + 6], &lower = path.cut.back();
    return size(lower) < largest - density_file::negligible && size(lower) < size(upper);
  };
  while (!ended() && path.cut_end > -600) {
    add_panel(path);
    for (std::size_t i = path.cut.size() - panel; i < path.cut.size(); ++i)
      largest = std::max(largest, size(path.cut[i]));
  }
  double sum = 0;
  for (const CutNode& node : path.cut) {
    const double below = size(node) - largest;
    if (below > -density_file::negligible) sum += std::exp(below);
  }
  return largest + std::log(sum);
}

Density::Path& Density::best(double excess) {
  const auto next_w = [](const Path& path, double way) {
    return path.w + way * density_file::spacing / path.curvature;
  };
  for (;;) {
    const double here = paths_[last_].level_at(excess);
    if (last_ + 1 == paths_.size() && paths_[last_].w > -widest_)
      paths_.push_back(start(std::max(-widest_, next_w(paths_[last_], -1))));
    if (last_ == 0) {
      paths_.push_front(start(next_w(paths_[0], 1)));
      ++last_;
    }
    if (last_ + 1 < paths_.size() && paths_[last_ + 1].level_at(excess) < here) {
      ++last_;
    } else if (paths_[last_ - 1].level_at(excess) < here) {
      --last_;
    } else {
      break;
    }
  }
  Path& found = paths_[last_];
  if (!found.ready) {
    // Further left, the integrand of the neighbouring path is smaller.
    const Path& left = paths_[last_ - 1];
    prepare(found, std::max(-0.99999999, (left.level - found.level) / (found.point - left.point)));
  }
  if (found.w > -widest_ || 1 + excess < found.mean + 1.2 * found.deviation) return found;
  // Right of the last saddle point, the integrand turns faster on the last path.
  if (!beyond_) {
    beyond_ = start(-widest_);
    beyond_->step = density_file::fine_step;
    prepare(*beyond_, found.mean + found.deviation - 1);
  }
  return *beyond_;
}

// f(r) is 1/pi times the imaginary part of the integral of exp(u r) M(u/t)^t du, along the upper side of the cut from 0
// and then along the path; g(x) = r f(r).
double Density::log_at(double x) {
  const double excess = std::expm1(x);
  Path& path = best(excess);
  const double level = path.level_at(excess);
  const double cut = path.has_cut ? log_cut(path, excess) : -density_file::infinity;
  double sum = 0;
  if (level > cut - density_file::far_below) {
    for (const Node& node : path.nodes) {
      const Complex exponent = node.point * excess + node.level;
      const double size = exponent.real() - level;
      if (size > -density_file::negligible - 4) sum += std::exp(size) * std::sin(exponent.imag());
    }
  }
  // Right of its saddle point the path turns, and its small part may be negative.
  const double most = std::max(level, cut);
  return x - std::log(pi) + most + std::log(sum * std::exp(level - most) + std::exp(cut - most));
}

}  // namespace renyi::random_allocation
