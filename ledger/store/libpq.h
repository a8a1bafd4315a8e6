// Connections to PostgreSQL by libpq, which is loaded when the first one is opened: programs that keep their ledger in
// a file need no PostgreSQL.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "renyi/error.h"

namespace renyi::ledger {

// The functions of libpq that are used.
struct Libpq {
  decltype(&PQconninfoParse) conninfo_parse;
  decltype(&PQconninfoFree) conninfo_free;
  decltype(&PQfreemem) free_memory;
  decltype(&PQconnectdbParams) connect;
  decltype(&PQfinish) finish;
  decltype(&PQstatus) status;
  decltype(&PQpass) password;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQexec) execute;
  decltype(&PQsendPrepare) send_prepare;
  decltype(&PQsendQueryPrepared) send_prepared;
  decltype(&PQenterPipelineMode) enter_pipeline;
  decltype(&PQexitPipelineMode) exit_pipeline;
  decltype(&PQpipelineSync) send_sync;
  decltype(&PQgetResult) next_result;
  decltype(&PQresultStatus) result_status;
  decltype(&PQresultErrorField) error_field;
  decltype(&PQclear) clear;
  decltype(&PQntuples) rows;
  decltype(&PQgetvalue) value;
  decltype(&PQgetlength) length;
  decltype(&PQgetisnull) is_null;
  decltype(&PQcmdStatus) command_status;
  decltype(&PQsetNoticeProcessor) set_notice_processor;
};

// Loads a library. Throws StoreFailure (unreachable) if it is missing or too old.
Libpq load_libpq(const char* file);
// The library of the system, loaded once.
const Libpq& libpq();

// An error that the server reported, or the end of a connection.
class PostgresError : public StoreFailure {
 public:
  PostgresError(StoreFault fault, std::string state, const std::string& what, const std::string& instead);
  // The five characters of SQLSTATE; empty if the connection was lost without a word.
  [[nodiscard]] const std::string& state() const noexcept { return state_; }
  // Whether the same transaction may succeed when it is run again.
  [[nodiscard]] bool may_be_repeated() const noexcept { return state_ == "40001" || state_ == "40P01"; }

 private:
  std::string state_;
};

// What one statement returned, in binary form.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result) {}
  [[nodiscard]] int count() const { return libpq().rows(result_.get()); }
  [[nodiscard]] bool is_null(int row, int column) const { return libpq().is_null(result_.get(), row, column) != 0; }
  [[nodiscard]] std::string text(int row, int column) const;     // text or bytea
  [[nodiscard]] std::int64_t number(int row, int column) const;  // bigint
  [[nodiscard]] bool truth(int row, int column) const;           // boolean
  [[nodiscard]] std::string command() const { return libpq().command_status(result_.get()); }

 private:
  struct Clear {
    void operator()(PGresult* result) const { libpq().clear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

// The parameters of a statement, in binary form.
class PostgresParameters {
 public:
  PostgresParameters& number(std::int64_t value);      // bigint
  PostgresParameters& text(const std::string& value);  // text; throws InvalidArgument if it contains NUL
  PostgresParameters& numbers(const std::vector<std::int64_t>& values);  // bigint[]
  PostgresParameters& texts(const std::vector<std::string>& values);     // text[]
  PostgresParameters& bytes(const std::vector<std::string>& values);     // bytea[]
  [[nodiscard]] const std::vector<std::string>& values() const noexcept { return values_; }

 private:
  std::vector<std::string> values_;
};

// A statement that each connection prepares when it uses it first. Its name is unique among all statements.
struct PostgresStatement {
  std::string name{};
  std::string sql{};
};

// Keywords and values for libpq, without secrets in any error.
struct PostgresAddress {
  std::vector<std::pair<std::string, std::string>> settings{};
  std::vector<std::string> secrets{};
};

// One connection. Statements are sent without waiting for their results, which `receive` then collects: all statements
// between two calls of it take one round trip, and if one fails, those after it do not run.
class PostgresConnection {
 public:
  // Throws StoreFailure (unreachable, or busy if the server has no connection left). Waits for a server that is
  // starting, at most so long.
  PostgresConnection(const PostgresAddress& address, std::chrono::milliseconds patience);
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;
  ~PostgresConnection() = default;

  void send(const PostgresStatement& statement, const PostgresParameters& parameters = {});
  // Lets the server begin with what was sent. `receive` does it otherwise.
  void finish_sending();
  // The results of all statements sent since the last call. Throws PostgresError for the first one that failed.
  std::vector<PostgresRows> receive();
  PostgresRows run(const PostgresStatement& statement, const PostgresParameters& parameters = {});
  // Runs several statements separated by semicolons. They are one transaction unless they say otherwise.
  void script(const std::string& statements);

  // Whether it can be used for another transaction: it is connected, and nothing is under way.
  [[nodiscard]] bool is_usable() const;
  [[nodiscard]] bool is_lost() const { return libpq().status(connection_.get()) != CONNECTION_OK; }
  // Whether the server ended the connection, with a message, before it came to the last statement that was sent.
  [[nodiscard]] bool was_ended_early(const PostgresError& error) const {
    return !error.state().empty() && received_ + 1 < sent_;
  }
  // Different for every connection of this process.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

 private:
  struct Finish {
    void operator()(PGconn* connection) const { libpq().finish(connection); }
  };
  [[nodiscard]] std::string hide_secrets(std::string message) const;
  [[nodiscard]] PostgresError error_of(const PGresult* result) const;
  [[noreturn]] void throw_lost() const;

  std::unique_ptr<PGconn, Finish> connection_;
  std::vector<std::string> secrets_;
  std::set<std::string> prepared_{};
  std::vector<std::string> under_way_{};  // a name for each Parse, and "" for each statement, in order
  std::size_t sent_ = 0;                  // statements since the last results
  std::size_t received_ = 0;              // results that were no errors
  bool is_finished_ = false;              // sending is
  bool is_broken_ = false;                // an exception left it in an unknown state
  std::uint64_t number_ = 0;
};

// Returns the kind of fault of an SQLSTATE.
StoreFault fault_of(std::string_view state);

}  // namespace renyi::ledger
