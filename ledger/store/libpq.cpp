#include "ledger/store/libpq.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace renyi::ledger {

namespace libpq_file {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw StoreFailure(StoreFault::unreachable, std::string("the library libpq has no function ") + name,
                       "install version 14 or newer (Debian: libpq5)");
  }
}

void ignore_notice(void* /*unused*/, const char* /*message*/) {}

void append_big_endian(std::string& bytes, std::uint64_t value, int size) {
  for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

// The binary form of an array: dimensions, whether there are nulls, the type, then size and lower bound, and each
// element with its length.
std::string array(std::uint32_t type, const std::vector<std::string>& elements) {
  std::string bytes;
  append_big_endian(bytes, elements.empty() ? 0 : 1, 4);
  append_big_endian(bytes, 0, 4);
  append_big_endian(bytes, type, 4);
  if (!elements.empty()) {
    append_big_endian(bytes, elements.size(), 4);
    append_big_endian(bytes, 1, 4);
  }
  for (const std::string& element : elements) {
    append_big_endian(bytes, element.size(), 4);
    bytes += element;
  }
  return bytes;
}

std::string big_endian(std::int64_t value) {
  std::string bytes;
  append_big_endian(bytes, static_cast<std::uint64_t>(value), 8);
  return bytes;
}

void check_text(const std::string& value) {
  if (value.find('\0') != std::string::npos) {
    throw InvalidArgument("text", "a text with a character NUL", "texts that PostgreSQL can store");
  }
}

bool contains_any(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

std::string what_to_do(StoreFault fault) {
  switch (fault) {
    case StoreFault::busy: return "try again, or allow more time";
    case StoreFault::full: return "make space on the disk of the server, and try again";
    case StoreFault::read_only: return "connect as a role that may write, to a server that is no standby";
    case StoreFault::corrupt: return "run `renyi ledger verify`";
    case StoreFault::unreachable: return "nothing was changed; try again when the server answers";
    default: return "nothing was changed";
  }
}

}  // namespace
}  // namespace libpq_file

Libpq load_libpq(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw StoreFailure(StoreFault::unreachable,
                       "a ledger in PostgreSQL needs the library libpq, which is not installed",
                       "install it (Debian: apt-get install libpq5)");
  }
  using libpq_file::find;
  Libpq functions{};
  find(library, "PQconninfoParse", functions.conninfo_parse);
  find(library, "PQconninfoFree", functions.conninfo_free);
  find(library, "PQfreemem", functions.free_memory);
  find(library, "PQconnectdbParams", functions.connect);
  find(library, "PQfinish", functions.finish);
  find(library, "PQstatus", functions.status);
  find(library, "PQpass", functions.password);
  find(library, "PQerrorMessage", functions.error_message);
  find(library, "PQexec", functions.execute);
  find(library, "PQsendPrepare", functions.send_prepare);
  find(library, "PQsendQueryPrepared", functions.send_prepared);
  find(library, "PQenterPipelineMode", functions.enter_pipeline);
  find(library, "PQexitPipelineMode", functions.exit_pipeline);
  find(library, "PQpipelineSync", functions.send_sync);
  find(library, "PQgetResult", functions.next_result);
  find(library, "PQresultStatus", functions.result_status);
  find(library, "PQresultErrorField", functions.error_field);
  find(library, "PQclear", functions.clear);
  find(library, "PQntuples", functions.rows);
  find(library, "PQgetvalue", functions.value);
  find(library, "PQgetlength", functions.length);
  find(library, "PQgetisnull", functions.is_null);
  find(library, "PQcmdStatus", functions.command_status);
  find(library, "PQsetNoticeProcessor", functions.set_notice_processor);
  return functions;
}

const Libpq& libpq() {
  static const Libpq functions = load_libpq("libpq.so.5");
  return functions;
}

