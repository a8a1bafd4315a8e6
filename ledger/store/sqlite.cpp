#include "ledger/store/sqlite.h"

#include <fmt/format.h>

#include "renyi/error.h"

namespace renyi::ledger {

// Messages of SQLite name tables and constraints, never values.
void throw_sqlite(int code, std::string_view doing) {
  const std::string what = fmt::format("{}: {}", doing, sqlite3_errstr(code));
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw StoreFailure(StoreFault::busy, what, "another process is using the file; try again");
    case SQLITE_FULL: throw StoreFailure(StoreFault::full, what, "make space on the disk and try again");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: throw StoreFailure(StoreFault::read_only, what, "the file and its directory have to be writable");
    case SQLITE_CANTOPEN:
      throw StoreFailure(StoreFault::unreachable, what,
                         "the file and its directory have to exist and to be accessible");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      throw StoreFailure(StoreFault::corrupt, what, "this is no ledger, or a damaged one; restore it from an export");
    case SQLITE_NOMEM: throw std::bad_alloc();
    default: throw StoreFailure(StoreFault::unreachable, what, "look at the disk and try again");
  }
}

Statement::Statement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  statement_.reset(made);
  if (code != SQLITE_OK) throw_sqlite(sqlite3_extended_errcode(database), "reading the tables of the ledger");
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  const int code = sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) throw_sqlite(code, "writing a text");
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const int code = sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) throw_sqlite(code, "writing bytes");
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const int extended = sqlite3_extended_errcode(sqlite3_db_handle(statement_.get()));
  reset();
  throw_sqlite(extended, "using the file of the ledger");
}

void Statement::reset() noexcept { sqlite3_reset(statement_.get()); }

void Statement::run() {
  while (step()) {
  }
  reset();
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

std::string Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

namespace sqlite_file {
namespace {

// A name in which nothing has a meaning of its own for URIs.
std::string settled_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return uri + "?immutable=1";
}

}  // namespace
}  // namespace sqlite_file

Connection::Connection(const std::string& path, Mode mode) {
  sqlite3* opened = nullptr;
  const bool is_settled = mode == Mode::settled;
  const int flags = (is_settled ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  const std::string name = is_settled ? sqlite_file::settled_uri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) throw_sqlite(code, "opening the file");
}

void Connection::run(const char* sql) const {
  const int code = sqlite3_exec(get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw_sqlite(sqlite3_extended_errcode(get()), "using the file of the ledger");
}

std::string Connection::ask(const char* sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.text(0) : std::string();
}

}  // namespace renyi::ledger
