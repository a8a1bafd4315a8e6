#include "certificate/recompute.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <variant>

#include "certificate/prove.h"
#include "renyi/error.h"

namespace renyi::certificate {
namespace {

std::string shown(const Enclosure& enclosure) {
  constexpr int enough_digits = 25;
  return fmt::format("[{}, {}]", decimal_below(enclosure.lower, enough_digits),
                     decimal_above(enclosure.upper, enough_digits));
}

// One entry after the other.
class Recomputation {
 public:
  Recomputation(const Certificate& certificate, bool is_ours)
      : certificate_(certificate), is_ours_(is_ours), routes_(certificate.plan) {}

  Recomputed run() {
    for (std::size_t i = 0; i < certificate_.claims.size(); ++i) {
      check(certificate_.claims[i], fmt::format("claims[{}]", i));
    }
    for (std::size_t i = 0; i < certificate_.gaps.size(); ++i) {
      check(certificate_.gaps[i], fmt::format("not_certified[{}]", i));
    }
    return std::move(result_);
  }

 private:
  void check(const Claim& claim, const std::string& path) {
    try {
      const Found found = routes_.prove(claim.statement);
      compare(claim, found, path);
      result_.claims.push_back({claim.statement, {found.second, found.first.method, found.first.precision}});
    } catch (const Error& error) {
      add(path, claim.statement, fmt::format("cannot be recomputed: {}", error.what()));
    }
  }

  void compare(const Claim& claim, const Found& found, const std::string& path) {
    const Certified& claimed = claim.proven;
    if (!contains(claimed.value, found.second)) {
      add(path, claim.statement,
          fmt::format("the recomputed enclosure {} is not inside the claimed {}", shown(found.second),
                      shown(claimed.value)));
    } else if (!is_sharp(claimed.value, found)) {
      add(path, claim.statement,
          fmt::format("says less than can be proven: claimed {}, proven {}", shown(claimed.value),
                      shown(hull(found.first.value, found.second))));
    }
    if (!is_ours_) return;
    if (claimed.method != found.first.method) {
      add(path + ".method", claim.statement, fmt::format("proven by another one, {}", found.first.method));
    }
    if (claimed.precision != found.first.precision) {
      add(path + ".precision", claim.statement, fmt::format("proven with {} bits", found.first.precision));
    }
  }

  // A claim may be left out only where there is none to make.
  void check(const Gap& gap, const std::string& path) {
    try {
      const auto entry = claim_or_gap(gap.statement, routes_);
      const Gap* found = std::get_if<Gap>(&entry);
      if (found == nullptr) {
        add(path, gap.statement, "can be certified, so it may not be left out");
      } else if (is_ours_ && found->why != gap.why) {
        add(path + ".unavailable", gap.statement, fmt::format("for another reason: {}", found->why));
      }
    } catch (const InvalidArgument& error) {
      add(path, gap.statement, error.what());
    }
  }

  void add(std::string_view path, const Statement& statement, std::string_view fault) {
    result_.faults.push_back(fmt::format("{}: {}: {}", path, describe(statement), fault));
  }

  const Certificate& certificate_;
  bool is_ours_;
  BothRoutes routes_;
  Recomputed result_{};
};

}  // namespace

Recomputed recomputed(const Certificate& certificate, bool is_ours) {
  return Recomputation(certificate, is_ours).run();
}

}  // namespace renyi::certificate
