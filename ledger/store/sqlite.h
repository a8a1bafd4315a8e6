// SQLite: connections and prepared statements, with typed errors.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace renyi::ledger {

// Throws the StoreFailure of a result code. `doing` says what was tried.
[[noreturn]] void throw_sqlite(int code, std::string_view doing);

class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* database, std::string_view sql);

  // Texts and bytes are not copied: they have to live until the statement was run or reset.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);
  // Returns whether there is a row.
  bool step();
  // Ends the use of the statement.
  void reset() noexcept;
  // Runs to the end.
  void run();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Connection {
 public:
  // A file that is `settled` is not written while it is read: nobody has to be told of the reading, by locks or by
  // files beside it.
  enum class Mode { create, existing, settled };
  // Throws StoreFailure.
  Connection(const std::string& path, Mode mode);

  sqlite3* get() const noexcept { return database_.get(); }
  void run(const char* sql) const;
  Statement prepare(std::string_view sql) const { return {get(), sql}; }
  std::string ask(const char* sql) const;  // the first column of the first row

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace renyi::ledger
