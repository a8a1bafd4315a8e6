// The shuffle model: every person applies a local randomizer to a value, and a shuffler publishes the messages without
// saying whose they are (docs/math/shuffle-model.md).
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "divergence/discrete.h"
#include "mechanism/clones/balance.h"
#include "mechanism/curve.h"
#include "mechanism/custom/discrete_curve.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace shuffle_model_file {
namespace {

using divergence_detail::Atom;
using numerics::Mass;

struct ShuffleModel {
  double epsilon_local = 1;
  double people = 1000;
  double categories = 0;

  static constexpr std::string_view kind = "shuffle-model";
  static constexpr std::string_view summary = "messages of local randomizers, published in random order";
  static constexpr std::string_view sampling_obstacle =
      "its people are all of those whose messages are shuffled, and their number is fixed";
  static constexpr std::string_view replacement_only =
      "the number of messages is published, so that the shuffle model hides what a person's value is and not whether "
      "there is one";
  static std::span<const Parameter> parameters();
  static constexpr auto fields =
      std::tuple{&ShuffleModel::epsilon_local, &ShuffleModel::people, &ShuffleModel::categories};
  static Notes notes();
  std::shared_ptr<const Curve> curve() const;
  bool operator==(const ShuffleModel&) const = default;
};

std::span<const Parameter> ShuffleModel::parameters() {
  static constexpr std::array<Parameter, 3> table{{
      {.name = "epsilon_local",
       .meaning = "pure epsilon of the local randomizer",
       .lowest = 1e-6,
       .highest = 100,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
      {.name = "people",
       .meaning = "number of people who follow the protocol; dropouts and colluders do not count",
       .lowest = 1,
       .highest = 1e12,
       .whole = true,
       .effect = Effect::lowers_cost},
      {.name = "categories",
       .meaning = "number of answers if the randomizer is randomized response; 0 for any other",
       .lowest = 2,
       .highest = 1e15,
       .zero_allowed = true,
       .whole = true,
       .fallback = 0.0},
  }};
  return table;
}

// The outcomes u of the balance: P and Q have 1 + tu and 1 - tu times its probability, t = tanh(epsilon_local/2), and
// the loss is ln((1 + tu)/(1 - tu)), at u = 1 epsilon_local itself.
class Outcomes {
 public:
  explicit Outcomes(double epsilon)
      : epsilon_(epsilon), t_(std::tanh(epsilon / 2)), rest_(2 / (std::exp(epsilon) + 1)) {}

  // Returns the outcome u, or, if not `positive`, the outcome -u, u > 0.
  Atom at(const mechanism::Balance& balance, bool positive) const {
    const double u = balance.u, less = (1 - u) + u * rest_, more = 1 + u * t_;
    const double loss = u == 1 ? epsilon_ : std::log1p(2 * t_ * u / less);
    const double error = u == 1 ? 0 : 16 * numerics::unit_roundoff * loss;
    const double factor = positive ? more : less;
    const Mass mass = Mass::of(std::exp(balance.log_mass) * factor, balance.log_mass + std::log(factor));
    return {mass, positive ? loss : -loss, error};
  }

 private:
  double epsilon_;
  double t_;
  double rest_;  // 1 - t
};

// Returns the probability with which another person's message is a clone: of randomized response, whose outputs do not
// overlap, 2/(e^epsilon + 1); of any randomizer e^-epsilon.
long double clone_probability(long double epsilon, bool is_response) {
  return is_response ? 2 / (std::exp(epsilon) + 1) : std::exp(-epsilon);
}

std::shared_ptr<const mechanism::DiscreteCurve> pair_of_clones(const ShuffleModel& model) {
  const bool is_response = model.categories != 0;
  const auto law = mechanism::balance_of_clones(model.people, clone_probability(model.epsilon_local, is_response));
  const Outcomes outcomes(model.epsilon_local);
  divergence_detail::Atoms remove, add;
  if (law.at_zero > 0) remove.shared.push_back({Mass::of(law.at_zero), 0, 0});
  add = remove;
  for (const mechanism::Balance& balance : law.above) {
    const Atom high = outcomes.at(balance, true), low = outcomes.at(balance, false);
    for (const auto& [mine, other] : {std::pair{high, low}, std::pair{low, high}}) {
      remove.shared.push_back(mine);
      add.shared.push_back(other);
    }
  }
  const divergence_detail::DiscreteModel laws(std::move(remove), std::move(add));
  return std::make_shared<mechanism::DiscreteCurve>(laws, Knowledge::profile);
}

// The curve of the pair of clones, whose outcomes are found when they are first needed.
class ClonesCurve final : public mechanism::AtomicCurve {
 public:
  explicit ClonesCurve(const ShuffleModel& model) : model_(model) {}

  Knowledge knowledge() const override { return Knowledge::profile; }
  bool is_symmetric() const override { return true; }
  const std::vector<mechanism::LossAtom>& atoms(Direction direction) const override { return pair().atoms(direction); }
  Bounded hockey_stick(double epsilon, Direction direction) const override {
    return pair().hockey_stick(epsilon, direction);
  }

 private:
  LogMoment real_at(double z, Direction direction) const override { return pair().log_moment(z, direction); }
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override {
    return pair().log_moment(z, direction);
  }
  // One message alone, whose loss is that of the randomizer, has some probability.
  Bounded max_loss_at(Direction) const override { return {model_.epsilon_local, 0}; }
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override {
    return pair().line(c, direction);
  }

  const mechanism::DiscreteCurve& pair() const {
    std::call_once(found_, [this] { pair_ = pair_of_clones(model_); });
    return *pair_;
  }

  ShuffleModel model_;
  mutable std::once_flag found_;
  mutable std::shared_ptr<const mechanism::DiscreteCurve> pair_;
};

std::shared_ptr<const Curve> ShuffleModel::curve() const {
  if (epsilon_local == 0) return std::make_shared<mechanism::ZeroCurve>();
  return std::make_shared<ClonesCurve>(*this);
}

constexpr Reference clones{
    "feldman2021",
    "Feldman, McMillan, Talwar 2021, Hiding among the clones (arXiv:2012.12803), for any local randomizer",
    R"(@inproceedings{feldman2021,
  author = {Feldman, Vitaly and McMillan, Audra and Talwar, Kunal},
  title = {Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling},
  booktitle = {IEEE 62nd Annual Symposium on Foundations of Computer Science (FOCS)},
  year = {2021},
  eprint = {2012.12803}
})"};

constexpr Reference stronger_clones{
    "feldman2023",
    "Feldman, McMillan, Talwar 2023, Stronger privacy amplification by shuffling (arXiv:2208.04591, with its errata), "
    "for randomized response",
    R"(@inproceedings{feldman2023,
  author = {Feldman, Vitaly and McMillan, Audra and Talwar, Kunal},
  title = {Stronger Privacy Amplification by Shuffling for {R\'enyi} and Approximate Differential Privacy},
  booktitle = {ACM-SIAM Symposium on Discrete Algorithms (SODA)},
  year = {2023},
  eprint = {2208.04591}
})"};

Notes ShuffleModel::notes() {
  return {.relation = "replace-one, the number of people being fixed and known; others are refused",
          .exact = "nothing: no dataset is known to attain the pair of clones",
          .bound = "by the pair of clones, which dominates the messages of every dataset",
          .references = {clones, stronger_clones}};
}

}  // namespace
}  // namespace shuffle_model_file

Mechanism table::shuffle_model() { return mechanism::made(shuffle_model_file::ShuffleModel{}); }

}  // namespace renyi
