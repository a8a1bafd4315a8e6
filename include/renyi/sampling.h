// Which datasets are neighbours, and how the records of a step are drawn: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/extras/parameter.h"

namespace renyi {

// ---- Neighbours: whom a guarantee is for.

// What "neighbouring datasets" means.
enum class Neighbors { add_or_remove_one, replace_one, zero_out };

// "add-or-remove-one", "replace-one", "zero-out".
std::string_view to_string(Neighbors neighbors) noexcept;

// Neighbouring datasets differ by one such change, or by up to `unit` of them: all records of one person.
struct Adjacency {
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;

  bool operator==(const Adjacency&) const = default;
};

inline constexpr std::int64_t largest_unit = std::int64_t{1} << 30;

// ---- Samples.

enum class Scheme {
  poisson,            // each record by itself, with probability `rate`
  fixed_size,         // `batch_size` of `dataset_size` records, all subsets equally likely
  with_replacement,   // `batch_size` independent draws from `dataset_size` records
  truncated_poisson,  // Poisson; of more than `batch_limit` records, so many at random
  shuffled,           // epochs: all records in random order, cut into `batches`
};
inline constexpr std::array all_schemes{Scheme::poisson, Scheme::fixed_size, Scheme::with_replacement,
                                        Scheme::truncated_poisson, Scheme::shuffled};

// "poisson", "fixed-size", "with-replacement", "truncated-poisson", "shuffled".
std::string_view to_string(Scheme scheme) noexcept;

// One scheme with its numbers; those of other schemes are 0.
struct Sampling {
  Scheme scheme = Scheme::poisson;
  double rate = 0;
  double dataset_size = 0;
  double batch_size = 0;
  double batch_limit = 0;
  double batches = 0;  // an epoch

  static Sampling poisson(double rate) { return {.scheme = Scheme::poisson, .rate = rate}; }
  static Sampling fixed_size(double dataset_size, double batch_size) {
    return {.scheme = Scheme::fixed_size, .dataset_size = dataset_size, .batch_size = batch_size};
  }
  static Sampling with_replacement(double dataset_size, double batch_size) {
    return {.scheme = Scheme::with_replacement, .dataset_size = dataset_size, .batch_size = batch_size};
  }
  static Sampling truncated_poisson(double rate, double dataset_size, double batch_limit) {
    return {
        .scheme = Scheme::truncated_poisson, .rate = rate, .dataset_size = dataset_size, .batch_limit = batch_limit};
  }
  // A step is then an epoch.
  static Sampling shuffled(double batches) { return {.scheme = Scheme::shuffled, .batches = batches}; }

  // The numbers of the scheme, in the order of `parameters(scheme)`.
  std::vector<double> values() const;
  // With one of them changed. Throws InvalidArgument for another name.
  Sampling with(std::string_view parameter, double value) const;
  // Throws InvalidArgument that names the number, its value and what is allowed.
  void check() const;

  bool operator==(const Sampling&) const = default;
};

// What a scheme needs to know.
std::span<const Parameter> parameters(Scheme scheme);

// Of truncated Poisson sampling: at least the probability that the other records fill the batch of a step, so that a
// record can enter only in the place of another. A batch overflows no more often. 0 for other schemes.
double overflow_probability(const Sampling& sampling, Neighbors neighbors);

}  // namespace renyi
