// Individual accounts: every record has a privacy filter of its own, and pays for its own contribution instead of the
// largest one allowed (Feldman and Zrnic 2021; docs/math/individual-filters.md). A record whose budget is gone drops
// out, and the others go on.
//
//     renyi::IndividualFilter accounts(records, renyi::Budget::order(8, 2));
//     const renyi::IndividualStep step{.noise_multiplier = 1.1, .sampling_rate = 0.01, .clip = 1};
//     accounts.charge(step, drawn, norms, mask);  // mask[i] = 1: drawn[i] may be summed
//
// What holds: for every record, the run with it and the run without it are as close as the budget says, in both
// directions. So the published results satisfy `guarantee()`, if
// - each step's parameters, and whether there is a next step, depend on published results and on nothing else that was
//   computed from the records;
// - results are divided by constants, never by the number of records drawn or still active;
// - the norms are those of what is summed, after clipping.
//
// Private data: balances, masks, the number of active records, a file of the accounts, and a stopping time that depends
// on any of them. They are computed from the records without noise. Never publish them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/filter.h"
#include "renyi/plan.h"
#include "renyi/sampling.h"

namespace renyi {

// Gaussian noise of standard deviation noise_multiplier * clip on a sum of contributions of L2 norm at most `clip`.
// Each record is drawn by itself with probability sampling_rate (Poisson sampling); 1 means all records.
struct IndividualStep {
  double noise_multiplier = 0;  // a number in [1e-50, 1e+50]; if sampled, with a budget by orders, in [0.01, 1e+6]
  double sampling_rate = 1;     // a number in [1e-100, 1]
  double clip = 1;              // a number in [1e-50, 1e+50]
  bool operator==(const IndividualStep&) const = default;
};

// The accounts of the records 0, ..., records - 1. It is a value; copies are independent, so never let two copies
// decide about the same data.
class IndividualFilter {
 public:
  // The budget of each record. Throws Unsupported for kinds in which sums with Gaussian noise have no cost (pure,
  // approx), for tcdp, for budgets with an infinite mass or an infinite order, and for the relation replace-one.
  IndividualFilter(std::size_t records, Budget budget, Neighbors neighbors = Neighbors::add_or_remove_one);
  IndividualFilter(const IndividualFilter& other);
  IndividualFilter& operator=(const IndividualFilter& other);
  IndividualFilter(IndividualFilter&& other) noexcept;
  IndividualFilter& operator=(IndividualFilter&& other) noexcept;
  ~IndividualFilter();

  // Charges a step whose contributions are all known: norms[i] is the norm of that of record i, drawn or not. Sets
  // mask[i] to 1 if the record may take part, and to 0 if its contribution must be left out of the sum; only the former
  // are charged. A record that is refused may take part in a later step in which its norm is smaller.
  //
  // Throws InvalidArgument, and charges nothing, if a norm is negative, NaN or above the clip, or a length is wrong.
  void charge(const IndividualStep& step, std::span<const double> norms, std::span<std::uint8_t> mask);

  // Charges a step in which only the contributions of the records drawn were computed, as in training: norms[i] belongs
  // to record drawn[i], and mask[i] says whether it may be summed. All other records are charged as if their norm were
  // the clip; one that cannot pay this pays all that it has left, and is out for good.
  //
  // Throws InvalidArgument as above, or if an index is too large or occurs twice.
  void charge(const IndividualStep& step, std::span<const std::uint64_t> drawn, std::span<const double> norms,
              std::span<std::uint8_t> mask);

  [[nodiscard]] std::size_t records() const noexcept;
  // Returns the number of steps charged.
  [[nodiscard]] std::uint64_t steps() const noexcept;
  [[nodiscard]] const Budget& budget() const noexcept;
  [[nodiscard]] Neighbors neighbors() const noexcept;
  // Returns what the published results of the whole run satisfy, as `guarantee` of the budget.
  [[nodiscard]] Plan guarantee() const;

  // Returns the limits of the sums that spent() lists: rho, mu^2, or the divergence of each order.
  [[nodiscard]] const std::vector<double>& limits() const noexcept;

  // Private data from here on.

  // Returns upper bounds on what each record has spent: limits().size() numbers of record 0, then of record 1, ...
  [[nodiscard]] std::span<const double> spent() const noexcept;
  // Returns the balances of one record. Throws InvalidArgument if there is no such record.
  [[nodiscard]] std::vector<Balance> balances(std::size_t record) const;
  // Sets mask[i] to 1 if record i has something left, and to 0 if it is out for good.
  void active(std::span<std::uint8_t> mask) const;

 private:
  friend IndividualFilter read_individual_filter(std::string_view json);

  class State;
  std::unique_ptr<State> state_;
};

// Writes the accounts as a file. It is private data, and says so in its first key.
[[nodiscard]] std::string write_individual_filter(const IndividualFilter& accounts);
// Reads the accounts back. Throws InvalidArgument if the text is no such file, or was changed after it was written.
[[nodiscard]] IndividualFilter read_individual_filter(std::string_view json);

}  // namespace renyi
