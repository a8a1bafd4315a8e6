// The class Mechanism, a value that holds any mechanism. The structs of renyi/mechanisms.h convert to it, and so do
// parallel steps (renyi/plan.h), selections (renyi/extras/select.h) and custom mechanisms (renyi/extras/custom.h).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
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

// An alternative name in plan files: `name` sets `parameter`, and must not be given together with `excluded`.
struct Alias {
  std::string_view name;
  std::string_view parameter;
  std::string_view excluded;
};

// The name and the value of a parameter, and of a parameter that is a table.
using NamedNumber = std::pair<std::string_view, double>;
using NamedRows = std::pair<std::string_view, Rows>;

namespace mechanism {
struct Concept;  // the type-erased content of a Mechanism (src/mechanism/model.h)
}
class CustomMechanism;
class Parallel;
class Select;
struct CountedMechanism;

// The structs of renyi/mechanisms.h satisfy this concept: they state their kind, and which members are numbers and
// tables.
template <class M>
concept MechanismStruct = requires {
  { M::kind } -> std::convertible_to<std::string_view>;
  std::tuple_size<decltype(M::numbers)>::value;
  std::tuple_size<decltype(M::tables)>::value;
};

// A value that holds any mechanism. The constructors check every parameter and throw InvalidArgument with the name of a
// parameter that is out of range.
//
//     const renyi::Mechanism noise = renyi::Laplace{.scale = 20};
//     if (const auto laplace = noise.get_if<renyi::Laplace>()) std::cout << laplace->scale << "\n";
class Mechanism {
 public:
  template <MechanismStruct M>
  Mechanism(const M& m)  // NOLINT(google-explicit-constructor): a struct of a mechanism is a Mechanism
      : Mechanism(
            M::kind,
            std::apply([&](auto... member) { return std::array<double, sizeof...(member)>{m.*member...}; }, M::numbers),
            std::apply([&](auto... member) { return std::vector<Rows>{m.*member...}; }, M::tables)) {}
  Mechanism(const Parallel& parallel);    // NOLINT(google-explicit-constructor): as above
  Mechanism(const Select& select);        // NOLINT(google-explicit-constructor)
  Mechanism(const CustomMechanism& own);  // NOLINT(google-explicit-constructor)

  // Returns the name of the mechanism in plan files, such as "laplace".
  [[nodiscard]] std::string_view kind() const;
  // Returns a description in one line; for a custom mechanism, its name.
  [[nodiscard]] std::string_view summary() const;
  // Returns the parameters: their names, meanings, ranges and defaults.
  [[nodiscard]] std::span<const Parameter> parameters() const;
  [[nodiscard]] std::span<const Alias> aliases() const;
  [[nodiscard]] std::vector<double> values() const;  // in the order of `parameters`
  // Returns the parameters that are tables.
  [[nodiscard]] std::span<const TableParameter> tables() const;
  [[nodiscard]] std::vector<Rows> rows() const;  // in the order of `tables`
  // Returns references and remarks for the documentation.
  [[nodiscard]] Notes notes() const;
  // Returns a pointer that distinguishes a custom mechanism (renyi/extras/custom.h), a parallel step or a selection
  // from all others but its copies; nullptr for mechanisms that are determined by their parameters.
  [[nodiscard]] const void* identity() const;

  // Returns the same mechanism with one parameter changed. A prefix "sampling." names a parameter of its sampling, such
  // as "sampling.rate". Throws InvalidArgument if there is no such parameter or the value is out of range.
  //
  //     const renyi::Mechanism more_noise = mechanism.with("scale", 40);
  [[nodiscard]] Mechanism with(std::string_view parameter, double value) const;
  [[nodiscard]] Mechanism with(std::string_view table, Rows rows) const;
  // Returns the same mechanism with several parameters changed, which are checked together.
  [[nodiscard]] Mechanism with(std::span<const NamedNumber> numbers, std::span<const NamedRows> tables) const;

  // Returns the same mechanism on a sample of the records. Throws InvalidArgument if it is sampled already or cannot be
  // sampled (see sampling_obstacle), and if a parameter of `sampling` is out of range.
  //
  //     plan.add(renyi::Mechanism(renyi::Laplace{2}).sampled_by(renyi::Sampling::poisson(0.01)), 100);
  [[nodiscard]] Mechanism sampled_by(const Sampling& sampling) const;
  // Returns how the records are sampled, or nullptr if they are not. The cost of a sampled step depends on the
  // neighbouring relation: see `analysed` (renyi/plan.h).
  [[nodiscard]] const Sampling* sampling() const noexcept { return sampling_ ? &*sampling_ : nullptr; }
  // Returns the same mechanism without sampling.
  [[nodiscard]] Mechanism unsampled() const { return Mechanism(self_); }

