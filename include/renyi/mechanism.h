// What was run, as plain values. Each mechanism is a small struct with public
// fields; `Mechanism` holds any of them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

#include "renyi/curve.h"

namespace renyi {

// What "neighbouring datasets" means.
enum class Neighbors { add_or_remove_one, replace_one, zero_out };

// "add-or-remove-one", "replace-one", "zero-out".
std::string_view to_string(Neighbors neighbors) noexcept;

// What a larger value of a parameter does to the privacy cost.
enum class Effect { raises_cost, lowers_cost, not_monotone };

// One parameter of a mechanism: its name in plans, its range, its default.
struct Parameter {
  std::string_view name;
  std::string_view meaning;
  double lowest = 0;
  double highest = 0;
  bool lowest_allowed = true;   // is `lowest` itself allowed?
  bool highest_allowed = true;  // is `highest` itself allowed?
  bool zero_allowed = false;    // is 0 allowed although below `lowest`?
  bool whole = false;           // integers only
  std::optional<double> fallback{};
  Effect effect = Effect::not_monotone;

  bool allows(double value) const noexcept;
  std::string allowed() const;  // in words, for error messages and help
};

// Another spelling in plans: `name` sets `parameter` and excludes `excluded`.
struct Alias {
  std::string_view name;
  std::string_view parameter;
  std::string_view excluded;
};

// What every mechanism type offers. `fields` lists the members in the order of
// `parameters`.
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
  // Throws Unsupported for relations whose analysis is not in this version.
  static void check_neighbors(Neighbors neighbors);
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
  // Of a mechanism of one's own (renyi/own.h), which equals nothing but its copies; else nullptr.
  const void* identity() const { return self_->identity(); }
  // The same mechanism with one parameter changed (checked).
  Mechanism with(std::string_view parameter, double value) const;
  // Throws Unsupported when the mechanism is not analysed under this relation.
  void check_neighbors(Neighbors neighbors) const { self_->check_neighbors(neighbors); }
  std::shared_ptr<const Curve> curve() const { return self_->curve(); }

  template <MechanismType M>
  const M* get_if() const noexcept {
    const auto* model = dynamic_cast<const Model<M>*>(self_.get());
    return model ? &model->m : nullptr;
  }

  bool operator==(const Mechanism& other) const;

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual std::string_view kind() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::span<const Parameter> parameters() const = 0;
    virtual std::span<const Alias> aliases() const = 0;
    virtual std::vector<double> values() const = 0;
    virtual const void* identity() const = 0;
    virtual std::shared_ptr<const Concept> with(std::span<const double> values) const = 0;
    virtual void check_neighbors(Neighbors neighbors) const = 0;
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
    std::shared_ptr<const Concept> with(std::span<const double> values) const override {
      M changed = m;
      std::size_t i = 0;
      std::apply([&](auto... field) { ((changed.*field = values[i++]), ...); }, M::fields);
      return std::make_shared<const Model>(std::move(changed));
    }
    void check_neighbors(Neighbors neighbors) const override {
      if constexpr (requires { M::check_neighbors(neighbors); }) M::check_neighbors(neighbors);
    }
    std::shared_ptr<const Curve> curve() const override { return m.curve(); }
    M m;
  };

  explicit Mechanism(std::shared_ptr<const Concept> self) : self_(std::move(self)) {}
  void check() const;

  std::shared_ptr<const Concept> self_;
};

// Every mechanism a plan can name, each with its default parameters.
std::span<const Mechanism> all_mechanisms();
// The one of that kind, or nullptr.
const Mechanism* find_mechanism(std::string_view kind);

}  // namespace renyi
