// One log-moment K(lambda) <= alpha (Abadi et al. 2016, section 3.2; docs/math/privacy-notions.md, "Moments").
// K is convex with K(0) = 0, so K(z) <= z alpha/lambda up to lambda; nothing is known beyond.
#include <array>

#include "mechanism/model.h"
#include "mechanism/references.h"
#include "mechanism/shared_curves.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace moments_file {
namespace {

constexpr Reference moments_paper{
    "abadi2016", "Abadi et al. 2016, Deep learning with differential privacy (arXiv:1607.00133v2), Theorem 2",
    R"(@inproceedings{abadi2016,
  author = {Abadi, Mart{\'i}n and Chu, Andy and Goodfellow, Ian and McMahan, H. Brendan and Mironov, Ilya and Talwar, Kunal and Zhang, Li},
  title = {Deep Learning with Differential Privacy},
  booktitle = {ACM Conference on Computer and Communications Security (CCS)},
  pages = {308--318},
  year = {2016},
  eprint = {1607.00133}
})"};

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

std::span<const Parameter> Moments::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "lambda",
       .meaning = "order of the log-moment",
       .lowest = 1e-6,
       .highest = 1e50,
       .effect = Effect::lowers_cost},
      {.name = "alpha",
       .meaning = "bound on the log-moment",
       .lowest = 1e-100,
       .highest = 1e50,
       .zero_allowed = true,
       .effect = Effect::raises_cost},
  }};
  return table;
}

std::shared_ptr<const Curve> Moments::curve() const {
  // The last order is rounded down, so that it is not above lambda + 1.
  double last = lambda + 1;
  if (last - 1 > lambda) last = numerics::next_down(last);
  return std::make_shared<mechanism::LinearDivergenceCurve>(alpha / lambda, 0, last);
}

Notes Moments::notes() {
  return {.relation = "the one its guarantee is stated for",
          .exact = "nothing",
          .bound = "Renyi divergences up to the order lambda + 1, by convexity; no exact figures",
          .references = {moments_file::moments_paper}};
}

}  // namespace
}  // namespace moments_file

Mechanism table::moments() { return mechanism::made(moments_file::Moments{}); }

}  // namespace renyi
