// What was run, as plain values. Each mechanism is a small struct with public
// fields; `Mechanism` holds any of them.
#pragma once

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
#include "renyi/sampling.h"

namespace renyi {

// Another spelling in plans: `name` sets `parameter` and excludes `excluded`.
struct Alias {
  std::string_view name;
  std::string_view parameter;
  std::string_view excluded;
};

class Mechanism;
using NamedNumber = std::pair<std::string_view, double>;
using NamedRows = std::pair<std::string_view, Rows>;

// What every mechanism type offers. `fields` lists the members in the order of
// `parameters`. It may also offer (each is looked for by its name):
//   static Notes notes()                              what a reader of the catalogue wants to know
//   static std::span<const TableParameter> tables()   parameters that are tables, and
//   static constexpr auto table_fields                their members, of type Rows
//   void check() const                                throws where values do not go together
//   Mechanism equivalent() const                      another one that costs the same, and is analysed in its place
//   Mechanism on_a_sample() const                     another one on a sample, as which it is analysed where records
//                                                     are replaced, or persons have several
//   std::optional<M> for_group(double size) const     the same step as seen by persons with so many records, rounded
//                                                     against the user; nothing where only the general bound is known
//   static constexpr bool is_noise                    sampled, its parameters are those of one record's presence
//   static constexpr bool for_presence                they always are: where a record is replaced, it counts as two
//   static constexpr std::string_view never_sampled   why it cannot run on a sample of the records
template <class M>
concept MechanismType = requires(const M& m) {
  { M::kind } -> std::convertible_to<std::string_view>;
  { M::summary } -> std::convertible_to<std::string_view>;
  { M::parameters() } -> std::convertible_to<std::span<const Parameter>>;
  M::fields;
  { m.curve() } -> std::same_as<std::shared_ptr<const Curve>>;
  { m == m } -> std::same_as<bool>;
};

// Gaussian noise: the curve of a query with L2 sensitivity `l2_sensitivity` under
// noise of standard deviation `stddev`.
struct Gaussian {
  double stddev = 1;
  double l2_sensitivity = 1;

  static constexpr std::string_view kind = "gaussian";
  static constexpr std::string_view summary = "Gaussian noise on a query of bounded L2 sensitivity";
  static std::span<const Parameter> parameters();
  static std::span<const Alias> aliases();  // noise_multiplier
  static constexpr auto fields = std::tuple{&Gaussian::stddev, &Gaussian::l2_sensitivity};
  static Notes notes();
  static constexpr bool is_noise = true;
  std::optional<Gaussian> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Gaussian&) const = default;
};

// Laplace noise of scale `scale` on a query with L1 sensitivity `l1_sensitivity`.
struct Laplace {
  double scale = 1;
  double l1_sensitivity = 1;

  static constexpr std::string_view kind = "laplace";
  static constexpr std::string_view summary = "Laplace noise on a query of bounded L1 sensitivity";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Laplace::scale, &Laplace::l1_sensitivity};
  static Notes notes();
  static constexpr bool is_noise = true;
  std::optional<Laplace> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Laplace&) const = default;
};

// Says the truth with probability `truth_probability`, otherwise one of the other
// `categories` - 1 answers, each equally likely.
struct RandomizedResponse {
  double truth_probability = 0.75;
  double categories = 2;

  static constexpr std::string_view kind = "randomized-response";
  static constexpr std::string_view summary = "randomized response with two or more categories";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&RandomizedResponse::truth_probability, &RandomizedResponse::categories};
  static Notes notes();
  std::optional<RandomizedResponse> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const RandomizedResponse&) const = default;
};

// Any step known only to be epsilon-differentially private.
struct PureDp {
  double epsilon = 1;

  static constexpr std::string_view kind = "pure-dp";
  static constexpr std::string_view summary = "any epsilon-differentially private step";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&PureDp::epsilon};
  static Notes notes();
  std::optional<PureDp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const PureDp&) const = default;
};

// Gaussian noise on a Poisson sample: each record enters with probability
// `sampling_rate`; the noise has `noise_multiplier` times the L2 sensitivity.
struct SampledGaussian {
  double sampling_rate = 0.01;
  double noise_multiplier = 1;

  static constexpr std::string_view kind = "sampled-gaussian";
  static constexpr std::string_view summary = "Gaussian noise on a Poisson sample of the records (one step of DP-SGD)";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&SampledGaussian::sampling_rate, &SampledGaussian::noise_multiplier};
  static Notes notes();
  static constexpr std::string_view never_sampled = "it is sampled already";
  Mechanism on_a_sample() const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const SampledGaussian&) const = default;
};

