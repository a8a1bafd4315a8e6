#include "releases.h"

#include <unistd.h>

#include "renyi/ledger.h"
#include "support/worker_calls.h"
#include "support/worker_releases.h"

namespace renyi::test {

void release_outputs(const std::string& location, const std::string& path, std::uint64_t seed, int count,
                     const std::string& directory) {
  Ledger ledger(location, {.patience = std::chrono::minutes(5)});
  const ReleaseJournal known = ReleaseJournal::read(path);
  const JournalWriter journal(path);
  // As the command does it. Each process has other values, which no retry may bring into what is released.
  const auto publish = [&](const std::string& key) {
    const release::Request request{.terms = release_terms(), .values = {std::vector<std::int64_t>{getpid()}}};
    const release::Charge charge = release_charge(key);
    const std::string output = fmt::format("{}/{}.json", directory, key);
    const release::Outcome outcome = run(request, ledger, charge);
    if (outcome.is_published) {
      release::check_output(output, outcome.document, false);
      release::write_output(output, outcome.document);
      journal.add(fmt::format("published {} {}\n", key, digest_of(outcome.document)));
    } else {
      journal.add(fmt::format("refused {}\n", key));
    }
  };
  for (const std::string& key : known.open_keys()) publish(key);
  for (int i = 0; i < count; ++i) {
    const std::string key = release_key(seed, known.asked.size() + static_cast<std::size_t>(i));
    journal.add(fmt::format("asked {}\n", key));
    publish(key);
  }
}

}  // namespace renyi::test
