#include "accountant/ledger.h"

#include <functional>
#include <string_view>

#include "plan/composed_curve.h"
#include "renyi/error.h"

namespace renyi {

namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  throw InvalidArgument("count", "a total of all steps above 2^63-1", "totals from 1 to 2^63-1");
}

void mix(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2); }

}  // namespace

std::size_t Accountant::Ledger::Hash::operator()(const Mechanism& mechanism) const {
  std::size_t seed = std::hash<std::string_view>{}(mechanism.kind());
  mix(seed, std::hash<const void*>{}(mechanism.identity()));
  for (const double value : mechanism.key()) mix(seed, std::hash<double>{}(value));
  return seed;
}

Accountant::Ledger::Ledger(const Ledger& other)
    : relation_(other.relation_),
      options_(other.options_),
      merged_(other.merged_),
      where_(other.where_),
      steps_(other.steps_) {
  const std::lock_guard lock(other.mutex_);
  analysed_ = other.analysed_;
  composed_ = other.composed_;
}

// The total of all steps bounds that of equal ones.
void Accountant::Ledger::add(const std::vector<CountedMechanism>& distinct) {
  std::int64_t total = steps_;
  for (const CountedMechanism& step : distinct) total = sum(total, step.count);
  // Whatever may fail comes first; looking a mechanism up may.
  struct Again {
    std::size_t index;
    std::int64_t count;
  };
  std::vector<Again> again;
  std::unordered_map<Mechanism, std::size_t, Hash> fresh;
  std::vector<CountedMechanism> added;
  for (const CountedMechanism& step : distinct) {
    if (const auto found = where_.find(step.mechanism); found != where_.end()) {
      again.push_back({found->second, step.count});
    } else {
      fresh.emplace(step.mechanism, merged_.size() + added.size());
      added.push_back(step);
    }
  }
  const std::size_t size = merged_.size() + added.size();
  if (static_cast<double>(size) > static_cast<double>(where_.bucket_count()) * where_.max_load_factor()) {
    where_.reserve(2 * size);
  }
  if (size > merged_.capacity()) merged_.reserve(2 * size);
  for (const Again& step : again) merged_[step.index].count += step.count;
  for (CountedMechanism& step : added) merged_.push_back(std::move(step));
  where_.merge(fresh);
  steps_ = total;
  composed_ = nullptr;
}

void Accountant::Ledger::analyse_new_ones() const {
  for (std::size_t i = analysed_.size(); i < merged_.size(); ++i) {
    Mechanism seen = renyi::analysed(merged_[i].mechanism, relation_);
    auto curve = seen.curve();
    analysed_.push_back({std::move(seen), std::move(curve)});
  }
}

std::vector<CountedMechanism> Accountant::Ledger::analysed() const {
  const std::lock_guard lock(mutex_);
  analyse_new_ones();
  std::vector<CountedMechanism> result;
  for (std::size_t i = 0; i < merged_.size(); ++i) result.push_back({analysed_[i].mechanism, merged_[i].count});
  return result;
}

std::shared_ptr<const Curve> Accountant::Ledger::curve() const {
  const std::lock_guard lock(mutex_);
  if (composed_) return composed_;
  analyse_new_ones();
  std::vector<plan::CountedCurve> parts;
  parts.reserve(merged_.size());
  for (std::size_t i = 0; i < merged_.size(); ++i) parts.push_back({analysed_[i].curve, merged_[i].count});
  composed_ = std::make_shared<plan::ComposedCurve>(std::move(parts));
  return composed_;
}

}  // namespace renyi
