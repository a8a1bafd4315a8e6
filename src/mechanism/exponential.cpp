// The exponential mechanism: its loss lies in an interval of length epsilon, whose position is not known (Durfee,
// Rogers 2019; docs/math/selection.md, "Bounded range").
#include <array>

#include "mechanism/bounded_range.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace exponential_file {
namespace {

constexpr Reference durfee_rogers2019{
    "durfeerogers2019",
    "Durfee, Rogers 2019, Practical differentially private top-k selection with pay-what-you-get composition "
    "(arXiv:1905.04273), bounded range",
    R"(@inproceedings{durfeerogers2019,
  author = {Durfee, David and Rogers, Ryan},
  title = {Practical Differentially Private Top-k Selection with Pay-what-you-get Composition},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2019},
  eprint = {1905.04273}
})"};

constexpr Reference dong_durfee_rogers2020{
    "dongdurfeerogers2020",
    "Dong, Durfee, Rogers 2020, Optimal differential privacy composition for exponential mechanisms (arXiv:1909.13830)",
    R"(@inproceedings{dongdurfeerogers2020,
  author = {Dong, Jinshuo and Durfee, David and Rogers, Ryan},
  title = {Optimal Differential Privacy Composition for Exponential Mechanisms},
  booktitle = {International Conference on Machine Learning (ICML)},
  year = {2020},
  eprint = {1909.13830}
})"};

constexpr Reference cesar_rogers2021{"cesarrogers2021",
                                     "Cesar, Rogers 2021, Bounding, concentrating, and truncating (arXiv:2004.07223): "
                                     "the curve lies below a epsilon^2/8",
                                     R"(@inproceedings{cesarrogers2021,
  author = {Cesar, Mark and Rogers, Ryan},
  title = {Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data Analytics},
  booktitle = {Algorithmic Learning Theory (ALT)},
  year = {2021},
  eprint = {2004.07223}
})"};

// Draws an answer of score u with weight exp(epsilon u / (2 sensitivity)).
struct Exponential {
  double epsilon = 1;

  static constexpr std::string_view kind = "exponential";
  static constexpr std::string_view summary = "the exponential mechanism";
  static std::span<const Parameter> parameters() {
    static constexpr std::array<Parameter, 1> table{{
        {.name = "epsilon",
         .meaning = "an answer of score u has the weight exp(epsilon u / (2 sensitivity))",
         .lowest = 1e-100,
         .highest = 1e50,
         .zero_allowed = true,
         .effect = Effect::raises_cost},
    }};
    return table;
  }
  static constexpr auto fields = std::tuple{&Exponential::epsilon};

  std::shared_ptr<const Curve> curve() const {
    if (epsilon == 0) return std::make_shared<mechanism::ZeroCurve>();
    return std::make_shared<mechanism::BoundedRangeCurve>(epsilon);
  }

  // Along a chain of neighbours losses add, and so do their ranges.
  std::optional<Exponential> for_group(double size) const { return Exponential{mechanism::grown(epsilon, size)}; }

  static Notes notes() {
    return {.relation =
                "the one the sensitivity of the scores is stated for. Scores that a record only ever raises, or only "
                "ever lowers, may have weights exp(epsilon u / sensitivity): epsilon means the same then",
            .exact = "Renyi divergences of each order, attained by two answers; (epsilon, delta) of one step likewise",
            .bound = "compositions: by the worst pair of each order, and by a pair that dominates every such step",
            .references = {durfee_rogers2019, dong_durfee_rogers2020, cesar_rogers2021}};
  }

  bool operator==(const Exponential&) const = default;
};

}  // namespace
}  // namespace exponential_file

Mechanism table::exponential() { return mechanism::made(exponential_file::Exponential{}); }

}  // namespace renyi
