// Plain values for the neighbouring relation and for how the records of a step are sampled.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "renyi/extras/parameter.h"

namespace renyi {

// ---- The neighbouring relation.

// The change by which neighbouring datasets differ.
enum class Neighbors {
  add_or_remove_one,  // one record is added or removed
  replace_one,        // one record is replaced by another
  zero_out            // one record is replaced by an empty one, which is sampled like others but contributes nothing
};

// Returns "add-or-remove-one", "replace-one" or "zero-out".
[[nodiscard]] std::string_view to_string(Neighbors neighbors) noexcept;

// The neighbouring relation and the unit of privacy: neighbouring datasets differ by up to `unit` changes, for example
// in all records of one user.
//
//     const renyi::Adjacency user_level{renyi::Neighbors::add_or_remove_one, 10};  // up to 10 records per user
struct Adjacency {
  Neighbors neighbors = Neighbors::add_or_remove_one;
  std::int64_t unit = 1;

  bool operator==(const Adjacency&) const = default;
};

// The largest unit of privacy that a plan accepts.
inline constexpr std::int64_t largest_unit = std::int64_t{1} << 30;

// ---- Sampling.

// How the records of a batch are drawn.
enum class Scheme {
  poisson,            // every record is drawn independently with probability `rate`
  fixed_size,         // `batch_size` of `dataset_size` records are drawn; all subsets are equally likely
  with_replacement,   // `batch_size` independent draws are made from `dataset_size` records
  truncated_poisson,  // Poisson; if more than `batch_limit` records are drawn, that many are kept at random
  shuffled,           // epochs: all records are put in random order and cut into `batches` batches
  random_allocation,  // epochs: every record independently takes part in `participations` of `batches` steps, all
                      // choices being equally likely
};
inline constexpr std::array all_schemes{Scheme::poisson,           Scheme::fixed_size, Scheme::with_replacement,
                                        Scheme::truncated_poisson, Scheme::shuffled,   Scheme::random_allocation};

// Returns "poisson", "fixed-size", "with-replacement", "truncated-poisson", "shuffled" or "random-allocation".
[[nodiscard]] std::string_view to_string(Scheme scheme) noexcept;

// Returns whether one step of a plan is one epoch under this scheme, in which every record is used equally often.
[[nodiscard]] constexpr bool is_by_epoch(Scheme scheme) noexcept {
  return scheme == Scheme::shuffled || scheme == Scheme::random_allocation;
}

// A sampling scheme with its parameters. The parameters of other schemes are 0.
//
//     const renyi::Mechanism step = renyi::Mechanism(renyi::Laplace{.scale = 2})
//                                       .sampled_by(renyi::Sampling::fixed_size(1000, 10));
struct Sampling {
  Scheme scheme = Scheme::poisson;
  double rate = 0;
  double dataset_size = 0;
  double batch_size = 0;
  double batch_limit = 0;
  double batches = 0;         // per epoch
  double participations = 0;  // per epoch and record
  // Fixed size only: `dataset_size` is a public number, and the batch is drawn from so many places at least, of which
  // those without a record stay empty. Then the number of records need not be public under add-or-remove-one.
  bool padded = false;

  static Sampling poisson(double rate) { return {.scheme = Scheme::poisson, .rate = rate}; }
  static Sampling fixed_size(double dataset_size, double batch_size) {
    return {.scheme = Scheme::fixed_size, .dataset_size = dataset_size, .batch_size = batch_size};
  }
  static Sampling padded_fixed_size(double dataset_size, double batch_size) {
    return {.scheme = Scheme::fixed_size, .dataset_size = dataset_size, .batch_size = batch_size, .padded = true};
  }
  static Sampling with_replacement(double dataset_size, double batch_size) {
    return {.scheme = Scheme::with_replacement, .dataset_size = dataset_size, .batch_size = batch_size};
  }
  static Sampling truncated_poisson(double rate, double dataset_size, double batch_limit) {
    return {
        .scheme = Scheme::truncated_poisson, .rate = rate, .dataset_size = dataset_size, .batch_limit = batch_limit};
  }
  // With this scheme, one step of a plan is one epoch.
  static Sampling shuffled(double batches) { return {.scheme = Scheme::shuffled, .batches = batches}; }
  // Also called balls in bins. One step of a plan is one epoch of `batches` steps of the training.
  static Sampling random_allocation(double batches, double participations = 1) {
    return {.scheme = Scheme::random_allocation, .batches = batches, .participations = participations};
  }

  // Returns the parameters of the scheme, in the order of `parameters(scheme)`; `padded` is not among them.
  [[nodiscard]] std::vector<double> values() const;
  // Returns a copy in which one parameter is changed. The new value is not checked. Throws InvalidArgument if the
  // scheme has no parameter of this name.
  [[nodiscard]] Sampling with(std::string_view parameter, double value) const;
  // Checks all parameters. Throws InvalidArgument that names the parameter, its value and what is allowed.
  void check() const;

  bool operator==(const Sampling&) const = default;
};

// Returns the parameters of a scheme: their names, meanings, ranges and defaults.
[[nodiscard]] std::span<const Parameter> parameters(Scheme scheme);

// Returns an upper bound on the probability that, in truncated Poisson sampling, the other records fill the batch of a
// step, so that a record can enter only by replacing another one. It is also an upper bound on the probability that the
// batch overflows. Returns 0 for other schemes.
//
//     renyi::overflow_probability(renyi::Sampling::truncated_poisson(0.01, 60000, 700),
//                                 renyi::Neighbors::add_or_remove_one);
[[nodiscard]] double overflow_probability(const Sampling& sampling, Neighbors neighbors);

}  // namespace renyi
