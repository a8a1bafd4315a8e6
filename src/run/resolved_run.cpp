// Computes the samples and steps of a run from its sizes, and checks which sizes may be given together.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi {

namespace resolved_run_file {
namespace {

// Messages quote the names of sizes, so that a front end can replace them by its own names.
std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

std::string with_scheme(Scheme scheme) { return fmt::format("{} {}", quoted("sampling"), to_string(scheme)); }

bool has_number(Scheme scheme, std::string_view name) {
  const auto all = parameters(scheme);
  return std::any_of(all.begin(), all.end(), [&](const Parameter& parameter) { return parameter.name == name; });
}

bool has_rate(Scheme scheme) { return has_number(scheme, "rate"); }

// The records of one step: the number of records of a batch times A.
struct StepBatch {
  std::int64_t records = 0;
  std::string symbols;  // "B", or "A * B"
  std::string numbers;  // "64", or "4 * 64"

  bool is_product() const { return symbols != "B"; }
  std::string bracketed(const std::string& text) const { return is_product() ? "(" + text + ")" : text; }
};

class Reader {
 public:
  Reader(const RunSizes& sizes, std::optional<UnknownSize> open) : sizes_(sizes), open_(open) {}

  ResolvedRun read() {
    check_given();
    parts_.scheme = scheme();
    batch_ = batch();
    parts_.dataset_size = sizes_.dataset_size;
    parts_.unknown = open_;
    parts_.sizes = sizes_;
    parts_.in_epochs =
        (sizes_.batch_size || is_open(UnknownSize::batch_size)) && (sizes_.epochs || is_open(UnknownSize::epochs));
    if (parts_.scheme) {
      for (const Parameter& parameter : parameters(*parts_.scheme)) {
        if (!parameter.fallback) parts_.numbers.push_back(number(parameter.name));
      }
    }
    check_open();
    parts_.count = count();
    if (sizes_.dataset_size && sizes_.batch_size)
      parts_.size_rule = "N counts as public; zero-out says so: docs/guide/public-size.md";
    return std::move(parts_);
  }

 private:
  template <class Value>
  [[noreturn]] static void refuse(std::string_view size, const std::optional<Value>& value, std::string allowed) {
    throw InvalidArgument(std::string(size), value ? fmt::format("{}", *value) : "nothing", std::move(allowed));
  }

  bool is_open(UnknownSize size) const { return open_ == size; }

  static void check_whole(std::string_view size, const std::optional<std::int64_t>& value) {
    if (value && *value < 1) refuse(size, value, "an integer from 1 to 2^63-1");
  }

  void check_given() const {
    check_whole("dataset_size", sizes_.dataset_size);
    check_whole("batch_size", sizes_.batch_size);
    check_whole("accumulation", sizes_.accumulation);
    check_whole("steps", sizes_.steps);
    check_whole("batch_limit", sizes_.batch_limit);
    const bool is_given = open_ == UnknownSize::dataset_size    ? sizes_.dataset_size.has_value()
                          : open_ == UnknownSize::batch_size    ? sizes_.batch_size.has_value()
                          : open_ == UnknownSize::batch_limit   ? sizes_.batch_limit.has_value()
                          : open_ == UnknownSize::sampling_rate ? sizes_.sampling_rate.has_value()
                          : open_ == UnknownSize::epochs        ? sizes_.epochs.has_value()
                                                         : open_ == UnknownSize::steps && sizes_.steps.has_value();
    if (is_given) throw InvalidArgument(std::string(to_string(*open_)), "a value", "no value, since it is left open");
  }

  std::optional<StepBatch> batch() const {
    const auto &size = sizes_.batch_size, &times = sizes_.accumulation;
    if (is_open(UnknownSize::batch_size)) return std::nullopt;
    if (!size && times) refuse("accumulation", times, "together with " + quoted("batch_size"));
    if (!size) return std::nullopt;
    if (!times) return StepBatch{*size, "B", fmt::format("{}", *size)};
    StepBatch found{0, "A * B", fmt::format("{} * {}", *times, *size)};
    if (__builtin_mul_overflow(*size, *times, &found.records)) {
      refuse("accumulation", times, "what makes less than 2^63 records a step");
    }
    return found;
  }

  std::optional<Scheme> scheme() const {
    std::optional<Scheme> scheme = sizes_.sampling;
    const bool drawn = is_open(UnknownSize::sampling_rate) || is_open(UnknownSize::batch_size) || sizes_.sampling_rate;
    if (!scheme && (drawn || batch())) scheme = Scheme::poisson;
    if (sizes_.batch_limit && scheme != Scheme::truncated_poisson) {
      refuse("batch_limit", sizes_.batch_limit, "together with " + with_scheme(Scheme::truncated_poisson));
    }
    if (scheme && !has_rate(*scheme) && (sizes_.sampling_rate || open_ == UnknownSize::sampling_rate)) {
      refuse("sampling_rate", sizes_.sampling_rate,
             fmt::format("no rate for {}: {} and {} say it", with_scheme(*scheme), quoted("batch_size"),
                         quoted("dataset_size")));
    }
    return scheme;
  }

