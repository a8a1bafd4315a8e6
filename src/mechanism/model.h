// The type-erased value inside a Mechanism: any type that states a kind, its parameters and a curve. Each mechanism's
// source file defines such a type; `made` turns a value of it into a Mechanism.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi::mechanism {

// The members that every mechanism type must have. `fields` lists the members in the order of `parameters`. A type may
// also have the following members, which are detected by name:
//   static Notes notes()                                the notes that the catalogue shows
//   static std::span<const Alias> aliases()             other names of parameters
//   static std::span<const TableParameter> tables()     parameters that are tables
//   static constexpr auto table_fields                  the members that hold these tables, of type Rows
//   void check() const                                  throws if the values do not go together
//   Mechanism equivalent() const                        another mechanism that costs the same and is analysed instead
//   std::vector<CountedMechanism> steps_of_run() const  the steps that a run of several consists of; they are analysed
//                                                       instead
//   Mechanism as_sampled_mechanism() const              the same mechanism with a Sampling; it is analysed instead
//                                                       under replace-one, or for a unit of privacy above 1
//   std::optional<M> for_group(double size) const       the same step if the unit of privacy is `size` records,
//                                                       rounded pessimistically; std::nullopt if only the general
//                                                       bound is known
//   static constexpr bool is_additive_noise             if sampled, its parameters are for adding or removing one
//                                                       record
//   static constexpr bool states_add_or_remove          its parameters are always for adding or removing one
//                                                       record, so that a replaced record counts as two
//   static constexpr std::string_view sampling_obstacle the reason why it cannot run on a sample of the records
//   static constexpr std::string_view replacement_only  the reason why its cost is known under replace-one only
//   std::string_view name() const                       its summary, if every value has its own
//   const void* identity() const                        distinguishes it from others that are equal in all numbers
//   const T& held() const                               the public value that get_if<T>() returns
template <class M>
concept MechanismType = requires(const M& m) {
  { M::kind } -> std::convertible_to<std::string_view>;
  { M::summary } -> std::convertible_to<std::string_view>;
  { M::parameters() } -> std::convertible_to<std::span<const Parameter>>;
  M::fields;
  { m.curve() } -> std::same_as<std::shared_ptr<const Curve>>;
  { m == m } -> std::same_as<bool>;
};

struct Concept {
  virtual ~Concept() = default;
  virtual std::string_view kind() const = 0;
  virtual std::string_view summary() const = 0;
  virtual std::span<const Parameter> parameters() const = 0;
  virtual std::span<const Alias> aliases() const = 0;
  virtual std::vector<double> values() const = 0;
  virtual void read(std::span<double> values) const = 0;
  virtual std::span<const TableParameter> tables() const = 0;
  virtual std::vector<Rows> rows() const = 0;
  virtual Notes notes() const = 0;
  virtual const void* identity() const = 0;
  virtual const std::type_info& type() const = 0;
  virtual const void* held(const std::type_info& type) const noexcept = 0;
  virtual bool equals(const Concept& other) const = 0;
  virtual void check() const = 0;
  virtual std::shared_ptr<const Concept> with(std::span<const double> values, const std::vector<Rows>& rows) const = 0;
  virtual std::optional<Mechanism> equivalent() const = 0;
  virtual std::vector<CountedMechanism> steps_of_run() const = 0;
  virtual std::optional<Mechanism> as_sampled_mechanism() const = 0;
  virtual std::shared_ptr<const Concept> for_group(double size) const = 0;
  virtual bool is_additive_noise() const = 0;
  virtual bool states_add_or_remove() const = 0;
  virtual std::string_view sampling_obstacle() const = 0;
  virtual std::string_view replacement_only() const = 0;
  virtual std::shared_ptr<const Curve> curve() const = 0;

  // Checks the value and returns the mechanism that holds it.
  static Mechanism checked(std::shared_ptr<const Concept> self);
};

