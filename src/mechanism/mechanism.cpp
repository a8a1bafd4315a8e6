#include "renyi/mechanism.h"

#include <fmt/format.h>

#include <cmath>

#include "renyi/error.h"

namespace renyi {

std::string_view to_string(Neighbors neighbors) noexcept {
  switch (neighbors) {
    case Neighbors::add_or_remove_one: return "add-or-remove-one";
    case Neighbors::replace_one: return "replace-one";
    case Neighbors::zero_out: return "zero-out";
  }
  return "unknown";
}

bool Parameter::allows(double value) const noexcept {
  if (zero_allowed && value == 0) return true;
  const bool above = lowest_allowed ? value >= lowest : value > lowest;
  const bool below = highest_allowed ? value <= highest : value < highest;
  return above && below && (!whole || value == std::floor(value));
}

std::string Parameter::allowed() const {
  return fmt::format("{}{} in {}{}, {}{}", zero_allowed ? "0, or " : "", whole ? "a whole number" : "a number",
                     lowest_allowed ? "[" : "(", lowest, highest, highest_allowed ? "]" : ")");
}

namespace {

constexpr std::string_view sampling_prefix = "sampling.";

}  // namespace

Mechanism Mechanism::with(std::string_view parameter, double value) const {
  if (sampling_ && parameter.starts_with(sampling_prefix)) {
    const Sampling changed = sampling_->with(parameter.substr(sampling_prefix.size()), value);
    return unsampled().sampled_by(changed);
  }
  const auto table = parameters();
  std::vector<double> changed = values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name != parameter) continue;
    changed[i] = value;
    Mechanism result(self_->with(changed), sampling_);
    result.check();
    return result;
  }
  throw InvalidArgument(std::string(parameter), fmt::format("{}", value), fmt::format("the parameters of {}", kind()));
}

Mechanism Mechanism::sampled_by(const Sampling& sampling) const {
  if (sampling_ || get_if<SampledGaussian>() != nullptr) {
    throw InvalidArgument("sampling", std::string(to_string(sampling.scheme)),
                          fmt::format("nothing: {} is sampled already", kind()));
  }
  try {
    sampling.check();
  } catch (const InvalidArgument& error) {
    throw error.within(std::string(sampling_prefix));
  }
  return Mechanism(self_, sampling);
}

std::shared_ptr<const Curve> Mechanism::curve() const {
  if (!sampling_) return self_->curve();
  throw Unsupported("sampling", fmt::format("the curve of a sampled {} depends on the neighbouring relation", kind()),
                    "ask a plan, which has one");
}

std::vector<double> Mechanism::key() const {
  std::vector<double> result = values();
  if (!sampling_) return result;
  result.push_back(static_cast<double>(sampling_->scheme));
  for (const double value : sampling_->values()) result.push_back(value);
  return result;
}

void Mechanism::check() const {
  const auto table = parameters();
  const auto held = values();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!table[i].allows(held[i])) {
      throw InvalidArgument(std::string(table[i].name), fmt::format("{}", held[i]), table[i].allowed());
    }
  }
}

bool Mechanism::operator==(const Mechanism& other) const {
  return kind() == other.kind() && identity() == other.identity() && sampling_ == other.sampling_ &&
         values() == other.values();
}

}  // namespace renyi
