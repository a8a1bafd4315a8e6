// What was run, as a value. `Mechanism` holds any mechanism: the structs of renyi/mechanisms.h become one, and so do
// parallel parts (renyi/plan.h), selections (renyi/extras/select.h) and mechanisms of one's own
// (renyi/extras/custom.h).
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/extras/notes.h"
#include "renyi/extras/parameter.h"
#include "renyi/mechanisms.h"
#include "renyi/sampling.h"

namespace renyi {

// Another spelling in plans: `name` sets `parameter` and excludes `excluded`.
struct Alias {
  std::string_view name;
  std::string_view parameter;
  std::string_view excluded;
};

using NamedNumber = std::pair<std::string_view, double>;
using NamedRows = std::pair<std::string_view, Rows>;

namespace mechanism {
struct Concept;  // what is held: src/mechanism/model.h
}
class CustomMechanism;
class Parallel;
class Select;

// A struct of renyi/mechanisms.h says its kind, and which members are its numbers and its tables.
template <class M>
concept MechanismStruct = requires {
  { M::kind } -> std::convertible_to<std::string_view>;
  std::tuple_size<decltype(M::numbers)>::value;
  std::tuple_size<decltype(M::tables)>::value;
};

// Any mechanism, as a value. Construction checks every parameter and throws InvalidArgument with the parameter's name.
//     const renyi::Mechanism noise = renyi::Laplace{.scale = 20};
//     if (const auto laplace = noise.get_if<renyi::Laplace>()) use(laplace->scale);
class Mechanism {
 public:
  template <MechanismStruct M>
  Mechanism(const M& m)  // NOLINT(google-explicit-constructor): a struct of a mechanism is a Mechanism
      : Mechanism(
            M::kind,
            std::apply([&](auto... member) { return std::array<double, sizeof...(member)>{m.*member...}; }, M::numbers),
            std::apply([&](auto... member) { return std::vector<Rows>{m.*member...}; }, M::tables)) {}
  Mechanism(const Parallel& parallel);    // NOLINT(google-explicit-constructor): so is a form of a plan's step
  Mechanism(const Select& select);        // NOLINT(google-explicit-constructor)
  Mechanism(const CustomMechanism& own);  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string_view kind() const;
  [[nodiscard]] std::string_view summary() const;
  [[nodiscard]] std::span<const Parameter> parameters() const;
  [[nodiscard]] std::span<const Alias> aliases() const;
  [[nodiscard]] std::vector<double> values() const;  // in the order of `parameters`
  [[nodiscard]] std::span<const TableParameter> tables() const;
  [[nodiscard]] std::vector<Rows> rows() const;  // in the order of `tables`
  [[nodiscard]] Notes notes() const;
  // What tells a mechanism of one's own (renyi/extras/custom.h) from all but its copies; nullptr for others.
  [[nodiscard]] const void* identity() const;

  // The same mechanism with one parameter changed (checked); "sampling.rate" is one of its sampling.
  //     const auto more_noise = mechanism.with("scale", 40);
  [[nodiscard]] Mechanism with(std::string_view parameter, double value) const;
  [[nodiscard]] Mechanism with(std::string_view table, Rows rows) const;
  // The same mechanism with all of these changed, and checked together.
  [[nodiscard]] Mechanism with(std::span<const NamedNumber> numbers, std::span<const NamedRows> tables) const;

  // The same mechanism on a sample of the records. Throws InvalidArgument if it is sampled already.
  //     plan.add(renyi::Mechanism(renyi::Laplace{2}).sampled_by(renyi::Sampling::poisson(0.01)), 100);
  [[nodiscard]] Mechanism sampled_by(const Sampling& sampling) const;
  // How the records are sampled, or nullptr. What a sampled step costs depends on the relation: see
  // `analysed` (renyi/plan.h).
  [[nodiscard]] const Sampling* sampling() const noexcept { return sampling_ ? &*sampling_ : nullptr; }
  [[nodiscard]] Mechanism unsampled() const { return Mechanism(self_); }