  std::int64_t records() const {
    if (sizes_.dataset_size) return *sizes_.dataset_size;
    if (sizes_.batch_size) refuse("batch_size", sizes_.batch_size, "together with " + quoted("dataset_size"));
    refuse("dataset_size", sizes_.dataset_size, "the number of records, for " + with_scheme(*parts_.scheme));
  }

  const StepBatch& required_batch() const {
    if (batch_) return *batch_;
    refuse("batch_size", sizes_.batch_size, "the records of a batch, for " + with_scheme(*parts_.scheme));
  }

  void check_fits() const {
    if (batch_->records <= records()) return;
    throw InvalidArgument(
        "batch_size", batch_->is_product() ? fmt::format("{} = {}", batch_->symbols, batch_->numbers) : batch_->numbers,
        fmt::format("at most the {} records of {}", records(), quoted("dataset_size")));
  }

  void note_rate_rule() {
    parts_.rate_rule = fmt::format("{} / N = {} / {}", batch_->symbols, batch_->numbers, records());
  }

  std::optional<double> rate() {
    if (batch_) {
      records();
      check_fits();
      if (sizes_.sampling_rate || open_ == UnknownSize::sampling_rate) {
        refuse("sampling_rate", sizes_.sampling_rate,
               fmt::format("either {} or {}, not both", quoted("sampling_rate"), quoted("batch_size")));
      }
      note_rate_rule();
      return poisson_rate(records(), batch_->records);
    }
    if (is_open(UnknownSize::batch_size)) {
      records();
      if (sizes_.sampling_rate) {
        refuse("sampling_rate", sizes_.sampling_rate,
               fmt::format("nothing that fixes the {}, which is left open", quoted("batch_size")));
      }
      return std::nullopt;
    }
    if (open_ == UnknownSize::sampling_rate) return std::nullopt;
    if (sizes_.sampling_rate) return sizes_.sampling_rate;
    refuse("sampling_rate", sizes_.sampling_rate,
           fmt::format("a rate, or {} with {}, for {}", quoted("batch_size"), quoted("dataset_size"),
                       with_scheme(*parts_.scheme)));
  }

  // The last batch of an epoch may be smaller.
  std::int64_t batches() {
    const std::int64_t found = batches_of_epoch(records(), batch_->records);
    parts_.batch_rule = fmt::format("ceil(N / {}) = ceil({} / {}) = {} an epoch", batch_->bracketed(batch_->symbols),
                                    records(), batch_->bracketed(batch_->numbers), found);
    return found;
  }

  std::int64_t batch_limit() const {
    if (sizes_.batch_limit) return *sizes_.batch_limit;
    refuse("batch_limit", sizes_.batch_limit, "the most records of a step, for " + with_scheme(*parts_.scheme));
  }

  // Reads "batch_size", or "batches" for an epoch.
  std::int64_t batch_number(std::string_view name) {
    if (open_ == UnknownSize::dataset_size) return required_batch().records;
    records();
    const StepBatch& batch = required_batch();
    if (parts_.scheme != Scheme::with_replacement) check_fits();
    if (name == "batches") return batches();
    if (parts_.scheme == Scheme::fixed_size) note_rate_rule();
    if (parts_.scheme == Scheme::with_replacement && batch.is_product()) {
      parts_.batch_rule = fmt::format("{} = {} = {} draws a step", batch.symbols, batch.numbers, batch.records);
    }
    return batch.records;
  }

  SchemeNumber number(std::string_view name) {
    SchemeNumber found{.name = name};
    if (name == "rate") {
      found.rate = rate();
    } else if (open_ && name == to_string(*open_)) {
      return found;
    } else {
      found.whole = name == "batch_limit" ? batch_limit() : name == "dataset_size" ? records() : batch_number(name);
    }
    return found;
  }

  // The unknown size must be a number of the sampling scheme, or the number of steps.
  void check_open() const {
    if (!open_ || can_be_unknown(*open_, parts_.scheme)) return;
    throw InvalidArgument(std::string(to_string(*open_)), "nothing",
                          parts_.scheme ? fmt::format("a number: {} has none of that name that could be left open",
                                                      with_scheme(*parts_.scheme))
                                        : "a number: nothing is sampled");
  }

  // In an epoch each record is in one batch: a partial pass counts as a whole one.
  std::int64_t whole_epochs() {
    const std::int64_t found = steps_from_epochs(*sizes_.epochs, 1, 1);
    parts_.steps_rule = fmt::format("one an epoch: ceil(epochs) = ceil({}) = {}", *sizes_.epochs, found);
    return found;
  }