template <class M>
struct Model final : Concept {
  explicit Model(M mechanism) : m(std::move(mechanism)) {}
  std::string_view kind() const override { return M::kind; }
  std::string_view summary() const override {
    if constexpr (requires { m.name(); }) return m.name();
    return M::summary;
  }
  std::span<const Parameter> parameters() const override { return M::parameters(); }
  std::span<const Alias> aliases() const override {
    if constexpr (requires { M::aliases(); }) return M::aliases();
    return {};
  }
  std::vector<double> values() const override {
    return std::apply([this](auto... field) { return std::vector<double>{m.*field...}; }, M::fields);
  }
  void read([[maybe_unused]] std::span<double> values) const override {
    [[maybe_unused]] std::size_t i = 0;
    std::apply([&](auto... field) { ((values[i++] = m.*field), ...); }, M::fields);
  }
  const void* identity() const override {
    if constexpr (requires { m.identity(); }) return m.identity();
    return nullptr;
  }
  std::span<const TableParameter> tables() const override {
    if constexpr (requires { M::tables(); }) return M::tables();
    return {};
  }
  std::vector<Rows> rows() const override {
    if constexpr (requires { M::table_fields; }) {
      return std::apply([this](auto... field) { return std::vector<Rows>{m.*field...}; }, M::table_fields);
    }
    return {};
  }
  Notes notes() const override {
    if constexpr (requires { M::notes(); }) return M::notes();
    return {};
  }
  const std::type_info& type() const override { return typeid(M); }
  const void* held([[maybe_unused]] const std::type_info& asked) const noexcept override {
    if constexpr (requires { m.held(); }) {
      if (asked == typeid(std::remove_cvref_t<decltype(m.held())>)) return &m.held();
    }
    return nullptr;
  }
  bool equals(const Concept& other) const override {
    const auto* same = dynamic_cast<const Model*>(&other);
    return same != nullptr && same->m == m;
  }
  void check() const override {
    if constexpr (requires { m.check(); }) m.check();
  }
  std::shared_ptr<const Concept> with(std::span<const double> values, const std::vector<Rows>& rows) const override {
    M changed = m;
    std::size_t i = 0, k = 0;
    std::apply([&](auto... field) { ((changed.*field = values[i++]), ...); }, M::fields);
    if constexpr (requires { M::table_fields; }) {
      std::apply([&](auto... field) { ((changed.*field = rows[k++]), ...); }, M::table_fields);
    }
    return std::make_shared<const Model>(std::move(changed));
  }
  std::optional<Mechanism> equivalent() const override {
    if constexpr (requires { m.equivalent(); }) return m.equivalent();
    return std::nullopt;
  }
  std::vector<CountedMechanism> steps_of_run() const override {
    if constexpr (requires { m.steps_of_run(); }) return m.steps_of_run();
    return {};
  }
  std::optional<Mechanism> as_sampled_mechanism() const override {
    if constexpr (requires { m.as_sampled_mechanism(); }) return m.as_sampled_mechanism();
    return std::nullopt;
  }
  std::shared_ptr<const Concept> for_group(double size) const override {
    if constexpr (requires { m.for_group(size); }) {
      if (auto grown = m.for_group(size)) return std::make_shared<const Model>(*std::move(grown));
    }
    return nullptr;
  }
  bool is_additive_noise() const override {
    if constexpr (requires { M::is_additive_noise; }) return M::is_additive_noise;
    return false;
  }
  bool states_add_or_remove() const override {
    if constexpr (requires { M::states_add_or_remove; }) return M::states_add_or_remove;
    return false;
  }
  std::string_view sampling_obstacle() const override {
    if constexpr (requires { M::sampling_obstacle; }) return M::sampling_obstacle;
    return {};
  }
  std::string_view replacement_only() const override {
    if constexpr (requires { M::replacement_only; }) return M::replacement_only;
    return {};
  }
  std::shared_ptr<const Curve> curve() const override { return m.curve(); }
  M m;
};

// Makes a mechanism of the value. Throws InvalidArgument that names the parameter where one is out of range.
template <MechanismType M>
Mechanism made(M m) {
  return Concept::checked(std::make_shared<const Model<M>>(std::move(m)));
}

}  // namespace renyi::mechanism