// ---- Steps known by a guarantee in a relative of Renyi DP (docs/math/relatives.md)

// D_a <= xi + rho a at every order: (xi, rho)-zero-concentrated DP.
struct ZeroConcentrated {
  double rho = 0.1;
  double xi = 0;

  static constexpr std::string_view kind = "zcdp";
  static constexpr std::string_view summary = "any step of (xi, rho)-zero-concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&ZeroConcentrated::rho, &ZeroConcentrated::xi};
  static Notes notes();
  std::optional<ZeroConcentrated> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const ZeroConcentrated&) const = default;
};

// D_a <= rho a at orders up to omega: (rho, omega)-truncated concentrated DP.
struct TruncatedConcentrated {
  double rho = 0.1;
  double omega = 10;

  static constexpr std::string_view kind = "tcdp";
  static constexpr std::string_view summary = "any step of (rho, omega)-truncated concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&TruncatedConcentrated::rho, &TruncatedConcentrated::omega};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const TruncatedConcentrated&) const = default;
};

// A loss of mean at most mu, subgaussian with standard tau about its mean: (mu, tau)-concentrated DP.
struct Concentrated {
  double mu = 0.1;
  double tau = 0.5;

  static constexpr std::string_view kind = "cdp";
  static constexpr std::string_view summary = "any step of (mu, tau)-concentrated differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Concentrated::mu, &Concentrated::tau};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Concentrated&) const = default;
};

// As hard to test as N(0, 1) against N(mu, 1), or harder: mu-Gaussian DP.
struct GaussianDp {
  double mu = 0.5;

  static constexpr std::string_view kind = "gdp";
  static constexpr std::string_view summary = "any step of mu-Gaussian differential privacy";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&GaussianDp::mu};
  static Notes notes();
  std::optional<GaussianDp> for_group(double size) const;
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const GaussianDp&) const = default;
};

// One entry of a moments accountant: K(lambda) <= alpha.
struct Moments {
  double lambda = 8;
  double alpha = 1;

  static constexpr std::string_view kind = "moments";
  static constexpr std::string_view summary = "any step whose log-moment of one order is bounded";
  static std::span<const Parameter> parameters();
  static constexpr auto fields = std::tuple{&Moments::lambda, &Moments::alpha};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const Moments&) const = default;
};

// Any mechanism, as a value. Construction checks every parameter and throws
// InvalidArgument with the parameter's name.
class Mechanism {
 public:
  template <MechanismType M>
  Mechanism(M m)  // NOLINT(google-explicit-constructor): a mechanism is a Mechanism
      : self_(std::make_shared<const Model<M>>(std::move(m))) {
    check();
  }

  std::string_view kind() const { return self_->kind(); }
  std::string_view summary() const { return self_->summary(); }
  std::span<const Parameter> parameters() const { return self_->parameters(); }
  std::span<const Alias> aliases() const { return self_->aliases(); }
  std::vector<double> values() const { return self_->values(); }
  std::span<const TableParameter> tables() const { return self_->tables(); }
  std::vector<Rows> rows() const { return self_->rows(); }
  Notes notes() const { return self_->notes(); }
  // Of a mechanism of one's own (renyi/extras/own.h), which equals nothing but its copies; else nullptr.
  const void* identity() const { return self_->identity(); }
  // The same mechanism with one parameter changed (checked); "sampling.rate" is one of its sampling.
  Mechanism with(std::string_view parameter, double value) const;
  Mechanism with(std::string_view table, Rows rows) const;
  // All of these changed, and checked together.
  Mechanism with(std::span<const NamedNumber> numbers, std::span<const NamedRows> tables) const;

  // The same mechanism on a sample of the records. Throws InvalidArgument if it is sampled already.
  Mechanism sampled_by(const Sampling& sampling) const;
  // How the records are sampled, or nullptr. What a sampled step costs depends on the relation: see
  // `analysed` (renyi/plan.h).
  const Sampling* sampling() const noexcept { return sampling_ ? &*sampling_ : nullptr; }
  Mechanism unsampled() const { return Mechanism(self_); }

  // What its type offers beyond the curve, for the same mechanism without sampling; see MechanismType.
  std::optional<Mechanism> equivalent() const;
  std::optional<Mechanism> on_a_sample() const;
  std::optional<Mechanism> for_group(double size) const;
  // Where an equivalent, a group or a sample had to round a number, it was rounded against the user, and upper bounds
  // hold. Lower ends are those of this mechanism, in which the same numbers are rounded the other way; the mechanism
  // itself where nothing was rounded.
  const Mechanism& at_least() const { return at_least_ ? *at_least_ : *this; }
  bool is_rounded() const { return at_least_ != nullptr; }
  Mechanism rounded_up_from(const Mechanism& least) const;
  bool is_noise() const { return self_->is_noise(); }
  bool for_presence() const { return self_->for_presence(); }
  std::string_view never_sampled() const { return self_->never_sampled(); }  // empty: it can be

