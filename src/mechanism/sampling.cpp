// Sampling schemes as values: the parameters of each scheme, and their allowed ranges.
#include "renyi/sampling.h"

#include <fmt/format.h>

#include <cmath>

#include "numerics/binomial.h"
#include "renyi/error.h"

namespace renyi {

namespace sampling_file {
namespace {

constexpr double most_records = 1e15;

constexpr Parameter rate{.name = "rate",
                         .meaning = "probability with which each record enters the sample",
                         .lowest = 1e-100,
                         .highest = 1,
                         .zero_allowed = true,
                         .effect = Effect::raises_cost};
// For batches of fixed size: with more records, each record is less likely to be in a batch.
constexpr Parameter dataset_size{.name = "dataset_size",
                                 .meaning = "number of records",
                                 .lowest = 1,
                                 .highest = most_records,
                                 .whole = true,
                                 .effect = Effect::lowers_cost};
constexpr Parameter batch_size{.name = "batch_size",
                               .meaning = "records a step",
                               .lowest = 1,
                               .highest = most_records,
                               .whole = true,
                               .effect = Effect::raises_cost};
// With more records the batch is filled more often, and each record is then less likely to stay in it, so that the cost
// is not monotone in this number.
constexpr Parameter truncated_dataset_size{
    .name = "dataset_size", .meaning = "number of records", .lowest = 1, .highest = most_records, .whole = true};
constexpr Parameter batch_limit{.name = "batch_limit",
                                .meaning = "the most records a step can take",
                                .lowest = 1,
                                .highest = most_records,
                                .whole = true};
constexpr Parameter batches{.name = "batches",
                            .meaning = "batches an epoch",
                            .lowest = 1,
                            .highest = most_records,
                            .whole = true,
                            .effect = Effect::raises_cost};
// Among more steps the one that a record is in is hidden better.
constexpr Parameter allocated_batches{.name = "batches",
                                      .meaning = "batches an epoch",
                                      .lowest = 1,
                                      .highest = most_records,
                                      .whole = true,
                                      .effect = Effect::lowers_cost};

constexpr Parameter participations{.name = "participations",
                                   .meaning = "steps of an epoch that a record takes part in",
                                   .lowest = 1,
                                   .highest = most_records,
                                   .whole = true,
                                   .fallback = 1.0};

// One scheme: its name, its parameters, and where their values are kept.
struct Row {
  std::string_view name;
  std::array<Parameter, 3> parameters{};
  std::array<double Sampling::*, 3> members{};
  std::size_t size = 0;
};

constexpr std::array<Row, all_schemes.size()> rows{{
    {"poisson", {rate}, {&Sampling::rate}, 1},
    {"fixed-size", {dataset_size, batch_size}, {&Sampling::dataset_size, &Sampling::batch_size}, 2},
    {"with-replacement", {dataset_size, batch_size}, {&Sampling::dataset_size, &Sampling::batch_size}, 2},
    {"truncated-poisson",
     {rate, truncated_dataset_size, batch_limit},
     {&Sampling::rate, &Sampling::dataset_size, &Sampling::batch_limit},
     3},
    {"shuffled", {batches}, {&Sampling::batches}, 1},
    {"random-allocation", {allocated_batches, participations}, {&Sampling::batches, &Sampling::participations}, 2},
}};

const Row& row_of(Scheme scheme) { return rows[static_cast<std::size_t>(scheme)]; }

}  // namespace
}  // namespace sampling_file

std::string_view to_string(Scheme scheme) noexcept { return sampling_file::row_of(scheme).name; }

std::span<const Parameter> parameters(Scheme scheme) {
  const sampling_file::Row& row = sampling_file::row_of(scheme);
  return std::span(row.parameters).first(row.size);
}

std::vector<double> Sampling::values() const {
  const sampling_file::Row& row = sampling_file::row_of(scheme);
  std::vector<double> result;
  for (std::size_t i = 0; i < row.size; ++i) result.push_back(this->*row.members[i]);
  return result;
}

Sampling Sampling::with(std::string_view parameter, double value) const {
  const sampling_file::Row& row = sampling_file::row_of(scheme);
  for (std::size_t i = 0; i < row.size; ++i) {
    if (row.parameters[i].name != parameter) continue;
    Sampling changed = *this;
    changed.*row.members[i] = value;
    return changed;
  }
  throw InvalidArgument(std::string(parameter), fmt::format("{}", value), fmt::format("the numbers of {}", row.name));
}

void Sampling::check() const {
  const sampling_file::Row& row = sampling_file::row_of(scheme);
  for (std::size_t i = 0; i < row.size; ++i) {
    const double value = this->*row.members[i];
    if (row.parameters[i].allows(value)) continue;
    throw InvalidArgument(std::string(row.parameters[i].name), fmt::format("{}", value), row.parameters[i].allowed());
  }
  if (scheme == Scheme::fixed_size && batch_size > dataset_size) {
    throw InvalidArgument("batch_size", fmt::format("{}", batch_size),
                          fmt::format("at most the dataset_size, {}", dataset_size));
  }
  if (padded && scheme != Scheme::fixed_size) {
    throw InvalidArgument("padded", "true", "samples of fixed size only");
  }
  if (scheme == Scheme::random_allocation && participations > batches) {
    throw InvalidArgument("participations", fmt::format("{}", participations),
                          fmt::format("at most the batches, {}", batches));
  }
}

// An added record is not among the dataset_size records; a record that is replaced or zeroed out is one of them.
double overflow_probability(const Sampling& sampling, Neighbors neighbors) {
  if (sampling.scheme != Scheme::truncated_poisson) return 0;
  const double others = sampling.dataset_size - (neighbors == Neighbors::add_or_remove_one ? 0 : 1);
  return numerics::binomial_tail_up(others, sampling.rate, sampling.batch_limit);
}

}  // namespace renyi