  // What a mechanism says of itself beyond the curve, for the same mechanism without sampling: another one that costs
  // the same and is analysed in its place; another one on a sample, as which it is analysed where records are replaced
  // or persons have several; and the same step as seen by persons with so many records. Nothing where it says nothing.
  [[nodiscard]] std::optional<Mechanism> equivalent() const;
  [[nodiscard]] std::optional<Mechanism> as_sampled_mechanism() const;
  [[nodiscard]] std::optional<Mechanism> for_group(double size) const;
  // Where an equivalent, a group or a sample had to round a number, it was rounded against the user, and upper bounds
  // hold. Lower ends are those of this mechanism, in which the same numbers are rounded the other way; the mechanism
  // itself where nothing was rounded.
  [[nodiscard]] const Mechanism& optimistic() const { return optimistic_ ? *optimistic_ : *this; }
  [[nodiscard]] bool is_rounded() const { return optimistic_ != nullptr; }
  [[nodiscard]] Mechanism with_optimistic(const Mechanism& least) const;
  // Whether its parameters, where it is sampled, are those of one record's presence; and whether they always are.
  [[nodiscard]] bool is_additive_noise() const;
  [[nodiscard]] bool states_add_or_remove() const;
  // Why it cannot run on a sample of the records; empty where it can.
  [[nodiscard]] std::string_view sampling_obstacle() const;

  // Throws Unsupported for a sampled mechanism, whose curve depends on the relation.
  [[nodiscard]] std::shared_ptr<const Curve> curve() const;

  // The mechanism as the struct it was made from, by value; as Parallel, Select or Own, by a pointer into this one.
  // Nothing where it is another one, and where it is sampled.
  template <class M>
  [[nodiscard]] auto get_if() const {
    if constexpr (MechanismStruct<M>) {
      return copy_if<M>();
    } else {
      return static_cast<const M*>(held(typeid(M)));
    }
  }

  // Whether both hold values of one type.
  [[nodiscard]] bool is_same_type(const Mechanism& other) const;

  // All numbers that tell it from others of its kind.
  [[nodiscard]] std::vector<double> key() const;

  bool operator==(const Mechanism& other) const;

 private:
  friend struct mechanism::Concept;

  Mechanism(std::string_view kind, std::span<const double> numbers, const std::vector<Rows>& tables);
  explicit Mechanism(std::shared_ptr<const mechanism::Concept> self, std::optional<Sampling> sampling = {})
      : self_(std::move(self)), sampling_(sampling) {}
  void check() const;

  // Whether it is the catalogue's mechanism of that kind, and not sampled; then its numbers are copied there.
  bool read_if(std::string_view kind, std::span<double> numbers) const;
  const void* held(const std::type_info& type) const noexcept;

  template <MechanismStruct M>
  std::optional<M> copy_if() const {
    std::array<double, std::tuple_size_v<decltype(M::numbers)>> numbers{};
    if (!read_if(M::kind, numbers)) return std::nullopt;
    std::optional<M> copy(std::in_place);
    [[maybe_unused]] const double* number = numbers.data();
    std::apply([&](auto... member) { (((*copy).*member = *number++), ...); }, M::numbers);
    if constexpr (std::tuple_size_v<decltype(M::tables)> != 0) {
      auto table = rows();
      auto next = table.begin();
      std::apply([&](auto... member) { (((*copy).*member = std::move(*next++)), ...); }, M::tables);
    }
    return copy;
  }

  std::shared_ptr<const mechanism::Concept> self_;
  std::optional<Sampling> sampling_{};
  std::shared_ptr<const Mechanism> optimistic_{};
};

// Every mechanism a plan can name, each with its default parameters.
[[nodiscard]] std::span<const Mechanism> all_mechanisms();
// The one of that kind, also by a name it had in plans of old, or nullptr.
[[nodiscard]] const Mechanism* find_mechanism(std::string_view kind);

// The one of that kind with these parameters and, where not given, their defaults: for kinds known at run time only.
// Throws InvalidArgument that names the kind, or the parameter that is unknown, out of range or missing.
//     const auto noise = renyi::make_mechanism("laplace", {{"scale", 20}});
[[nodiscard]] Mechanism make_mechanism(std::string_view kind, std::span<const NamedNumber> numbers,
                                       std::span<const NamedRows> tables = {});
[[nodiscard]] inline Mechanism make_mechanism(std::string_view kind, std::initializer_list<NamedNumber> numbers = {},
                                              std::initializer_list<NamedRows> tables = {}) {
  return make_mechanism(kind, std::span(numbers.begin(), numbers.size()), std::span(tables.begin(), tables.size()));
}

}  // namespace renyi