StoreFault fault_of(std::string_view state) {
  const std::string_view group = state.substr(0, 2);
  if (state.empty() || group == "08" || state.starts_with("57P") || state == "25P03") return StoreFault::unreachable;
  if (state == "53100") return StoreFault::full;
  if (state == "42501" || state == "25006") return StoreFault::read_only;
  // Time-outs of locks and statements, conflicts with other transactions, and a server without memory or connections.
  if (state == "55P03" || state == "57014" || group == "40" || group == "53") return StoreFault::busy;
  // Constraints that were violated, tables that are missing, damaged pages and files.
  if (group == "23" || group == "42" || group == "58" || state == "XX001" || state == "XX002")
    return StoreFault::corrupt;
  return StoreFault::unsuitable;
}

PostgresError::PostgresError(StoreFault fault, std::string state, const std::string& what, const std::string& instead)
    : StoreFailure(fault, what, instead), state_(std::move(state)) {}

// ---- Results and parameters.

std::string PostgresRows::text(int row, int column) const {
  return {libpq().value(result_.get(), row, column),
          static_cast<std::size_t>(libpq().length(result_.get(), row, column))};
}

std::int64_t PostgresRows::number(int row, int column) const {
  const std::string bytes = text(row, column);
  if (bytes.size() != 8)
    throw StoreFailure(StoreFault::corrupt, "the server sent no number", "run `renyi ledger verify`");
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

bool PostgresRows::truth(int row, int column) const { return text(row, column) == std::string(1, '\1'); }

PostgresParameters& PostgresParameters::number(std::int64_t value) {
  values_.push_back(libpq_file::big_endian(value));
  return *this;
}

PostgresParameters& PostgresParameters::text(const std::string& value) {
  libpq_file::check_text(value);
  values_.push_back(value);
  return *this;
}

PostgresParameters& PostgresParameters::numbers(const std::vector<std::int64_t>& values) {
  std::vector<std::string> elements;
  elements.reserve(values.size());
  for (const std::int64_t value : values) elements.push_back(libpq_file::big_endian(value));
  values_.push_back(libpq_file::array(20, elements));  // the type int8
  return *this;
}

PostgresParameters& PostgresParameters::texts(const std::vector<std::string>& values) {
  for (const std::string& value : values) libpq_file::check_text(value);
  values_.push_back(libpq_file::array(25, values));  // the type text
  return *this;
}

PostgresParameters& PostgresParameters::bytes(const std::vector<std::string>& values) {
  values_.push_back(libpq_file::array(17, values));  // the type bytea
  return *this;
}

// ---- Connections.

PostgresConnection::PostgresConnection(const PostgresAddress& address, std::chrono::milliseconds patience)
    : secrets_(address.secrets) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : address.settings) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    connection_.reset(libpq().connect(keywords.data(), values.data(), 0));
    if (!connection_) throw StoreFailure(StoreFault::unreachable, "no memory for a connection", "try again");
    libpq().set_notice_processor(connection_.get(), libpq_file::ignore_notice, nullptr);
    if (const char* password = libpq().password(connection_.get()); password != nullptr && *password != '\0') {
      secrets_.emplace_back(password);  // also one from the environment or a file
    }
    if (libpq().status(connection_.get()) == CONNECTION_OK) break;
    // libpq has no code for these errors, only the server's message.
    const std::string message = libpq().error_message(connection_.get());
    const bool no_connection_left = libpq_file::contains_any(message, {"too many clients", "connection slots"});
    const bool may_wait = no_connection_left || libpq_file::contains_any(message, {"the database system is "});
    if (!may_wait || std::chrono::steady_clock::now() >= deadline) {
      throw PostgresError(
          no_connection_left ? StoreFault::busy : StoreFault::unreachable, "",
          "no connection to PostgreSQL: " + hide_secrets(message),
          no_connection_left ? "try again, or raise max_connections" : "check server, role and password");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  libpq().enter_pipeline(connection_.get());
  static std::atomic<std::uint64_t> connections{0};
  number_ = ++connections;
}

std::string PostgresConnection::hide_secrets(std::string message) const {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  std::replace(message.begin(), message.end(), '\n', ' ');
  for (const std::string& secret : secrets_) {
    for (std::size_t at = 0; !secret.empty() && (at = message.find(secret, at)) != std::string::npos;) {
      message.replace(at, secret.size(), "***");
      at += 3;
    }
  }
  return message;
}

