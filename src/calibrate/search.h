// Finds where the cost of a plan, as a function of its unknown, meets the target. The boundary is found in few
// evaluations, and the reported value lies on the private side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/plan_with_unknown.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

// The result of one evaluation of a setting.
struct Probe {
  Setting setting;
  double x = 0;                      // its coordinate on the axis
  std::string unsupported_reason{};  // why the plan is not supported there; then the members below have no meaning
  bool is_private = false;
  double excess = 0;  // ln(cost / target), at most 0 on the private side
  double width = 0;   // an excess this little below 0 counts as the target, as far as intervals decide; 0: exact
  double lower = 0;   // the lower bound on epsilon

  bool is_supported() const { return unsupported_reason.empty(); }
};

// Beyond this only the sign of an excess has a meaning.
inline constexpr double far = 100;

// The cost of the plan as a function of the unknown, by one kind of accounting.
class SettingCost {
 public:
  SettingCost(const PlanWithUnknown& plan, const Target& target) : plan_(plan), target_(target) {}
  SettingCost(const SettingCost&) = delete;
  SettingCost& operator=(const SettingCost&) = delete;
  virtual ~SettingCost() = default;

  // Returns the upper bound on epsilon that is reported. Throws if there is none.
  virtual double epsilon(const Setting& setting) const = 0;
  // Never throws if there is no answer: a setting that is not proved private counts as not private.
  Probe probe(const Setting& setting, double x) const;

  Unsupported unreachable(const Setting& best) const;

  const PlanWithUnknown& plan() const { return plan_; }
  const Target& target() const { return target_; }

 protected:
  // Sets the side, the excess, the width and the lower bound.
  virtual void judge(Probe& probe) const = 0;
  // Throws if the plan is not supported.
  virtual void prepare(const Setting& setting) const = 0;

 private:
  const PlanWithUnknown& plan_;
  const Target& target_;
};

class RenyiCost final : public SettingCost {
 public:
  RenyiCost(const PlanWithUnknown& plan, const Target& target, const ConversionOptions& options)
      : SettingCost(plan, target), options_(options) {}

  double epsilon(const Setting& setting) const override { return bound(setting).upper; }
  RenyiBound bound(const Setting& setting) const;

 private:
  void judge(Probe& probe) const override;
  void prepare(const Setting& setting) const override;

  const ConversionOptions& options_;
  mutable Setting prepared_{};  // a single thread searches
  mutable std::shared_ptr<const Curve> curve_{};
};

class ExactCost final : public SettingCost {
 public:
  ExactCost(const PlanWithUnknown& plan, const Target& target, const ExactOptions& options)
      : SettingCost(plan, target), options_(options) {}

  double epsilon(const Setting& setting) const override { return answer(setting).worst.upper; }
  // Computed once per setting: the answer that proved the target is also the one that is reported.
  ExactAnswer answer(const Setting& setting) const;
  // Throws Unsupported if there is no exact answer.
  void require_figures(const Setting& setting) const { prepare(setting); }

 private:
  struct AnsweredSetting {
    Setting setting;
    ExactAnswer answer;
  };
  void judge(Probe& probe) const override;
  void prepare(const Setting& setting) const override;

  // Decides the side by intervals wider than requested, if these are enough.
  std::optional<ExactInterval> decided(const Setting& setting) const;

  const ExactOptions& options_;
  mutable std::optional<Setting> prepared_{};  // the members below are for this setting
  mutable Composed composed_{};
  mutable std::optional<PrivacyProfile> accountant_{};
  mutable double last_excess_ = far;
  mutable std::vector<AnsweredSetting> answered_{};  // only a few
  mutable std::vector<AnsweredSetting> decided_{};   // by intervals that were too wide for an answer
};

// The setting at which a search begins, and the slope of the excess there if it is known.
struct Start {
  Setting setting;
  std::optional<double> slope{};
};

struct SearchResult {
  Setting setting;
  // An upper bound on the unused part of the target's epsilon, because intervals are not narrower; 0 if it is
  // negligible.
  double unspent = 0;
  std::string beyond{};  // why the next values are not supported
};

// Finds the boundary, within 1e-9 of ln(value), or the last private value for whole numbers. Stops where the private
// side is as close to the target as its interval is wide: no finer answer has a meaning. Throws Unsupported if nothing
// is private.
SearchResult search(const SettingCost& cost, const SearchAxis& axis, const Start& start);

// Returns a setting where the excess is negligible, on either side, or the nearest one.
Start approximate_start(const SettingCost& cost, const SearchAxis& axis);

}  // namespace renyi::calibrate_detail
