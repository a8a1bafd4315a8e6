// A program outside the project that keeps a budget in a file.
#include <renyi/ledger.h>
#include <renyi/mechanisms.h>

#include <cstdio>
#include <filesystem>

int main() {
  namespace files = std::filesystem;
  const files::path folder = "consumer_ledger";
  files::remove_all(folder);
  files::create_directory(folder);
  renyi::Ledger ledger = renyi::Ledger::create((folder / "clinic.ledger").string());
  ledger.add_scope("clinic", {.budget = renyi::Budget::zcdp(0.5)});
  const renyi::ChargeRequest request{.scope = "clinic", .steps = renyi::Plan().add(renyi::Gaussian{.stddev = 1})};
  const bool first = ledger.charge(request).accepted;
  const bool second = ledger.charge(request).accepted;
  const bool is_valid = ledger.verify().valid;
  std::printf("%d %d, %s\n", first ? 1 : 0, second ? 1 : 0, is_valid ? "valid" : "not valid");
  return first && !second && is_valid ? 0 : 1;
}
