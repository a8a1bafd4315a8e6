// Where the cost of a plan, seen as a function of its unknown, meets the target: the boundary, reported from the
// private side, in few evaluations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/plan_with_unknown.h"
#include "exact/privacy_profile.h"
#include "renyi/calibrate.h"
#include "renyi/error.h"

namespace renyi::calibrate_detail {

// What one evaluation says about a setting.
struct Probe {
  Setting setting;
  double x = 0;                      // its place on the line
  std::string unsupported_reason{};  // why the plan is not analysed there; then nothing below means anything
  bool is_private = false;
  double excess = 0;  // ln(cost / target), at most 0 on the private side
  double width = 0;   // an excess this little below 0 is the target, as far as intervals tell; 0: no doubt of it
  double lower = 0;   // of epsilon

  bool is_supported() const { return unsupported_reason.empty(); }
};

// Beyond this an excess only has a side.
inline constexpr double far = 100;

// An accountant seen as a function of the unknown.
class SettingCost {
 public:
  SettingCost(const PlanWithUnknown& plan, const Target& target) : plan_(plan), target_(target) {}
  SettingCost(const SettingCost&) = delete;
  SettingCost& operator=(const SettingCost&) = delete;
  virtual ~SettingCost() = default;

  // What is reported; an upper bound. Throws where there is none.
  virtual double epsilon(const Setting& setting) const = 0;
  // Never throws for want of an answer: what is not proved is not private.
  Probe probe(const Setting& setting, double x) const;

  Unsupported unreachable(const Setting& best) const;

  const PlanWithUnknown& plan() const { return plan_; }
  const Target& target() const { return target_; }

 protected:
  // Sides, excess, width and lower end.
  virtual void judge(Probe& probe) const = 0;
  // Throws where the plan is not analysed.
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
  mutable Setting prepared_{};  // one thread searches
  mutable std::shared_ptr<const Curve> curve_{};
};

class ExactCost final : public SettingCost {
 public:
  ExactCost(const PlanWithUnknown& plan, const Target& target, const ExactOptions& options)
      : SettingCost(plan, target), options_(options) {}

  double epsilon(const Setting& setting) const override { return answer(setting).worst.upper; }
  // Asked once for each setting: what proved the target is also what is reported.
  ExactAnswer answer(const Setting& setting) const;
  // Throws Unsupported where it has none.
  void require_figures(const Setting& setting) const { prepare(setting); }

 private:
  struct AnsweredSetting {
    Setting setting;
    ExactAnswer answer;
  };
  void judge(Probe& probe) const override;
  void prepare(const Setting& setting) const override;

  // By wider intervals than asked for, where they tell.
  std::optional<ExactInterval> decided(const Setting& setting) const;

  const ExactOptions& options_;
  mutable std::optional<Setting> prepared_{};  // and for it:
  mutable Composed composed_{};
  mutable std::optional<PrivacyProfile> accountant_{};
  mutable double last_excess_ = far;
  mutable std::vector<AnsweredSetting> answered_{};  // few
};

// Where a search begins, and how fast the excess changes there if that is known.
struct Start {
  Setting setting;
  std::optional<double> slope{};
};

struct SearchResult {
  Setting setting;
  double unspent = 0;    // of the target's epsilon, at most, for want of narrower intervals; 0: next to nothing
  std::string beyond{};  // why the next values are not analysed
};

// The boundary, within 1e-9 of ln(value); of whole numbers the last private one. Stops where the private end is as near
// to the target as its interval is wide: no finer answer has a meaning. Throws Unsupported if nothing is private.
SearchResult search(const SettingCost& cost, const SearchAxis& axis, const Start& start);

// A place where the excess is next to nothing, on either side, or the nearest there is.
Start approximate_start(const SettingCost& cost, const SearchAxis& axis);

}  // namespace renyi::calibrate_detail
