// Releases: aggregated values become published numbers with noise, standard errors and intervals, and are paid for
// before anything is drawn (docs/guide/release.md, docs/math/release.md).
//
//     const renyi::release::Request request = renyi::release::read_json(text);
//     renyi::Ledger ledger("clinic.ledger");
//     const renyi::release::Outcome outcome =
//         renyi::release::run(request, ledger, {.scope = "clinic/2026-11", .key = "monthly report"});
//     if (outcome.is_published) renyi::release::write_output("report.json", outcome.document);
//
// Everything but the values is public: names, bins, sensitivities, noise, what is done afterwards. Nothing that is
// decided (the noise, the charge, an error) depends on a value.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "renyi/exact_number.h"
#include "renyi/ledger.h"
#include "renyi/plan.h"

namespace renyi::release {

// ---- What is released.

// How a total budget is divided.
enum class Division {
  equal_error,   // the same standard deviation everywhere
  weights,       // variances in the ratio of 1/weight
  min_variance,  // the smallest sum of weight * variance over all numbers
};
inline constexpr std::array all_divisions{Division::equal_error, Division::weights, Division::min_variance};
// Returns "equal-error", "weights" or "min-variance".
[[nodiscard]] std::string_view to_string(Division division) noexcept;

// The noise that a total budget is spent on.
enum class NoiseFamily { gaussian, laplace };
inline constexpr std::array all_families{NoiseFamily::gaussian, NoiseFamily::laplace};
// Returns "gaussian" or "laplace".
[[nodiscard]] std::string_view to_string(NoiseFamily family) noexcept;

// What is known about how far one person moves a statistic; a person is what the neighbouring relation adds, removes or
// replaces. What is not stated follows from the rest. Stated sensitivities hold under the neighbouring relation of the
// release; the other numbers are about what one person adds to the values, under every relation.
struct ContributionBounds {
  std::optional<double> l1_sensitivity{};
  std::optional<double> l2_sensitivity{};
  std::optional<std::int64_t> max_bins{};     // a histogram: one person moves at most so many bins,
  std::optional<double> max_per_bin{};        // each by at most this
  std::optional<std::int64_t> max_records{};  // one person has at most so many records in the data,
  std::optional<double> max_per_record{};     // each of which moves one number by at most this
  bool is_nonnegative = false;                // nobody lowers a number; only replace-one asks for it
};

// Noise that is given and not divided: a kind of mechanism (gaussian, laplace, discrete-gaussian, discrete-laplace) and
// its stddev or scale.
struct StatedNoise {
  std::string mechanism{};
  double size = 0;
};

// A number, or a histogram: several numbers that one record may move together. Its values are elsewhere.
struct Statistic {
  std::string name{};
  std::vector<std::string> bins{};  // empty: a number
  bool is_integer = false;          // noise and result are whole numbers
  ContributionBounds bounds{};
  std::optional<double> weight{};  // for Division::weights and min_variance; 1 if not set
  std::optional<StatedNoise> noise{};
  // Post-processing: the result is rounded to multiples of round_to, then clamped.
  std::optional<double> lowest{};
  std::optional<double> highest{};
  std::optional<double> round_to{};
  // What the values are expected to be without noise, from public knowledge; both or none. The noise gets a range that
  // contains it, by a coarser grid if need be, and is refused where it is too small for that.
  std::optional<double> expected_lowest{};
  std::optional<double> expected_highest{};

