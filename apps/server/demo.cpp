#include "apps/server/demo.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "renyi/error.h"
#include "renyi/mechanisms.h"
#include "renyi/plan.h"

namespace renyi::server {

namespace demo_file {
namespace {

Plan gaussian(double stddev) {
  Plan plan;
  plan.add(Gaussian{.stddev = stddev});
  return plan;
}

void charge(Ledger& ledger, const std::string& scope, double stddev, const std::string& person,
            const std::string& comment) {
  ledger.charge({.scope = scope, .steps = gaussian(stddev)}, {.person = person, .comment = comment});
}

}  // namespace
}  // namespace demo_file

DemoDirectory::DemoDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "renyi-demo-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw InvalidArgument("demo", name, "a directory for temporary files that can be written");
  path_ = name;
}

DemoDirectory::~DemoDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void fill_demo(Ledger& ledger) {
  using demo_file::charge;
  ledger.add_scope("clinic", {.budget = Budget::zcdp(0.5), .cap = Budget::zcdp(1)}, {.person = "admin"});
  ledger.add_scope("clinic/oncology", {.budget = Budget::zcdp(0.3)}, {.person = "admin"});
  ledger.add_scope("clinic/cardiology", {.budget = Budget::zcdp(0.2)}, {.person = "admin"});
  ledger.add_scope("census", {.budget = Budget::zcdp(0.1)}, {.person = "admin"});
  charge(ledger, "clinic/oncology", 4, "ana", "visits by month");
  charge(ledger, "clinic/oncology", 3, "ana", "ages");
  charge(ledger, "clinic/cardiology", 5, "bob", "visits by month");
  charge(ledger, "clinic/cardiology", 1, "bob", "a histogram that costs too much");
  charge(ledger, "clinic/oncology", 6, "ana", "a corrected count");
  charge(ledger, "census", 10, "cora", "households");
}

}  // namespace renyi::server
