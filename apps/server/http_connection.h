// One connection: it reads requests, has them answered, and writes the responses, one after the other. A part of
// http.cpp, which alone includes this file.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/server/http.h"
#include "apps/server/http_stream.h"

namespace renyi::server::connection {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using stream::ErrorCode;
using stream::Stream;
using Clock = std::chrono::steady_clock;

class Connection;
using Connections = std::list<std::shared_ptr<Connection>>;

// What all connections of a server share. Everything but replies happens on the thread that runs the context.
struct Shared {
  HttpSettings settings{};
  HttpServer::Handler handler{};
  HttpServer::Refusal refusal{};
  std::function<void(Connection&)> ended{};
  asio::io_context context{1};
  std::atomic<bool> stopping{false};
  std::atomic<std::uint64_t> dropped{0};
};

inline std::string head_of(const HttpResponse& response, std::size_t bytes, bool keeps_open) {
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + ' ' + std::string(reason) + "\r\n";
  for (const auto& [name, value] : response.headers) head.append(name).append(": ").append(value).append("\r\n");
  if (response.status != 304) head += "Content-Length: " + std::to_string(bytes) + "\r\n";
  if (!keeps_open) head += "Connection: close\r\n";
  return head + "\r\n";
}

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  enum class State { beginning, idle, reading, answering, writing, ending, closed };

  Connection(Shared& server, std::unique_ptr<Stream> stream, std::string peer, bool is_secure, bool is_beyond_limit)
      : server_(server),
        stream_(std::move(stream)),
        peer_(std::move(peer)),
        is_secure_(is_secure),
        is_beyond_limit_(is_beyond_limit) {}

  void begin();
  void close();
  // Drops the connection if its time is over.
  void check(Clock::time_point now);
  State state() const { return state_; }
  // It waits for its next request.
  bool is_idle() const { return state_ == State::idle; }
  // Its last response was sent, and only its client has not ended it.
  bool is_over() const { return state_ == State::ending; }
  // It waits for its client: for a handshake, a request or the rest of one.
  bool is_waiting() const { return state_ == State::beginning || state_ == State::reading || is_idle(); }
  Clock::time_point begun() const { return begun_; }  // the wait, or the request
  bool is_beyond_limit() const { return is_beyond_limit_; }
  Connections::iterator place{};
  std::string network{};  // where it comes from, as connections are counted

 private:
  using Parser = http::request_parser<http::string_body>;

  void begin_request();
  void read();
  void parse();
  bool take_header();
  bool is_framed_well() const;
  void answer();
  void refuse(int status);
  void send(HttpResponse response);
  void write();
  void finish();
  void discard(std::size_t bytes);

  Shared& server_;
  std::unique_ptr<Stream> stream_;
  std::string peer_;
  bool is_secure_;
  bool is_beyond_limit_;
  State state_ = State::beginning;
  Clock::time_point deadline_{};
  Clock::time_point begun_ = Clock::now();
  std::string input_;  // what was read and not parsed
  std::array<char, 16U << 10U> piece_{};
  std::optional<Parser> parser_;
  HttpRequest request_;  // what was understood of it
  bool has_header_ = false;
  bool is_head_ = false;
  bool keeps_open_ = true;
  bool was_late_ = false;  // the request was refused while a read was pending
  std::size_t discarded_ = 0;
  HttpResponse response_;
  std::string output_;
  std::string_view left_;  // to be written
  std::string_view then_;  // after that
};

inline void Connection::begin() {
  deadline_ = Clock::now() + server_.settings.request_time;
  stream_->begin([self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (error) return self->close();
    self->begin_request();
  });
}

inline void Connection::begin_request() {
  if (state_ == State::closed) return;
  parser_.emplace();
  request_ = {.peer = peer_, .is_secure = is_secure_, .is_beyond_limit = is_beyond_limit_};
  parser_->header_limit(static_cast<std::uint32_t>(server_.settings.most_header_bytes));
  parser_->body_limit(server_.settings.most_body_bytes);
  has_header_ = is_head_ = false;
  begun_ = Clock::now();
  const bool is_pipelined = !input_.empty();
  // A connection that has sent nothing yet has as long as a request.
  const bool is_first = state_ == State::beginning;
  state_ = is_pipelined ? State::reading : State::idle;
  deadline_ = begun_ + (is_pipelined || is_first ? server_.settings.request_time : server_.settings.idle_time);
  if (is_pipelined) return parse();
  if (server_.stopping) return close();
  read();
}

inline void Connection::read() {
  stream_->read(piece_.data(), piece_.size(), [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
    if (self->state_ == State::closed) return;
    if (error) return self->close();
    if (self->state_ == State::ending) return self->discard(bytes);
    if (self->state_ == State::writing) return;  // the request was refused for its time
    if (self->state_ == State::idle) {
      self->state_ = State::reading;
      self->begun_ = Clock::now();
      self->deadline_ = self->begun_ + self->server_.settings.request_time;
    }
    self->input_.append(self->piece_.data(), bytes);
    self->parse();
  });
}

