#include "renyi/mechanism.h"

#include <fmt/format.h>

#include <cmath>

#include "mechanism/model.h"
#include "numerics/decimal_arithmetic.h"
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

namespace mechanism_file {
namespace {

constexpr std::string_view sampling_prefix = "sampling.";

template <class Table>
std::optional<std::size_t> place_of(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace mechanism_file

Mechanism mechanism::Concept::checked(std::shared_ptr<const Concept> self) {
  Mechanism result(std::move(self));
  result.check();
  return result;
}

std::string_view Mechanism::kind() const { return self_->kind(); }
std::string_view Mechanism::summary() const { return self_->summary(); }
std::span<const Parameter> Mechanism::parameters() const { return self_->parameters(); }
std::span<const Alias> Mechanism::aliases() const { return self_->aliases(); }
std::vector<double> Mechanism::values() const { return self_->values(); }
std::span<const TableParameter> Mechanism::tables() const { return self_->tables(); }
std::vector<Rows> Mechanism::rows() const { return self_->rows(); }
Notes Mechanism::notes() const { return self_->notes(); }
const void* Mechanism::identity() const { return self_->identity(); }
bool Mechanism::is_additive_noise() const { return self_->is_additive_noise(); }
bool Mechanism::states_add_or_remove() const { return self_->states_add_or_remove(); }
std::string_view Mechanism::sampling_obstacle() const { return self_->sampling_obstacle(); }
std::string_view Mechanism::replacement_only() const { return self_->replacement_only(); }
bool Mechanism::is_same_type(const Mechanism& other) const { return self_->type() == other.self_->type(); }

namespace mechanism_file {
namespace {

const Mechanism& of_kind(std::string_view kind) {
  if (const Mechanism* found = find_mechanism(kind)) return *found;
  throw InvalidArgument("mechanism", std::string(kind), "a kind of the catalogue");
}

}  // namespace
}  // namespace mechanism_file

// A struct of renyi/mechanisms.h has its members in the order of the parameters of the catalogue's mechanism, because
// it is generated from the catalogue.
Mechanism::Mechanism(std::string_view kind, std::span<const double> numbers, const std::vector<Rows>& tables)
    : self_(mechanism_file::of_kind(kind).self_->with(numbers, tables)) {
  check();
}

// A mechanism of another type may have a kind that the catalogue has too.
bool Mechanism::read_if(std::string_view kind, std::span<double> numbers) const {
  if (sampling_ || self_->kind() != kind || !is_same_type(mechanism_file::of_kind(kind))) return false;
  self_->read(numbers);
  return true;
}

const void* Mechanism::held(const std::type_info& type) const noexcept {
  return sampling_ ? nullptr : self_->held(type);
}

Mechanism Mechanism::with(std::string_view parameter, double value) const {
  if (sampling_ && parameter.starts_with(mechanism_file::sampling_prefix)) {
    const Sampling changed = sampling_->with(parameter.substr(mechanism_file::sampling_prefix.size()), value);
    return unsampled().sampled_by(changed);
  }
  const NamedNumber number{parameter, value};
  return with({&number, 1}, {});
}

Mechanism Mechanism::with(std::string_view table, Rows rows) const {
  const NamedRows named{table, std::move(rows)};
  return with({}, {&named, 1});
}

Mechanism Mechanism::with(std::span<const NamedNumber> numbers, std::span<const NamedRows> tables) const {
  const auto no_such = [&](std::string_view name, const std::string& value) {
    return InvalidArgument(std::string(name), value, fmt::format("the parameters of {}", kind()));
  };
  std::vector<double> changed = values();
  for (const auto& [name, value] : numbers) {
    const auto i = mechanism_file::place_of(parameters(), name);
    if (!i) throw no_such(name, fmt::format("{}", value));
    changed[*i] = value;
  }
  std::vector<Rows> changed_rows = rows();
  for (const auto& [name, value] : tables) {
    const auto i = mechanism_file::place_of(this->tables(), name);
    if (!i) throw no_such(name, "a table");
    changed_rows[*i] = value;
  }
  Mechanism result(self_->with(changed, changed_rows), sampling_);
  result.check();
  return result;
}

Mechanism Mechanism::sampled_by(const Sampling& sampling) const {
  const std::string_view why_not = sampling_ ? "it is sampled already" : sampling_obstacle();
  if (!why_not.empty()) {
    throw InvalidArgument("sampling", std::string(to_string(sampling.scheme)),
                          fmt::format("nothing on {}: {}", kind(), why_not));
  }
  try {
    sampling.check();
  } catch (const InvalidArgument& error) {
    throw error.within(std::string(mechanism_file::sampling_prefix));
  }
  return Mechanism(self_, sampling);
}

std::shared_ptr<const Curve> Mechanism::curve() const {
  if (!sampling_) return self_->curve();
  throw Unsupported("sampling", fmt::format("the curve of a sampled {} depends on the neighbouring relation", kind()),
                    "ask a plan, which has one");
}

std::optional<Mechanism> Mechanism::equivalent() const { return self_->equivalent(); }

std::vector<CountedMechanism> Mechanism::steps_of_run() const { return self_->steps_of_run(); }
std::optional<Mechanism> Mechanism::as_sampled_mechanism() const { return self_->as_sampled_mechanism(); }

// The parameters for a group are rounded up by less than this relative amount. For a group whose size is smaller by
// this amount, every rounded parameter lies below the exact one.
constexpr double group_roundings = 16 * 0x1p-53;

// True if no number had to be rounded: each is unchanged, or exactly `size` times as large or as small.
bool is_exact_multiple(const std::vector<double>& one, const std::vector<double>& group, double size) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    const bool exact = group[i] == one[i] || numerics::is_decimal_product(group[i], one[i], size) ||
                       numerics::is_decimal_product(one[i], group[i], size);
    if (!exact) return false;
  }
  return true;
}

std::optional<Mechanism> Mechanism::for_group(double size) const {
  const auto grown_to = [this](double records) -> std::optional<Mechanism> {
    const auto grown = self_->for_group(records);
    if (!grown) return std::nullopt;
    Mechanism result(grown);
    const auto held = result.values();
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (!parameters()[i].allows(held[i])) return std::nullopt;
    }
    return result;
  };
  auto most = grown_to(size);
  if (!most || is_exact_multiple(values(), most->values(), size)) return most;
  const auto least = grown_to(size * (1 - group_roundings));
  return least ? most->with_optimistic(*least) : most;
}

Mechanism Mechanism::with_optimistic(const Mechanism& least) const {
  Mechanism result = *this;
  if (!(least == *this)) result.optimistic_ = std::make_shared<const Mechanism>(least.optimistic());
  return result;
}

std::vector<double> Mechanism::key() const {
  std::vector<double> result = values();
  for (const Rows& table : rows()) {
    result.push_back(static_cast<double>(table.size()));
    for (const auto& row : table) result.insert(result.end(), row.begin(), row.end());
  }
  if (!sampling_) return result;
  result.push_back(static_cast<double>(sampling_->scheme));
  for (const double value : sampling_->values()) result.push_back(value);
  if (sampling_->padded) result.push_back(1);
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
  const auto held_rows = rows();
  for (std::size_t i = 0; i < held_rows.size(); ++i) tables()[i].check(held_rows[i]);
  self_->check();
}

bool Mechanism::operator==(const Mechanism& other) const {
  return sampling_ == other.sampling_ && self_->equals(*other.self_);
}

}  // namespace renyi
