// Every field of genuine certificates, changed in every way that comes to mind and sealed again: none is valid.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "renyi/error.h"
#include "support/forgery.h"

namespace renyi::every_field_test {
namespace {

using json::Json;
using Path = Json::json_pointer;

// Returns the names into which a name can be changed: the others of its kind.
const std::vector<std::vector<std::string>>& names() {
  static const std::vector<std::vector<std::string>> all{
      {"remove", "add"},
      {"tight", "classical", "pure", "total-variation"},
      {"closed-form", "contour", "lattice", "bounds"},
      {"rdp", "renyi-epsilon", "renyi-delta", "epsilon", "delta"},
      {"add-or-remove-one", "replace-one", "zero-out"},
      {"closed form", "trapezoidal rule", "contour integral", "lattice", "Chernoff bound", "stated bound"}};
  return all;
}

std::vector<Json> other_numbers(const Json& value) {
  if (value.is_number_integer()) {
    const auto whole = value.get<std::int64_t>();
    return {whole + 1, whole - 1, whole * 3 / 2, whole / 2, 0, "inf", static_cast<double>(whole) * 1.5};
  }
  const double number = value.get<double>();
  return {number * 1.5, number * 0.5, number * (1 + 1e-6), number * (1 - 1e-6), -number, 0, 1, "inf"};
}

std::vector<Json> other_texts(const std::string& text) {
  std::vector<Json> others{text + "x", "x" + text, "", 0, 1.5, nullptr};
  if (text != "inf") others.emplace_back("inf");
  for (const auto& kind : names()) {
    if (std::find(kind.begin(), kind.end(), text) == kind.end()) continue;
    others.insert(others.end(), kind.begin(), kind.end());
  }
  return others;
}

std::vector<Json> other_values(const Json& leaf) {
  if (leaf.is_number()) return other_numbers(leaf);
  if (leaf.is_string()) return other_texts(leaf.get<std::string>());
  return {};
}

// An end of a claim moved as a whole: its decimal is the one that belongs to it.
std::vector<Json> other_ends(const Json& end, bool upper) {
  const Dyadic number = test::dyadic_in(end);
  std::vector<Dyadic> others{{"0", 0}, {"inf", 0}, {"1", 0}};
  if (number.mantissa != "0" && number.mantissa != "inf") {
    for (const int by : {-1, 1}) others.push_back({number.mantissa, number.exponent + by});
    const Enclosure wide = widened({number, number}, 0, 1e-6);
    others.push_back(wide.lower);
    others.push_back(wide.upper);
  }
  std::vector<Json> ends;
  for (const Dyadic& other : others) ends.push_back(test::end(other, upper));
  return ends;
}

class Forger {
 public:
  explicit Forger(const std::string& certificate) : text_(certificate), document_(json::parse(certificate)) {}

  void change_everything() { walk(Path()); }

  int tried() const { return tried_; }
  const std::vector<std::string>& passed() const { return passed_; }

 private:
  void walk(const Path& path) {
    const Json value = document_.at(path);
    if (!value.is_structured()) {
      for (const Json& other : other_values(value)) replace(path, other);
      return;
    }
    if (value.contains("dyadic")) {
      for (const Json& end : other_ends(value, path.back() == "upper")) replace(path, end);
    }
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        walk(path / i);
        Json fewer = value, more = value;
        fewer.erase(i);
        more.push_back(value.at(i));
        replace(path, fewer);
        replace(path, more);
      }
    } else {
      for (const auto& [key, member] : value.items()) {
        walk(path / key);
        Json fewer = value, more = value;
        fewer.erase(key);
        more[key + "s"] = member;
        replace(path, fewer);
        replace(path, more);
      }
    }
  }

  // Another plan comes with its hash.
  void replace(const Path& path, const Json& value) {
    const std::string text = test::forged(text_, [&](Json& d) {
      d.at(path) = value;
      if (path.to_string().starts_with("/plan/")) d["plan_sha256"] = digest::sha256(json::write(d["plan"]));
    });
    if (json::parse(text) == document_) return;
    ++tried_;
    try {
      if (!verify_certificate(text).valid || is_genuine(text)) return;
      passed_.push_back(fmt::format("{} = {}", path.to_string(), value.dump()));
    } catch (const Error&) {
      // no certificate any more
    }
  }

  // Another plan may have the same figures: infinite ones, for example.
  static bool is_genuine(const std::string& text) {
    const certificate::Certificate read = certificate::read(json::parse(text));
    return make_certificate(read.plan, read.question) == text + '\n';
  }

  std::string text_;
  Json document_;
  int tried_ = 0;
  std::vector<std::string> passed_;
};

struct Genuine {
  const char* name;
  Plan plan;
  CertificateQuestion question;
};

std::vector<Genuine> genuine() {
  return {{"Contour", Plan().add(Laplace{.scale = 1}, 5000), {.delta = 1e-5}},
          {"ClosedForm", Plan().add(Gaussian{.stddev = 4}, 3), {.delta = 1e-5}},
          {"Gaps", Plan().add(Zcdp{.rho = 0.1}), {.delta = 1e-5}},
          {"Chernoff", Plan().add(Laplace{.scale = 0.0002}, 100'000), {.delta = 1e-5}},
          {"SaysNothing", Plan().add(Laplace{.scale = 0.0002}, 100'000), {.epsilon = 1}},
          {"Infinite", Plan().add(Gaussian{.stddev = 2}), {.delta = 0}},
          {"AnEpsilonAndAnOrder",
           Plan().add(Laplace{.scale = 5}, 3).add(Gaussian{.stddev = 6}),
           {.epsilon = 0.5, .order = 4}}};
}

class EveryField : public testing::TestWithParam<Genuine> {};

TEST_P(EveryField, ChangedAndSealedAgainIsRefused) {
  const std::string text = make_certificate(GetParam().plan, GetParam().question);
  ASSERT_TRUE(verify_certificate(text).valid) << text;
  Forger forger(text);
  forger.change_everything();
  EXPECT_GT(forger.tried(), 200);
  for (const std::string& change : forger.passed()) ADD_FAILURE() << "valid with " << change;
  std::cout << fmt::format("{} changes tried, {} accepted\n", forger.tried(), forger.passed().size());
}

std::string name_of(const testing::TestParamInfo<Genuine>& test) { return test.param.name; }
INSTANTIATE_TEST_SUITE_P(Genuine, EveryField, testing::ValuesIn(genuine()), name_of);

}  // namespace
}  // namespace renyi::every_field_test