// The header is parsed by itself: what the parser adds to it behind the body are trailer fields, which nobody has
// checked.
inline void Connection::parse() {
  ErrorCode error;
  while (!input_.empty() && !parser_->is_done()) {
    const std::size_t used = parser_->put(asio::const_buffer(input_.data(), input_.size()), error);
    input_.erase(0, used);
    if (error == http::error::need_more) break;
    if (error == http::error::header_limit) return refuse(431);
    if (error == http::error::body_limit) return refuse(413);
    if (error) return refuse(400);
    if (parser_->is_header_done() && !has_header_) {
      if (!take_header()) return;
    } else if (used == 0) {
      break;
    }
  }
  if (parser_->is_done()) return answer();
  // What cannot be parsed further without more bytes is a part of a header, of a chunk's or of a trailer.
  if (input_.size() > server_.settings.most_header_bytes) return refuse(431);
  read();
}

// Takes the header, and refuses what is not wanted before its body is read. Returns false if something is written
// first.
inline bool Connection::take_header() {
  has_header_ = true;
  parser_->eager(true);
  const auto& message = parser_->get();
  request_.method = std::string(message.method_string());
  request_.target = std::string(message.target());
  for (const auto& field : message) request_.headers.emplace_back(field.name_string(), field.value());
  request_.begun = begun_;
  is_head_ = request_.method == "HEAD";
  keeps_open_ = message.keep_alive() && !is_beyond_limit_;
  if (request_.headers.size() > server_.settings.most_header_fields) return refuse(431), false;
  if (!is_framed_well()) return refuse(400), false;
  if (request_.header("Expect") == nullptr || parser_->is_done()) return true;
  static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  stream_->write(go_on.data(), go_on.size(), [self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (self->state_ == State::closed) return;
    if (error) return self->close();
    self->parse();
  });
  return false;
}

// A body ends where its length or its chunks say. Of any other coding, the parser and a proxy in front might see the
// end at different places, and the one take for a request what the other took for a body.
inline bool Connection::is_framed_well() const {
  const auto& message = parser_->get();
  if (message.version() != 11 && message.version() != 10) return false;
  const std::string* coding = request_.header("Transfer-Encoding");
  if (coding == nullptr) return true;
  return message.version() == 11 && boost::beast::iequals(*coding, "chunked") &&
         !request_.is_repeated("Transfer-Encoding");
}

inline void Connection::answer() {
  state_ = State::answering;
  request_.body = std::move(parser_->get().body());
  if (server_.stopping) {
    keeps_open_ = false;
    return send(server_.refusal(503, request_));
  }
  server_.handler(std::move(request_), [self = shared_from_this()](HttpResponse response) {
    asio::post(self->server_.context, [self, response = std::move(response)]() mutable {
      if (self->state_ == State::answering) self->send(std::move(response));
    });
  });
}

// What follows on a connection that was not understood cannot be understood either.
inline void Connection::refuse(int status) {
  keeps_open_ = false;
  request_.begun = begun_;
  send(server_.refusal(status, request_));
}

inline void Connection::send(HttpResponse response) {
  // A client that reads slowly keeps the connection for a while, not for ever.
  constexpr std::size_t least_bytes_a_second = 64U << 10U;
  response_ = std::move(response);
  keeps_open_ = keeps_open_ && !response_.closes && !server_.stopping;
  const std::string_view body = response_.lasting.empty() ? std::string_view(response_.body) : response_.lasting;
  output_ = head_of(response_, body.size(), keeps_open_);
  left_ = output_;
  then_ = is_head_ || response_.status == 304 ? std::string_view() : body;
  constexpr std::size_t small = 64U << 10U;
  if (then_.size() <= small) {  // in one packet
    output_ += then_;
    left_ = output_;
    then_ = {};
  }
  state_ = State::writing;
  deadline_ = Clock::now() + server_.settings.request_time +
              std::chrono::seconds((left_.size() + then_.size()) / least_bytes_a_second);
  write();
}

inline void Connection::write() {
  if (left_.empty()) std::swap(left_, then_);
  if (left_.empty()) {
    response_ = {};
    if (!keeps_open_) return finish();
    return begin_request();
  }
  stream_->write(left_.data(), left_.size(), [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
    if (self->state_ == State::closed) return;
    if (error) return self->close();
    self->left_.remove_prefix(bytes);
    self->write();
  });
}

// A connection that is closed while its client still sends is reset, and the client may never see the response: so what
// it sends is read for a moment.
inline void Connection::finish() {
  constexpr std::chrono::seconds moment{1};
  const bool is_reading = state_ == State::writing && was_late_;
  state_ = State::ending;
  deadline_ = Clock::now() + moment;
  ErrorCode ignored;
  stream_->socket().shutdown(stream::tcp::socket::shutdown_send, ignored);
  if (!is_reading) read();
}

inline void Connection::discard(std::size_t bytes) {
  constexpr std::size_t most = 4U << 20U;
  discarded_ += bytes;
  if (discarded_ > most) return close();
  read();
}

inline void Connection::check(Clock::time_point now) {
  if (state_ == State::answering || now < deadline_) return;
  if (state_ == State::reading && begun_ + server_.settings.request_time <= now) {
    ++server_.dropped;
    was_late_ = true;
    return refuse(408);
  }
  if (state_ == State::beginning || state_ == State::writing) ++server_.dropped;
  close();
}

inline void Connection::close() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  ErrorCode ignored;
  stream_->socket().shutdown(stream::tcp::socket::shutdown_both, ignored);
  stream_->socket().close(ignored);
  server_.ended(*this);
}

}  // namespace renyi::server::connection
