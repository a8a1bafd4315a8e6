#include "apps/cli/flags/sampling_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/flags/number.h"
#include "renyi/epochs.h"
#include "renyi/error.h"

namespace renyi::cli {

using api::Document;

namespace sampling_flags_file {
namespace {

constexpr std::string_view scheme_flag = "--sampling";
constexpr std::string_view accumulation_flag = "--accumulation";
constexpr std::string_view limit_flag = "--batch-limit";

std::string scheme_names(std::string_view between) {
  std::vector<std::string_view> names;
  for (const Scheme scheme : all_schemes) names.push_back(to_string(scheme));
  return fmt::format("{}", fmt::join(names, between));
}

Scheme read_scheme(const std::string& name) {
  for (const Scheme scheme : all_schemes) {
    if (to_string(scheme) == name) return scheme;
  }
  throw InvalidArgument(std::string(scheme_flag), fmt::format("\"{}\"", name), "one of " + scheme_names(", "));
}

std::string with_scheme(Scheme scheme) { return fmt::format("{} {}", scheme_flag, to_string(scheme)); }

bool has_parameter(Scheme scheme, std::string_view name) {
  for (const Parameter& parameter : parameters(scheme)) {
    if (parameter.name == name) return true;
  }
  return false;
}

std::int64_t records_of(const Flags& flags, Scheme scheme) {
  const auto records = integer(flags, dataset_flag);
  if (records) return *records;
  if (flags.given(batch_flag)) refuse(flags, batch_flag, fmt::format("together with {}", dataset_flag));
  refuse(flags, dataset_flag, fmt::format("the number of records, for {}", with_scheme(scheme)));
}

StepBatch required_batch(const Flags& flags, Scheme scheme) {
  auto batch = step_batch(flags);
  if (!batch) refuse(flags, batch_flag, fmt::format("the records of a batch, for {}", with_scheme(scheme)));
  return *std::move(batch);
}

void check_fits(const StepBatch& batch, std::int64_t records) {
  if (batch.records <= records) return;
  const std::string value = batch.symbols == "B" ? batch.numbers : fmt::format("{} = {}", batch.symbols, batch.numbers);
  throw InvalidArgument(std::string(batch_flag), value,
                        fmt::format("at most the {} records of {}", records, dataset_flag));
}

std::string rate_rule(const StepBatch& batch, std::int64_t records) {
  return fmt::format("{} / N = {} / {}", batch.symbols, batch.numbers, records);
}

// "N / B", "N / (A * B)".
std::string quotient(std::string_view over, std::string_view under) {
  const bool product = under.find('*') != std::string_view::npos;
  return product ? fmt::format("{} / ({})", over, under) : fmt::format("{} / {}", over, under);
}

// The last batch of an epoch may be smaller.
std::int64_t batches_of(Question& question, const StepBatch& batch, std::int64_t records) {
  const std::int64_t batches = batches_of_epoch(records, batch.records);
  question.facts.batch_rule = fmt::format("ceil({}) = ceil({}) = {} an epoch", quotient("N", batch.symbols),
                                          quotient(fmt::format("{}", records), batch.numbers), batches);
  return batches;
}

// What a flag sets in the scheme, for error messages.
std::string_view flag_for(std::string_view parameter) {
  if (parameter == "rate") return rate_flag;
  if (parameter == "batch_limit") return limit_flag;
  return parameter == "dataset_size" ? dataset_flag : batch_flag;
}

// Numbers of the scheme that no single flag has.
Document number_of(std::string_view parameter, Values& values, Question& question, const Flags& flags, Scheme scheme,
                   std::string_view solve) {
  if (solve == flag_for(parameter) && sets_whole_number(solve, scheme)) {
    if (flags.given(solve)) refuse(flags, solve, "no value, since --solve asks for it");
    return nullptr;
  }
  if (parameter == "rate") {
    const auto rate = values.find(rate_flag);
    if (rate == values.end()) {
      refuse(flags, rate_flag,
             fmt::format("a rate, or {} with {}, for {}", batch_flag, dataset_flag, with_scheme(scheme)));
    }
    return values.extract(rate).mapped();
  }
  if (parameter == "batch_limit") {
    const auto limit = integer(flags, limit_flag);
    if (!limit) refuse(flags, limit_flag, fmt::format("the most records of a step, for {}", with_scheme(scheme)));
    return *limit;
  }
  if (parameter == "batch_size" && solve == dataset_flag) return required_batch(flags, scheme).records;
  const std::int64_t records = records_of(flags, scheme);
  if (parameter == "dataset_size") return records;
  const StepBatch batch = required_batch(flags, scheme);
  if (scheme != Scheme::with_replacement) check_fits(batch, records);
  if (parameter == "batches") return batches_of(question, batch, records);
  if (scheme == Scheme::fixed_size) question.facts.rate_rule = rate_rule(batch, records);
  if (scheme == Scheme::with_replacement && batch.symbols != "B") {
    question.facts.batch_rule = fmt::format("{} = {} = {} draws a step", batch.symbols, batch.numbers, batch.records);
  }
  return batch.records;
}

}  // namespace
}  // namespace sampling_flags_file

std::vector<FlagText> sampling_flags() {
  return {
      {std::string(sampling_flags_file::scheme_flag), sampling_flags_file::scheme_names("|"),
       "how the records of a step are drawn (default poisson, where a rate or a batch is given)"},
      {std::string(dataset_flag), "N", "number of records"},
      {std::string(batch_flag), "B", "records of a batch; of Poisson samples the expected number, at rate B / N"},
      {std::string(sampling_flags_file::accumulation_flag), "A",
       "batches into which the A * B records of one step are cut, none in two (default 1)"},
      {std::string(sampling_flags_file::limit_flag), "L", "truncated-poisson: the most records a step can take"},
  };
}

std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag) {
  const auto text = flags.text(flag);
  return text ? std::optional(read_integer(flag, *text)) : std::nullopt;
}

