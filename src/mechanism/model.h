// What a Mechanism holds: any type that states a kind, its parameters and a curve, by type erasure. Each mechanism's
// source has such a type of its own; `made` makes it a Mechanism.
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

// What every mechanism type offers. `fields` lists the members in the order of
// `parameters`. It may also offer (each is looked for by its name):
//   static Notes notes()                              what a reader of the catalogue wants to know
//   static std::span<const Alias> aliases()           other spellings of parameters
//   static std::span<const TableParameter> tables()   parameters that are tables, and
//   static constexpr auto table_fields                their members, of type Rows
//   void check() const                                throws where values do not go together
//   Mechanism equivalent() const                      another one that costs the same, and is analysed in its place
//   Mechanism as_sampled_mechanism() const                     another one on a sample, as which it is analysed where
//   records
//                                                     are replaced, or persons have several
//   std::optional<M> for_group(double size) const     the same step as seen by persons with so many records, rounded
//                                                     against the user; nothing where only the general bound is known
//   static constexpr bool is_additive_noise                    sampled, its parameters are those of one record's
//   presence static constexpr bool states_add_or_remove                they always are: where a record is replaced, it
//   counts as two static constexpr std::string_view sampling_obstacle   why it cannot run on a sample of the records
//   std::string_view name() const                     its summary, where each value has its own
//   const void* identity() const                      what tells it from others that are equal in all numbers
//   const T& held() const                             the public value that get_if<T>() finds
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
  virtual std::optional<Mechanism> as_sampled_mechanism() const = 0;
  virtual std::shared_ptr<const Concept> for_group(double size) const = 0;
  virtual bool is_additive_noise() const = 0;
  virtual bool states_add_or_remove() const = 0;
  virtual std::string_view sampling_obstacle() const = 0;
  virtual std::shared_ptr<const Curve> curve() const = 0;

  // The mechanism that holds it, checked.
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
  std::shared_ptr<const Curve> curve() const override { return m.curve(); }
  M m;
};

// The mechanism of that value. Throws InvalidArgument that names the parameter where one is out of range.
template <MechanismType M>
Mechanism made(M m) {
  return Concept::checked(std::make_shared<const Model<M>>(std::move(m)));
}

}  // namespace renyi::mechanism