  // These three functions return mechanisms that are analysed instead of this one; they ignore its sampling, and return
  // std::nullopt if there is no such mechanism.
  // equivalent: another mechanism that costs the same.
  // as_sampled_mechanism: another mechanism on a sample of the records. It is used if records are replaced, or if the
  // unit of privacy is larger than 1.
  // for_group: the same mechanism for neighbouring datasets that differ in `size` records.
  [[nodiscard]] std::optional<Mechanism> equivalent() const;
  [[nodiscard]] std::optional<Mechanism> as_sampled_mechanism() const;
  [[nodiscard]] std::optional<Mechanism> for_group(double size) const;
  // Returns the steps that are analysed one after the other instead of this mechanism, if it is a run of several;
  // otherwise the list is empty.
  [[nodiscard]] std::vector<CountedMechanism> steps_of_run() const;
  // If a parameter of one of the mechanisms above had to be rounded, it was rounded pessimistically, so that upper
  // bounds on the cost are valid. `optimistic` returns the mechanism in which the same parameters are rounded
  // optimistically, from which lower bounds are computed; it returns the mechanism itself if nothing was rounded.
  [[nodiscard]] const Mechanism& optimistic() const { return optimistic_ ? *optimistic_ : *this; }
  [[nodiscard]] bool is_rounded() const { return optimistic_ != nullptr; }
  // Returns this mechanism with `least` as its optimistic rounding.
  [[nodiscard]] Mechanism with_optimistic(const Mechanism& least) const;
  // is_additive_noise returns whether, if the mechanism is sampled, its parameters (such as the sensitivity) refer to
  // the presence or absence of one record. states_add_or_remove returns whether they always do, so that replacing a
  // record counts as two changes.
  [[nodiscard]] bool is_additive_noise() const;
  [[nodiscard]] bool states_add_or_remove() const;
  // Returns the reason why the mechanism cannot run on a sample of the records; empty if it can.
  [[nodiscard]] std::string_view sampling_obstacle() const;
  // Returns the reason why the cost is known only if records are replaced; empty if there is no such reason.
  [[nodiscard]] std::string_view replacement_only() const;

  // Returns the log-moment curve (renyi/extras/curve.h) of one run. Throws Unsupported for a sampled mechanism, since
  // its curve depends on the neighbouring relation.
  //
  //     renyi::rdp(*renyi::Mechanism(renyi::Laplace{.scale = 2}).curve(), 4).upper();
  [[nodiscard]] std::shared_ptr<const Curve> curve() const;

  // Returns the content of the mechanism if it has the type M: for a struct of renyi/mechanisms.h a copy in a
  // std::optional, for Parallel, Select or CustomMechanism a pointer into this mechanism. Returns std::nullopt or
  // nullptr if the mechanism has another type or is sampled.
  template <class M>
  [[nodiscard]] auto get_if() const {
    if constexpr (MechanismStruct<M>) {
      return copy_if<M>();
    } else {
      return static_cast<const M*>(held(typeid(M)));
    }
  }

  // Returns whether both mechanisms hold values of the same type.
  [[nodiscard]] bool is_same_type(const Mechanism& other) const;

  // Returns all numbers that distinguish the mechanism from others of its kind, including those of its sampling.
  [[nodiscard]] std::vector<double> key() const;

  bool operator==(const Mechanism& other) const;

 private:
  friend struct mechanism::Concept;

  Mechanism(std::string_view kind, std::span<const double> numbers, const std::vector<Rows>& tables);
  explicit Mechanism(std::shared_ptr<const mechanism::Concept> self, std::optional<Sampling> sampling = {})
      : self_(std::move(self)), sampling_(sampling) {}
  void check() const;

  // Returns whether this is the built-in mechanism of that kind and is not sampled, and copies its numbers if so.
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

// One mechanism and how often it runs in total.
struct CountedMechanism {
  Mechanism mechanism;
  std::int64_t count = 1;
};

// Returns every mechanism that a plan file can name, each with its default parameters.
//
//     for (const renyi::Mechanism& mechanism : renyi::all_mechanisms()) std::cout << mechanism.kind() << "\n";
[[nodiscard]] std::span<const Mechanism> all_mechanisms();
// Returns the mechanism of this kind with its default parameters, or nullptr if there is none. Former names of kinds
// are accepted.
[[nodiscard]] const Mechanism* find_mechanism(std::string_view kind);

// Makes the mechanism of this kind with the given parameters; the others have their defaults. It is meant for kinds
// that are known only at run time. Throws InvalidArgument that names the kind if it is unknown, or the parameter that
// is unknown, out of range or missing.
//
//     const renyi::Mechanism noise = renyi::make_mechanism("laplace", {{"scale", 20}});
[[nodiscard]] Mechanism make_mechanism(std::string_view kind, std::span<const NamedNumber> numbers,
                                       std::span<const NamedRows> tables = {});
[[nodiscard]] inline Mechanism make_mechanism(std::string_view kind, std::initializer_list<NamedNumber> numbers = {},
                                              std::initializer_list<NamedRows> tables = {}) {
  return make_mechanism(kind, std::span(numbers.begin(), numbers.size()), std::span(tables.begin(), tables.size()));
}

}  // namespace renyi