void refuse(const Flags& flags, std::string_view flag, std::string allowed) {
  throw InvalidArgument(std::string(flag), flags.text(flag).value_or("nothing"), std::move(allowed));
}

std::optional<StepBatch> step_batch(const Flags& flags) {
  const auto size = integer(flags, batch_flag), times = integer(flags, sampling_flags_file::accumulation_flag);
  if (!size && times)
    refuse(flags, sampling_flags_file::accumulation_flag, fmt::format("together with {}", batch_flag));
  if (!size) return std::nullopt;
  if (!times) return StepBatch{*size, "B", fmt::format("{}", *size)};
  StepBatch batch{0, "A * B", fmt::format("{} * {}", *times, *size)};
  if (__builtin_mul_overflow(*size, *times, &batch.records)) {
    refuse(flags, sampling_flags_file::accumulation_flag, "what makes less than 2^63 records a step");
  }
  return batch;
}

std::optional<Scheme> scheme_of(const Flags& flags, bool solved) {
  const auto name = flags.text(sampling_flags_file::scheme_flag);
  std::optional<Scheme> scheme;
  if (name) scheme = sampling_flags_file::read_scheme(*name);
  if (!scheme && (solved || flags.given(rate_flag) || step_batch(flags))) scheme = Scheme::poisson;
  if (flags.given(sampling_flags_file::limit_flag) && scheme != Scheme::truncated_poisson) {
    refuse(flags, sampling_flags_file::limit_flag,
           "together with " + sampling_flags_file::with_scheme(Scheme::truncated_poisson));
  }
  if (flags.given(rate_flag) && !sampling_flags_file::has_parameter(*scheme, "rate")) {
    refuse(flags, rate_flag,
           fmt::format("no rate for {}: {} and {} say it", sampling_flags_file::with_scheme(*scheme), batch_flag,
                       dataset_flag));
  }
  if (solved && !sampling_flags_file::has_parameter(*scheme, "rate")) {
    throw InvalidArgument("--solve", "sampling-rate",
                          fmt::format("a number that {} leaves open, such as noise-multiplier",
                                      sampling_flags_file::with_scheme(*scheme)));
  }
  return scheme;
}

void add_rate(Values& values, Question& question, const Flags& flags, Scheme scheme) {
  const auto batch = step_batch(flags);
  if (!batch || !sampling_flags_file::has_parameter(scheme, "rate")) return;
  const std::int64_t records = sampling_flags_file::records_of(flags, scheme);
  sampling_flags_file::check_fits(*batch, records);
  if (values.contains(rate_flag)) refuse(flags, rate_flag, "either --sampling-rate or --batch-size, not both");
  values[std::string(rate_flag)] = poisson_rate(records, batch->records);
  question.facts.rate_rule = sampling_flags_file::rate_rule(*batch, records);
}

// Batches of an epoch are made of two flags.
bool sets_whole_number(std::string_view flag, Scheme scheme) {
  for (const Parameter& parameter : parameters(scheme)) {
    if (parameter.whole && parameter.name != "batches" && sampling_flags_file::flag_for(parameter.name) == flag)
      return true;
  }
  return false;
}

Document sampling_by_flags(Values& values, Question& question, const Flags& flags, Scheme scheme,
                           std::string_view solve) {
  Document sampling;
  sampling.set("scheme", std::string(to_string(scheme)));
  question.flag_at["steps[0].sampling"] = sampling_flags_file::scheme_flag;
  for (const Parameter& parameter : parameters(scheme)) {
    const std::string name(parameter.name);
    sampling.set(name, sampling_flags_file::number_of(name, values, question, flags, scheme, solve));
    question.flag_at["steps[0].sampling." + name] = sampling_flags_file::flag_for(name);
  }
  return sampling;
}

}  // namespace renyi::cli