  [[nodiscard]] std::size_t size() const noexcept { return bins.empty() ? 1 : bins.size(); }
};

// The budget of the whole release: epsilon and delta, or rho of zero-concentrated DP. Without either, every statistic
// states its noise; a delta alone then says at which delta its epsilon is reported.
struct TotalBudget {
  std::optional<double> epsilon{};
  std::optional<double> delta{};
  std::optional<double> rho{};
};

// All that is public about a release.
struct Terms {
  std::vector<Statistic> statistics{};
  std::optional<Neighbors> neighbors{};  // those of the ledger's scope if they are not set; else add-or-remove-one
  std::optional<std::int64_t> unit{};
  TotalBudget budget{};
  std::optional<Division> division{};   // equal_error if not set
  std::optional<NoiseFamily> family{};  // gaussian if not set, laplace if delta is 0
};

// The values of one statistic: whole numbers only for a statistic that is an integer. What is read is exact, as it was
// written. Before discrete noise each value is rounded to floor(x + 1/2), by itself and in exact arithmetic; to
// continuous noise it goes as it is, and the result is rounded. In both cases a record moves what is published by no
// more than is accounted for (docs/math/release.md).
using Values = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<noise::ExactNumber>>;

struct Request {
  Terms terms{};
  std::vector<Values> values{};  // one for each statistic
};

// Read a release from JSON or from comma-separated values (docs/format/release.md). Throw InvalidArgument for what is
// not a release, with the path or the line. An error names places and kinds, and repeats nothing of the text: what
// stands in the wrong place may be a value. No error depends on the number that a value is: numbers that are too large
// count as the largest, and NaN counts as 0.
[[nodiscard]] Request read_json(std::string_view text);
[[nodiscard]] Request read_csv(std::string_view text);

// ---- What it costs.

// How far one record moves a statistic, by docs/math/release.md. Upper bounds.
struct Sensitivity {
  double l1 = 0;
  double l2 = 0;
  // At most so many numbers are moved, each by at most `each`, a whole number; 0 if that is not known. Noise on whole
  // numbers is accounted for by it.
  std::int64_t coordinates = 0;
  double each = 0;
};
[[nodiscard]] Sensitivity sensitivity(const Statistic& statistic, const Adjacency& relation);

// A published number: whole if its statistic is an integer.
using Number = std::variant<double, std::int64_t>;

// Where the values of a statistic end: it follows from the terms alone, is the same whatever the values are, and is
// always stated. `range_rule` says what it means.
struct Range {
  Number lower{};
  Number upper{};
  bool operator==(const Range&) const = default;
};
inline constexpr std::string_view range_rule =
    "Values beyond the range of a statistic count as the nearer end, and NaN as 0, before the noise is added; whether "
    "any did is not said, and an interval is about what the value counted as.";

// The noise of one statistic: drawn for each of its numbers.
struct StatisticNoise {
  std::string name{};       // the statistic; its step in the plan has this name
  std::string mechanism{};  // its kind in plans
  std::int64_t count = 1;   // how often the step is accounted for
  Sensitivity sensitivity{};
  double size = 0;            // its stddev or scale
  double grid = 0;            // results are multiples of it; 0 for discrete noise
  Range range{};              // where its values end, and its results before post-processing
  double standard_error = 0;  // with the rounding to the grid, without post-processing; an upper bound
  double half_width = 0;      // that of the 95 % interval
  // The standard error if each statistic had an equal part of epsilon and of delta, by basic composition.
  std::optional<double> equal_split_error{};
};

struct Design {
  Plan plan;
  std::vector<StatisticNoise> noise{};  // one for each statistic
  // An upper bound on the cost of all steps together: epsilon at this delta, or rho if the budget is one.
  std::optional<double> epsilon{};
  std::optional<double> delta{};
  std::optional<double> rho{};
};

// Chooses the noise. The values are no argument. Throws InvalidArgument, with the path in the request, or Unsupported.
[[nodiscard]] Design design(const Terms& terms, const Adjacency& relation);
// Returns the relation of the terms; what they do not state is that of `otherwise`.
[[nodiscard]] Adjacency relation_of(const Terms& terms, const Adjacency& otherwise = {});

// ---- Release.

// Where the charge goes.
struct Charge {
  std::string scope{};
  std::vector<std::string> blocks{};
  // The same key with the same terms gives the stored document again, whatever the values are; with other terms it is
  // a conflict. Without a key, a random one is made.
  std::string key{};
  std::string person{};
  std::chrono::seconds expires_in{600};  // until the reservation is opened
};

struct Outcome {
  bool is_published = false;
  bool is_repeated = false;          // the stored document of an earlier call
  std::string document{};            // docs/format/release.md; empty if it is not published
  std::string reason{};              // why it is not published
  std::optional<Receipt> refusal{};  // what the ledger says about it; of `may_run`, also if it would accept
  // With all noise larger by this factor the ledger would accept; not set if it refuses for another reason, and not in
  // a refusal that was stored before: the balances are others now.
  std::optional<double> fitting_factor{};
  // The total budget, epsilon or rho as in the terms, with that noise, rounded down to three digits; not set if a
  // statistic states its noise.
  std::optional<double> fitting_total{};
};

// Reserves the cost, opens the reservation, draws, and commits the document to the ledger; in this order. A call that
// ends anywhere in between has published nothing, and never draws again: what was opened stays spent.
[[nodiscard]] Outcome run(const Request& request, Ledger& ledger, const Charge& charge);
// Returns whether the ledger would accept the charge now. Nothing is drawn or recorded; the key is not looked at.
[[nodiscard]] Outcome may_run(const Terms& terms, const Design& design, const Ledger& ledger, const Charge& charge);
// Returns the document that `run` would return for this key if it was committed before. Throws InvalidArgument if the
// terms or the charge were others. Nothing is written.
[[nodiscard]] std::optional<std::string> stored_document(const Terms& terms, const Ledger& ledger,
                                                         const Charge& charge);
// Draws without a ledger: nobody counts what this costs.
[[nodiscard]] std::string run_uncounted(const Request& request);

// ---- What was released.

struct PublishedNumber {
  std::string bin{};  // empty for a statistic that is one number
  Number value{};
  Number lower{};  // the 95 % interval
  Number upper{};
};

struct PublishedStatistic {
  std::string name{};
  std::string mechanism{};
  double size = 0;
  std::optional<Range> range{};  // documents of 0.8.1 do not state it
  double standard_error = 0;
  std::optional<double> equal_split_error{};
  std::vector<std::string> post_processing{};  // in words; empty if there was none
  std::vector<PublishedNumber> numbers{};
};

// The ledger's entry that paid: that of `open`, after which the noise was drawn.
struct Payment {
  std::string ledger{};
  std::string scope{};
  std::vector<std::string> blocks{};
  std::string key{};
  std::int64_t ticket = 0;
  std::int64_t entry = 0;
  std::string hash{};
  std::string time{};
  std::string note{};
};

struct Document {
  Plan plan;
  std::optional<double> epsilon{};  // an upper bound, at this delta
  std::optional<double> delta{};
  std::optional<double> rho{};
  std::optional<Payment> payment{};
  double timing_delta = 0;
  std::string terms_sha256{};
  std::vector<PublishedStatistic> statistics{};
};

// Reads what `run` returns. Throws InvalidArgument, with the path.
[[nodiscard]] Document read_document(std::string_view text);

// Throws InvalidArgument if `write_output` would replace a file that does not contain `expected`, unless it may, or
// would fail because there is no such directory. Ask before anything is paid for. `permission` is what the error says
// that replacing needs.
void check_output(const std::string& name, const std::optional<std::string>& expected, bool may_replace,
                  std::string_view permission = "permission");
// Writes a file completely or not at all: beside it under another name, brought to the disk, renamed, and the directory
// brought to the disk. An existing file is replaced. Throws InvalidArgument with the path "out".
void write_output(const std::string& name, std::string_view text);

}  // namespace renyi::release