PostgresError PostgresConnection::error_of(const PGresult* result) const {
  const char* state = result == nullptr ? nullptr : libpq().error_field(result, PG_DIAG_SQLSTATE);
  const char* severity = result == nullptr ? nullptr : libpq().error_field(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  // The details of an error may repeat a row, so only its first line is used.
  const char* primary = result == nullptr ? nullptr : libpq().error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string_view how = severity == nullptr ? "" : severity;
  const bool ended = is_lost() || how == "FATAL" || how == "PANIC";
  const std::string code = state == nullptr ? "" : state;
  const StoreFault fault = ended ? StoreFault::unreachable : fault_of(code);
  const std::string words = primary == nullptr ? "the connection was lost" : hide_secrets(primary);
  return {fault, code, "PostgreSQL: " + words + (code.empty() ? "" : " (SQLSTATE " + code + ")"),
          libpq_file::what_to_do(fault)};
}

void PostgresConnection::throw_lost() const { throw error_of(nullptr); }

void PostgresConnection::send(const PostgresStatement& statement, const PostgresParameters& parameters) {
  is_broken_ = true;  // until the results are there
  if (is_lost()) throw_lost();
  if (under_way_.empty()) sent_ = received_ = 0;
  if (!prepared_.contains(statement.name)) {
    if (libpq().send_prepare(connection_.get(), statement.name.c_str(), statement.sql.c_str(), 0, nullptr) == 0) {
      throw_lost();
    }
    prepared_.insert(statement.name);
    under_way_.push_back(statement.name);
  }
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const std::string& value : parameters.values()) {
    values.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(values.size(), 1);
  if (libpq().send_prepared(connection_.get(), statement.name.c_str(), static_cast<int>(values.size()), values.data(),
                            lengths.data(), binary.data(), 1) == 0) {
    throw_lost();
  }
  under_way_.emplace_back();
  ++sent_;
}

void PostgresConnection::finish_sending() {
  if (libpq().send_sync(connection_.get()) == 0) throw_lost();
  is_finished_ = true;
}

std::vector<PostgresRows> PostgresConnection::receive() {
  if (!is_finished_) finish_sending();
  std::vector<PostgresRows> all;
  std::unique_ptr<PostgresError> failed;
  for (const std::string& prepared : under_way_) {
    PGresult* const result = libpq().next_result(connection_.get());
    if (result == nullptr) throw_lost();
    PostgresRows rows(result);
    const ExecStatusType status = libpq().result_status(result);
    if (status == PGRES_FATAL_ERROR) {
      if (!failed) failed = std::make_unique<PostgresError>(error_of(result));
      if (is_lost()) throw *failed;
    }
    const bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!done && !prepared.empty()) prepared_.erase(prepared);
    if (done && prepared.empty()) all.push_back(std::move(rows));
    received_ = all.size();
    if (libpq().next_result(connection_.get()) != nullptr) throw_lost();  // the end of this statement's results
  }
  PGresult* const end = libpq().next_result(connection_.get());
  if (end == nullptr) throw_lost();
  const PostgresRows owner(end);
  if (libpq().result_status(end) != PGRES_PIPELINE_SYNC) throw failed ? *failed : error_of(end);
  under_way_.clear();
  is_finished_ = false;
  is_broken_ = false;
  if (failed) throw *failed;
  return all;
}

PostgresRows PostgresConnection::run(const PostgresStatement& statement, const PostgresParameters& parameters) {
  send(statement, parameters);
  return std::move(receive().front());
}

void PostgresConnection::script(const std::string& statements) {
  is_broken_ = true;
  if (is_lost() || libpq().exit_pipeline(connection_.get()) == 0) throw_lost();
  PGresult* const result = libpq().execute(connection_.get(), statements.c_str());
  const PostgresRows owner(result);
  const ExecStatusType status = libpq().result_status(result);
  if (status == PGRES_FATAL_ERROR) {
    const PostgresError error = error_of(result);
    is_broken_ = is_lost() || libpq().enter_pipeline(connection_.get()) == 0;
    throw error;
  }
  is_broken_ = libpq().enter_pipeline(connection_.get()) == 0;
}

bool PostgresConnection::is_usable() const { return !is_broken_ && !is_lost(); }

}  // namespace renyi::ledger
