// The roofline: compares the time of a call with that of the elementary evaluations that the answer needs (vector
// exponentials, logarithms, sines with cosines), at their speed in the same run. Prints the JSON that bench/report
// reads.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "mechanism/sampled_gaussian/line.h"
#include "numerics/simd/functions.h"
#include "questions.h"
#include "roofline/counting.h"
#include "timing.h"

namespace {

using bench::Counts;
using bench::CountsOfBoth;
using renyi::Direction;
namespace simd = renyi::numerics::simd;

constexpr std::size_t remove_way = static_cast<std::size_t>(Direction::remove);

// The elementary evaluations at one node are its weight, the exponential and the logarithm of its loss, and the
// remainders of both; then one for each order and for each tilt, and a sine with its cosine for each point.
constexpr double node_needs = 4;

// Times are in units of one exp of the C library.
double rate_of(simd::ArrayFunction function, double from, double to, double unit) {
  constexpr std::size_t elements = 4096;
  std::vector<double> x(elements), y(elements);
  for (std::size_t i = 0; i < elements; ++i) x[i] = from + (to - from) * static_cast<double>(i) / elements;
  const double seconds = bench::median_seconds(501, [&] {
    function(x.data(), y.data(), elements);
    return y[elements / 2];
  });
  return seconds / elements / unit;
}

// Returns the number of nodes of the reference mechanism that contribute at this order.
long nodes(double order, Direction direction) {
  using namespace renyi::sampled_gaussian;
  const Lattices lattices(Params(bench::rate, bench::noise));
  const double k = renyi::Mechanism(renyi::SampledGaussian{bench::rate, bench::noise})
                       .curve()
                       ->log_moment(order - 1, direction)
                       .value;
  const Lattice& lattice = lattices[lattices.real_level(direction)];
  return static_cast<long>(tilted_nodes(lattice, order - 1, direction, k).loss.size());
}

struct Needs {
  long set_up = 0, orders = 0, lines = 0, points = 0;  // each is multiplied by the number of nodes

  void add(const Counts& counts, long at_nodes) {
    set_up += counts.orders > 0 ? at_nodes : 0;
    orders += counts.orders * at_nodes;
    lines += counts.lines * at_nodes;
    points += counts.points * at_nodes;
  }
  double exponentials() const { return node_needs * static_cast<double>(set_up) + static_cast<double>(orders + lines); }
};

struct Rates {
  double exponential = 0, phase = 0;
};

std::vector<std::string> row(const std::string& what, const CountsOfBoth& counts, double order, const Rates& rates,
                             double taken) {
  Needs needs;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    needs.add(counts[static_cast<std::size_t>(direction)], nodes(order, direction));
  }
  const double floor = needs.exponentials() * rates.exponential + static_cast<double>(needs.points) * rates.phase;
  const Counts& of_remove = counts[remove_way];
  const Counts& of_add = counts[1 - remove_way];
  return {what,
          fmt::format("{} + {}", of_remove.orders, of_add.orders),
          fmt::format("{} + {}", of_remove.points, of_add.points),
          fmt::format("{:.0f}", needs.exponentials()),
          fmt::format("{}", needs.points),
          fmt::format("{:.0f}", floor),
          fmt::format("{:.0f}", taken),
          fmt::format("{:.1f}", taken / floor)};
}

}  // namespace

int main() {
  const double unit = bench::exp_seconds();
  const auto steps = bench::reference().analysed();
  const simd::Functions functions = simd::functions_for(renyi::simd::best_target());
  const Rates rates{rate_of(functions.exp, -10, 0, unit), rate_of(functions.sin, -10, 10, unit)};
  CountsOfBoth of_renyi{}, of_exact{};
  const auto found = renyi::renyi_epsilon(*bench::counting(renyi::compose(steps), of_renyi), bench::delta);
  bench::sink =
      renyi::PrivacyProfile(steps, bench::counting(renyi::compose(steps), of_exact)).epsilon(bench::delta).worst.upper;
  const auto in_exp = [&](int repetitions, const auto& work) {
    return bench::median_seconds(repetitions, work) / unit;
  };
  const double renyi_taken = in_exp(2001, [] { return renyi::renyi_epsilon(bench::reference(), bench::delta).upper; });
  const double exact_taken =
      in_exp(1001, [] { return renyi::PrivacyProfile(bench::reference()).epsilon(bench::delta).worst.upper; });
  const nlohmann::ordered_json document{
      {"note",
       fmt::format("What the reference question asks for (q = 0.01, noise 1.1, 10,000 steps, delta = 1e-5), direction "
                   "remove + direction add: real orders, and points of the vertical line. Each is a sum over nodes, "
                   "so many elementary evaluations; the floor is these at the rate of the vector functions over long "
                   "arrays in this run ({:.2f} exp for an exponential or logarithm, {:.2f} for a sine with its "
                   "cosine). The rest is bookkeeping of errors, searching, bounds on what lies beyond the line, short "
                   "arrays and allocation. All in exp of the C library.",
                   rates.exponential, rates.phase)},
      {"columns",
       {"question", "orders", "points", "exponentials and logarithms", "phases", "floor, exp", "taken, exp",
        "distance"}},
      {"rows",
       {row("one R\u00e9nyi epsilon", of_renyi, found.order, rates, renyi_taken),
        row("one exact epsilon", of_exact, found.order, rates, exact_taken)}}};
  fmt::print("{}\n", document.dump(1));
}