  // Epochs determine the steps only if it is known how many records a step has, and how many there are.
  void check_epochs_count() const {
    if (sizes_.dataset_size && batch_) return;
    refuse("epochs", sizes_.epochs,
           fmt::format("together with {} and {}", quoted("dataset_size"), quoted("batch_size")));
  }

  std::int64_t steps_of_epochs() {
    check_epochs_count();
    const std::int64_t found = steps_from_epochs(*sizes_.epochs, *sizes_.dataset_size, batch_->records);
    parts_.steps_rule =
        fmt::format("ceil(epochs * N / {}) = ceil({} * {} / {}) = {}", batch_->bracketed(batch_->symbols),
                    *sizes_.epochs, *sizes_.dataset_size, batch_->bracketed(batch_->numbers), found);
    return found;
  }

  std::optional<std::int64_t> count() {
    const bool by_epoch = parts_.scheme && is_by_epoch(*parts_.scheme);
    const bool open = is_open(UnknownSize::steps) || is_open(UnknownSize::epochs);
    if (sizes_.steps && by_epoch) {
      refuse("steps", sizes_.steps,
             fmt::format("{} instead: with {} a record is used once an epoch", quoted("epochs"),
                         with_scheme(*parts_.scheme)));
    }
    if (sizes_.steps) {
      if (is_open(UnknownSize::epochs)) {
        refuse("steps", sizes_.steps, fmt::format("nothing beside {}, which are left open", quoted("epochs")));
      }
      if (sizes_.epochs) {
        parts_.steps_rule = fmt::format("from {}, which overrides {}", quoted("steps"), quoted("epochs"));
      }
      return sizes_.steps;
    }
    if (sizes_.epochs && open) refuse("epochs", sizes_.epochs, "nothing that fixes the steps, which are left open");
    if (sizes_.epochs && is_open(UnknownSize::batch_size)) {
      records();
      return std::nullopt;  // the batch size determines the steps
    }
    if (sizes_.epochs) return by_epoch ? whole_epochs() : steps_of_epochs();
    if (is_open(UnknownSize::epochs) && !by_epoch) check_epochs_count();
    if (by_epoch) parts_.steps_rule = "one an epoch";
    return open ? std::nullopt : std::optional<std::int64_t>(1);
  }

  const RunSizes& sizes_;
  std::optional<UnknownSize> open_;
  std::optional<StepBatch> batch_{};
  ResolvedRun parts_;
};

}  // namespace
}  // namespace resolved_run_file

std::string_view to_string(UnknownSize size) noexcept {
  switch (size) {
    case UnknownSize::dataset_size: return "dataset_size";
    case UnknownSize::batch_size: return "batch_size";
    case UnknownSize::batch_limit: return "batch_limit";
    case UnknownSize::sampling_rate: return "sampling_rate";
    case UnknownSize::steps: return "steps";
    case UnknownSize::epochs: return "epochs";
  }
  return "steps";
}

bool can_be_unknown(UnknownSize size, std::optional<Scheme> scheme) {
  if (size == UnknownSize::steps || size == UnknownSize::epochs) return true;
  if (size == UnknownSize::batch_size && (!scheme || resolved_run_file::has_rate(*scheme))) return true;
  if (size == UnknownSize::sampling_rate) return !scheme || resolved_run_file::has_rate(*scheme);
  return scheme && resolved_run_file::has_number(*scheme, to_string(size));
}

std::string_view size_behind(std::string_view number) noexcept {
  if (number == "rate") return "sampling_rate";
  return number == "batches" ? "batch_size" : number;
}

ResolvedRun resolved_run(const RunSizes& sizes, std::optional<UnknownSize> open) {
  return resolved_run_file::Reader(sizes, open).read();
}

std::optional<Sampling> ResolvedRun::sampling() const {
  if (!scheme) return std::nullopt;
  Sampling found{.scheme = *scheme};
  const auto table = parameters(*scheme);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].fallback) {
      found = found.with(table[i].name, *table[i].fallback);
      continue;
    }
    const SchemeNumber& number = numbers[i];
    // Drawing few of many records agrees with whatever else is specified.
    const bool is_of_batch = number.name == "rate" || number.name == "batch_size";
    const double stand_in = is_of_batch ? table[i].lowest : table[i].highest;
    const double value = number.whole ? static_cast<double>(*number.whole) : number.rate.value_or(stand_in);
    found = found.with(number.name, value);
  }
  return found;
}

std::vector<std::string> ResolvedRun::rules() const {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view what, const std::string& rule) {
    if (!rule.empty()) lines.push_back(fmt::format("{}: {}", what, rule));
  };
  add("sampling rate", rate_rule);
  add("batches", batch_rule);
  add("steps", steps_rule);
  add("size", size_rule);
  return lines;
}

}  // namespace renyi