  // Throws Unsupported for a sampled mechanism, whose curve depends on the relation.
  std::shared_ptr<const Curve> curve() const;

  // The mechanism itself; nullptr for another one, and for a sampled one.
  template <MechanismType M>
  const M* get_if() const noexcept {
    const auto* model = sampling_ ? nullptr : dynamic_cast<const Model<M>*>(self_.get());
    return model ? &model->m : nullptr;
  }

  // Whether both hold values of one type: kinds of one's own types may be named as they like.
  bool is_same_type(const Mechanism& other) const { return self_->type() == other.self_->type(); }

  // All numbers that tell it from others of its kind.
  std::vector<double> key() const;

  bool operator==(const Mechanism& other) const;

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual std::string_view kind() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::span<const Parameter> parameters() const = 0;
    virtual std::span<const Alias> aliases() const = 0;
    virtual std::vector<double> values() const = 0;
    virtual std::span<const TableParameter> tables() const = 0;
    virtual std::vector<Rows> rows() const = 0;
    virtual Notes notes() const = 0;
    virtual const void* identity() const = 0;
    virtual const std::type_info& type() const = 0;
    virtual bool equals(const Concept& other) const = 0;
    virtual void check() const = 0;
    virtual std::shared_ptr<const Concept> with(std::span<const double> values,
                                                const std::vector<Rows>& rows) const = 0;
    virtual std::optional<Mechanism> equivalent() const = 0;
    virtual std::optional<Mechanism> on_a_sample() const = 0;
    virtual std::shared_ptr<const Concept> for_group(double size) const = 0;
    virtual bool is_noise() const = 0;
    virtual bool for_presence() const = 0;
    virtual std::string_view never_sampled() const = 0;
    virtual std::shared_ptr<const Curve> curve() const = 0;
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
    std::optional<Mechanism> equivalent() const override;
    std::optional<Mechanism> on_a_sample() const override;
    std::shared_ptr<const Concept> for_group(double size) const override {
      if constexpr (requires { m.for_group(size); }) {
        if (auto grown = m.for_group(size)) return std::make_shared<const Model>(*std::move(grown));
      }
      return nullptr;
    }
    bool is_noise() const override {
      if constexpr (requires { M::is_noise; }) return M::is_noise;
      return false;
    }
    bool for_presence() const override {
      if constexpr (requires { M::for_presence; }) return M::for_presence;
      return false;
    }
    std::string_view never_sampled() const override {
      if constexpr (requires { M::never_sampled; }) return M::never_sampled;
      return {};
    }
    std::shared_ptr<const Curve> curve() const override { return m.curve(); }
    M m;
  };

  explicit Mechanism(std::shared_ptr<const Concept> self, std::optional<Sampling> sampling = {})
      : self_(std::move(self)), sampling_(sampling) {}
  void check() const;

  std::shared_ptr<const Concept> self_;
  std::optional<Sampling> sampling_{};
  std::shared_ptr<const Mechanism> at_least_{};
};

template <class M>
std::optional<Mechanism> Mechanism::Model<M>::equivalent() const {
  if constexpr (requires { m.equivalent(); }) return m.equivalent();
  return std::nullopt;
}

template <class M>
std::optional<Mechanism> Mechanism::Model<M>::on_a_sample() const {
  if constexpr (requires { m.on_a_sample(); }) return m.on_a_sample();
  return std::nullopt;
}

// Every mechanism a plan can name, each with its default parameters.
std::span<const Mechanism> all_mechanisms();
// The one of that kind, also by a name it had in plans of old, or nullptr.
const Mechanism* find_mechanism(std::string_view kind);

// The one of that kind with these parameters and, where not given, their defaults. Throws InvalidArgument that names
// the kind, or the parameter that is unknown, out of range or missing.
Mechanism make_mechanism(std::string_view kind, std::span<const NamedNumber> numbers,
                         std::span<const NamedRows> tables = {});
inline Mechanism make_mechanism(std::string_view kind, std::initializer_list<NamedNumber> numbers = {},
                                std::initializer_list<NamedRows> tables = {}) {
  return make_mechanism(kind, std::span(numbers.begin(), numbers.size()), std::span(tables.begin(), tables.size()));
}

}  // namespace renyi
