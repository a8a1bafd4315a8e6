// Report noisy max: noise is added to every score, and the index of the largest is published (docs/math/selection.md).
#include <array>

#include "mechanism/model.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/table.h"
#include "numerics/decimal_arithmetic.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace report_noisy_max_file {
namespace {

constexpr Reference dwork_roth2014{"dworkroth2014",
                                   "Dwork, Roth 2014, The algorithmic foundations of differential privacy, Claim 3.9",
                                   R"(@article{dworkroth2014,
  author = {Dwork, Cynthia and Roth, Aaron},
  title = {The Algorithmic Foundations of Differential Privacy},
  journal = {Foundations and Trends in Theoretical Computer Science},
  volume = {9},
  number = {3--4},
  pages = {211--407},
  year = {2014}
})"};

constexpr Reference ding2021{
    "ding2021",
    "Ding, Kifer, Sayed Saghaian, Steinke, Wang, Xiao, Zhang 2021, The permute-and-flip mechanism is identical to "
    "report-noisy-max with exponential noise (arXiv:2105.07260)",
    R"(@misc{ding2021,
  author = {Ding, Zeyu and Kifer, Daniel and Sayed Saghaian N. E. and Steinke, Thomas and Wang, Yuxin and Xiao, Yingtai and Zhang, Danfeng},
  title = {The Permute-and-Flip Mechanism is Identical to Report-Noisy-Max with Exponential Noise},
  year = {2021},
  eprint = {2105.07260}
})"};

struct ReportNoisyMax {
  double score_scale = 1;
  double sensitivity = 1;
  double monotonic = 0;

  static constexpr std::string_view kind = "report-noisy-max";
  static constexpr std::string_view summary = "the place of the largest of several scores with Laplace noise";
  static std::span<const Parameter> parameters() {
    static constexpr std::array<Parameter, 3> table{{
        {.name = "score_scale",
         .meaning = "scale of the Laplace noise on each score",
         .lowest = 1e-20,
         .highest = 1e20,
         .effect = Effect::lowers_cost},
        {.name = "sensitivity",
         .meaning = "how far one record moves any score",
         .lowest = 1e-20,
         .highest = 1e20,
         .fallback = 1.0,
         .effect = Effect::raises_cost},
        {.name = "monotonic",
         .meaning = "1 where one record moves all scores the same way, or not at all",
         .lowest = 0,
         .highest = 1,
         .whole = true,
         .fallback = 0.0,
         .effect = Effect::lowers_cost},
    }};
    return table;
  }
  static constexpr auto fields =
      std::tuple{&ReportNoisyMax::score_scale, &ReportNoisyMax::sensitivity, &ReportNoisyMax::monotonic};

  // epsilon = 2 sensitivity/score_scale, or half of it for monotonic scores.
  Mechanism equivalent() const {
    const numerics::CountedQuotient loss{{sensitivity, score_scale}, monotonic == 1 ? 1 : 2};
    return mechanism::pure_step(
        numerics::decimal_sum({&loss, 1})
            .value_or(numerics::quotient_up(monotonic == 1 ? sensitivity : 2 * sensitivity, score_scale)));
  }
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }

  static Notes notes() {
    return {.relation = "the one the sensitivity is stated for",
            .exact = "its pure epsilon, which is approached with many scores",
            .bound = "everything else: as for any step of that epsilon",
            .references = {dwork_roth2014, ding2021}};
  }

  bool operator==(const ReportNoisyMax&) const = default;
};

}  // namespace
}  // namespace report_noisy_max_file

Mechanism table::report_noisy_max() { return mechanism::made(report_noisy_max_file::ReportNoisyMax{}); }

}  // namespace renyi
