// A PostgreSQL server for tests (tools/postgresql), which ends with this process, also if it is killed.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "ledger/store/libpq.h"
#include "ledger/store/postgres_location.h"

namespace renyi::test {

class PostgresServer {
 public:
  explicit PostgresServer(const std::vector<std::string>& settings = {}) {
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    if (pipe2(input.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    const std::string program = std::string(RENYI_SOURCE_DIR) + "/tools/postgresql";
    std::vector<const char*> arguments = {program.c_str(), "serve"};
    for (const std::string& setting : settings) arguments.push_back(setting.c_str());
    arguments.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      dup2(input[0], 0);
      dup2(output[1], 1);
      execv(program.c_str(), const_cast<char* const*>(arguments.data()));
      _exit(3);
    }
    close(input[0]);
    close(output[1]);
    input_ = input[1];
    output_ = output[0];
    read_answer();
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() {
    close(input_);
    close(output_);
    waitpid(process_, nullptr, 0);
  }

  // One for all tests of this process that do not stop it or change its settings.
  static PostgresServer& shared() {
    static PostgresServer server;
    return server;
  }

  // "stop fast", "stop immediate", "kill" (a crash), "start".
  void command(const std::string& line) {
    const std::string text = line + "\n";
    if (write(input_, text.data(), text.size()) < 0) throw std::runtime_error("the server is gone");
    read_answer();
  }

  // Where a ledger is, or can be made.
  [[nodiscard]] std::string uri(const std::string& schema = "renyi_ledger", const std::string& user = "renyi") const {
    return "postgresql://" + user + "@/postgres?host=" + directory_ + "&schema=" + schema;
  }

  // Runs statements as the superuser.
  void run(const std::string& statements) const { connection().script(statements); }
  // The first value, a bigint or a text, that a query returns.
  [[nodiscard]] std::int64_t number(const std::string& query) const {
    return connection().run({"query", query}).number(0, 0);
  }
  [[nodiscard]] std::string text(const std::string& query) const {
    return connection().run({"query", query}).text(0, 0);
  }

  // Ends the connections of all ledgers, and returns when they have ended.
  void end_connections() const {
    run("DO $$ BEGIN PERFORM pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'renyi'; "
        "END $$");
  }

 private:
  [[nodiscard]] ledger::PostgresConnection connection() const {
    const std::string location = uri() + "&application_name=test";
    return {ledger::read_postgres_location(location, std::chrono::seconds(60)).address, std::chrono::seconds(60)};
  }

  void read_answer() {
    std::string line;
    for (char c = 0; read(output_, &c, 1) == 1 && c != '\n';) line += c;
    if (line.empty()) throw std::runtime_error("tools/postgresql did not answer; has `tools/postgresql fetch` run?");
    if (line.starts_with("ready ")) directory_ = line.substr(6, line.rfind(' ') - 6);
  }

  pid_t process_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string directory_{};
};

}  // namespace renyi::test
