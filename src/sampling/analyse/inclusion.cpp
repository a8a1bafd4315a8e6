#include "sampling/analyse/inclusion.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/binomial.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/sampling.h"

namespace renyi::sampling {

namespace inclusion_file {
namespace {

// Up to `few_counts` counts are all listed. Beyond that, counts of negligible probability at every usable order are
// treated as the largest count.
constexpr double few_counts = 32, most_counts = 4096;
constexpr long double negligible = 1e-40L;
// A smaller probability has lost its digits.
constexpr long double least = 1e-290L;

// Beyond `few_counts`, several counts are grouped and treated as the largest of them.
bool is_listed(double k) { return k <= few_counts || std::fmod(k, std::floor(k / 16)) == 0; }

// How often a record is drawn, given that it is drawn at all. Counts of negligible probability may be replaced by the
// largest count, n, which never costs less.
struct Count {
  double hits = 0;
  double probability = 0;
};
struct CountLaw {
  double some = 0;  // Pr[drawn at all]
  std::vector<Count> counts{};
};

// There are n trials with probability 0 < p < 1 each.
// Pr[k] = Pr[k-1] (n-k+1)/k p/(1-p) is computed by logarithms, because Pr[0] may underflow.
CountLaw count_law(double n, double p) {
  CountLaw law;
  const long double odds = static_cast<long double>(p) / (1 - static_cast<long double>(p));
  long double log_here = static_cast<long double>(n) * std::log1p(-static_cast<long double>(p));
  law.some = std::min(1.0, numerics::next_up(static_cast<double>(-std::expm1(log_here))));
  long double together = 0;
  for (double k = 1; k <= n; ++k) {
    log_here += std::log((n - k + 1) / static_cast<long double>(k) * odds);
    const long double here = std::exp(log_here);
    const bool is_past = k > n * p && here < negligible && k > few_counts;
    if (is_past || k > most_counts) {
      law.counts.push_back({n, numerics::binomial_tail_up(n, p, k) + static_cast<double>(together)});
      break;
    }
    together += std::max(here, least);
    if (k < n && !is_listed(k)) continue;
    law.counts.push_back({k, static_cast<double>(together)});
    together = 0;
  }
  return law;
}

// Returns an upper bound on the quotient of two whole numbers, at most 1.
double rate_up(double part, double whole) {
  const double rate = part / whole;
  return std::fma(rate, whole, -part) >= 0 ? rate : std::min(1.0, numerics::next_up(rate));
}

// Rates that round to 1 lose 1 - g, on which direction add depends. Close to 1 the symmetric pair, which bounds both
// directions, is used.
void keep_below_one(Inclusion& each) {
  constexpr double largest = 1 - 0x1p-53;
  if (each.rate < largest) return;
  each.rate = largest;
  if (each.shape == Shape::one_sided) each.shape = Shape::symmetric;
}

// The shape if a record is exchanged for another in a sample of fixed size.
Shape exchange_shape(Neighbors neighbors) {
  switch (neighbors) {
    case Neighbors::add_or_remove_one: return Shape::one_sided;
    case Neighbors::zero_out: return Shape::emptied;
    case Neighbors::replace_one: break;
  }
  return Shape::symmetric;
}

// Padded, the batch is drawn from `dataset_size` places or more. Where records are fewer, an added record takes an
// empty place; where they are not, it is exchanged as without empty places (docs/math/sampling.md, S5).
Inclusion fixed_size(const Sampling& sampling, Neighbors neighbors, numerics::Rounding rounding) {
  const bool added = neighbors == Neighbors::add_or_remove_one;
  return {.rate = rounding == numerics::Rounding::up
                      ? rate_up(sampling.batch_size, sampling.dataset_size)
                      : numerics::quotient_down(sampling.batch_size, sampling.dataset_size),
          .distance = Distance::exchange,
          .shape = sampling.padded && added ? Shape::symmetric : exchange_shape(neighbors)};
}

Inclusion poisson(double rate, const Adjacency& relation) {
  const Shape shape = relation.neighbors == Neighbors::replace_one ? Shape::opposite : Shape::one_sided;
  return {.rate = rate, .shape = shape, .group = relation.unit};
}

// The draws that hit the record are revealed; with n records a draw hits one with probability 1/n.
std::vector<Inclusion> with_replacement(const Sampling& sampling, Neighbors neighbors) {
  const Shape shape = exchange_shape(neighbors);
  const double draws = sampling.batch_size;
  if (sampling.dataset_size == 1) return {{.rate = 1, .distance = Distance::exchange, .copies = draws, .shape = shape}};
  const CountLaw law = count_law(draws, rate_up(1, sampling.dataset_size));
  std::vector<Inclusion> result;
  for (const Count& count : law.counts) {
    result.push_back({count.probability / law.some, law.some, Distance::exchange, count.hits, shape});
    keep_below_one(result.back());
  }
  return result;
}

// If the other records fill the batch, a record that enters displaces another one.
std::vector<Inclusion> truncated_poisson(const Sampling& sampling, const Adjacency& relation) {
  // Even if this rounds to 1 the pair is not attained: a record that enters may be displaced again. At rate 1 it is 0
  // or 1.
  const double most = sampling.rate < 1 ? 1 - 0x1p-53 : 1;
  const double full = std::min(overflow_probability(sampling, relation.neighbors), most);
  std::vector<Inclusion> result;
  if (full < 1) {
    result.push_back(poisson(sampling.rate, relation));
    result.back().weight = 1 - full;
  }
  if (full > 0) {
    result.push_back({full, sampling.rate, Distance::exchange, 1, exchange_shape(relation.neighbors)});
  }
  return result;
}

}  // namespace
}  // namespace inclusion_file

std::vector<Inclusion> inclusions(const Sampling& sampling, const Adjacency& relation, numerics::Rounding rounding) {
  switch (sampling.scheme) {
    case Scheme::poisson: return {inclusion_file::poisson(sampling.rate, relation)};
    case Scheme::fixed_size: return {inclusion_file::fixed_size(sampling, relation.neighbors, rounding)};
    case Scheme::with_replacement: return inclusion_file::with_replacement(sampling, relation.neighbors);
    case Scheme::truncated_poisson: return inclusion_file::truncated_poisson(sampling, relation);
    case Scheme::shuffled:
    case Scheme::random_allocation: break;
  }
  throw Unsupported("sampling", "epochs draw no sample", "analyse the epoch");
}

// With i of k records in the sample the distance of the outcomes is multiplied by i; i = 0 costs nothing.
std::vector<Inclusion> revealed_group(const Inclusion& inclusion) {
  if (inclusion.group == 1) return {inclusion};
  const auto size = static_cast<double>(inclusion.group);
  const inclusion_file::CountLaw law = inclusion_file::count_law(size, inclusion.rate);
  std::vector<Inclusion> result;
  for (const inclusion_file::Count& count : law.counts) {
    Inclusion each = inclusion;
    each.weight = inclusion.weight * count.probability / law.some;
    each.rate = law.some;
    each.copies = count.hits * inclusion.copies;
    each.group = 1;
    inclusion_file::keep_below_one(each);
    result.push_back(each);
  }
  return result;
}

}  // namespace renyi::sampling
