// The only file that includes Boost.Beast and Boost.Asio, besides http_stream.h, which is a part of it. Templates are
// instantiated once: connections with and without TLS share one class above a small interface of streams, and every
// callback has the same type.
#include "apps/server/http.h"

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <csignal>
#include <list>
#include <optional>
#include <utility>

#include "apps/server/http_stream.h"
#include "renyi/error.h"

namespace renyi::server {

namespace http_file {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using stream::ErrorCode;
using stream::PlainStream;
using stream::Stream;
using stream::tls_context;
using stream::TlsStream;
using Clock = std::chrono::steady_clock;

// ---- Responses.

const char* reason_of(int status) {
  return http::obsolete_reason(static_cast<http::status>(status)).data();  // the texts are literals
}

std::string head_of(const HttpResponse& response, std::size_t bytes, bool keeps_open) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + ' ' + reason_of(response.status) + "\r\n";
  for (const auto& [name, value] : response.headers) head.append(name).append(": ").append(value).append("\r\n");
  if (response.status != 304) head += "Content-Length: " + std::to_string(bytes) + "\r\n";
  if (!keeps_open) head += "Connection: close\r\n";
  return head + "\r\n";
}

}  // namespace
}  // namespace http_file

using http_file::Clock;
using http_file::ErrorCode;

// Everything but `stop`, `counts` and replies happens on the thread of `run`.
class HttpServer::Implementation {
 public:
  Implementation(const HttpSettings& settings, Handler handler, Refusal refusal);
  void run();
  bool is_stopping() const noexcept { return stopping_; }
  void stop() {
    boost::asio::post(context_, [this] { begin_to_stop(); });
  }
  std::uint16_t port() const { return port_; }
  HttpCounts counts() const { return {open_, accepted_, refused_, dropped_}; }

 private:
  class Connection;
  using Connections = std::list<std::shared_ptr<Connection>>;

  void accept();
  void take(boost::asio::ip::tcp::socket socket);
  void sweep();
  void begin_to_stop();
  void end(Connection& connection);
  bool make_room();

  HttpSettings settings_;
  Handler handler_;
  Refusal refusal_;
  std::unique_ptr<boost::asio::ssl::context> tls_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  boost::asio::signal_set signals_{context_};
  boost::asio::steady_timer timer_{context_};
  Connections connections_;
  std::uint16_t port_ = 0;
  bool accepting_ = false;
  std::atomic<bool> stopping_{false};
  Clock::time_point stops_at_{};
  std::atomic<std::uint64_t> open_{0}, accepted_{0}, refused_{0}, dropped_{0};
};

class HttpServer::Implementation::Connection : public std::enable_shared_from_this<Connection> {
 public:
  enum class State { beginning, idle, reading, answering, writing, ending, closed };

  Connection(Implementation& server, std::unique_ptr<http_file::Stream> stream, std::string peer)
      : server_(server), stream_(std::move(stream)), peer_(std::move(peer)) {}

  void begin();
  void close();
  // Drops the connection if its time is over.
  void check(Clock::time_point now);
  State state() const { return state_; }
  Clock::time_point deadline() const { return deadline_; }
  Connections::iterator place{};

 private:
  using Parser = http_file::http::request_parser<http_file::http::string_body>;

  void begin_request();
  void read();
  void parse();
  bool check_header();
  void answer();
  HttpRequest request();
  void refuse(int status);
  void send(HttpResponse response);
  void write();
  void finish();
  void discard(std::size_t bytes);

  Implementation& server_;
  std::unique_ptr<http_file::Stream> stream_;
  std::string peer_;
  State state_ = State::beginning;
  Clock::time_point deadline_{};
  Clock::time_point begun_{};
  std::string input_;  // what was read and not parsed
  std::array<char, 16U << 10U> piece_{};
  std::optional<Parser> parser_;
  bool header_checked_ = false;
  bool is_head_ = false;
  bool keeps_open_ = true;
  bool was_late_ = false;  // the request was refused while a read was pending
  std::size_t discarded_ = 0;
  HttpResponse response_;
  std::string output_;
  std::string_view left_;  // to be written
  std::string_view then_;  // after that
};

// ---- One connection.

void HttpServer::Implementation::Connection::begin() {
  deadline_ = Clock::now() + server_.settings_.request_time;
  stream_->begin([self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (error) return self->close();
    self->begin_request();
  });
}

void HttpServer::Implementation::Connection::begin_request() {
  if (state_ == State::closed) return;
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(static_cast<std::uint32_t>(server_.settings_.most_header_bytes));
  parser_->body_limit(server_.settings_.most_body_bytes);
  header_checked_ = false;
  begun_ = Clock::now();
  const bool is_pipelined = !input_.empty();
  // A connection that has sent nothing yet has as long as a request.
  const bool is_first = state_ == State::beginning;
  state_ = is_pipelined ? State::reading : State::idle;
  deadline_ = begun_ + (is_pipelined || is_first ? server_.settings_.request_time : server_.settings_.idle_time);
  if (is_pipelined) return parse();
  if (server_.stopping_) return close();
  read();
}

void HttpServer::Implementation::Connection::read() {
  stream_->read(piece_.data(), piece_.size(), [self = shared_from_this()](const ErrorCode& error, std::size_t bytes) {
    if (self->state_ == State::closed) return;
    if (error) return self->close();
    if (self->state_ == State::ending) return self->discard(bytes);
    if (self->state_ == State::writing) return;  // the request was refused for its time
    if (self->state_ == State::idle) {
      self->state_ = State::reading;
      self->begun_ = Clock::now();
      self->deadline_ = self->begun_ + self->server_.settings_.request_time;
    }
    self->input_.append(self->piece_.data(), bytes);
    self->parse();
  });
}

void HttpServer::Implementation::Connection::parse() {
  ErrorCode error;
  while (!input_.empty() && !parser_->is_done()) {
    const std::size_t used = parser_->put(boost::asio::const_buffer(input_.data(), input_.size()), error);
    input_.erase(0, used);
    if (error == http_file::http::error::need_more) break;
    if (error == http_file::http::error::header_limit) return refuse(431);
    if (error == http_file::http::error::body_limit) return refuse(413);
    if (error) return refuse(400);
    if (used == 0) break;
  }
  // What cannot be parsed further without more bytes is a part of a header.
  if (!parser_->is_header_done() && input_.size() > server_.settings_.most_header_bytes) return refuse(431);
  if (parser_->is_header_done() && !header_checked_ && !check_header()) return;
  if (parser_->is_done()) return answer();
  read();
}

// Refuses what is not wanted before its body is read. Returns false if something is written first.
bool HttpServer::Implementation::Connection::check_header() {
  header_checked_ = true;
  const auto& message = parser_->get();
  std::size_t fields = 0;
  for ([[maybe_unused]] const auto& field : message) ++fields;
  if (fields > server_.settings_.most_header_fields) return refuse(431), false;
  if (message.version() != 11 && message.version() != 10) return refuse(400), false;
  const auto expects = message[http_file::http::field::expect];
  if (expects.empty() || parser_->is_done()) return true;
  static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  stream_->write(go_on.data(), go_on.size(), [self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (self->state_ == State::closed) return;
    if (error) return self->close();
    self->read();
  });
  return false;
}

HttpRequest HttpServer::Implementation::Connection::request() {
  auto message = parser_->release();
  HttpRequest request{.method = std::string(message.method_string()),
                      .target = std::string(message.target()),
                      .peer = peer_,
                      .is_secure = server_.tls_ != nullptr,
                      .begun = begun_};
  for (const auto& field : message) request.headers.emplace_back(field.name_string(), field.value());
  request.body = std::move(message.body());
  return request;
}

void HttpServer::Implementation::Connection::answer() {
  state_ = State::answering;
  keeps_open_ = parser_->get().keep_alive();
  HttpRequest asked = request();
  is_head_ = asked.method == "HEAD";
  if (server_.stopping_) {
    keeps_open_ = false;
    return send(server_.refusal_(503, asked));
  }
  server_.handler_(std::move(asked), [self = shared_from_this()](HttpResponse response) {
    boost::asio::post(self->server_.context_, [self, response = std::move(response)]() mutable {
      if (self->state_ == State::answering) self->send(std::move(response));
    });
  });
}

// What follows on a connection that was not understood cannot be understood either.
void HttpServer::Implementation::Connection::refuse(int status) {
  keeps_open_ = false;
  HttpRequest asked{.peer = peer_, .is_secure = server_.tls_ != nullptr, .begun = begun_};
  if (parser_ && parser_->is_header_done()) asked = request();
  send(server_.refusal_(status, asked));
}

void HttpServer::Implementation::Connection::send(HttpResponse response) {
  // A client that reads slowly keeps the connection for a while, not for ever.
  constexpr std::size_t least_bytes_a_second = 64U << 10U;
  response_ = std::move(response);
  keeps_open_ = keeps_open_ && !response_.closes && !server_.stopping_;
  const std::string_view body = response_.lasting.empty() ? std::string_view(response_.body) : response_.lasting;
  output_ = http_file::head_of(response_, body.size(), keeps_open_);
  left_ = output_;
  then_ = is_head_ || response_.status == 304 ? std::string_view() : body;
  is_head_ = false;
  constexpr std::size_t small = 64U << 10U;
  if (then_.size() <= small) {  // in one packet
    output_ += then_;
    left_ = output_;
    then_ = {};
  }
  state_ = State::writing;
  deadline_ = Clock::now() + server_.settings_.request_time +
              std::chrono::seconds((left_.size() + then_.size()) / least_bytes_a_second);
  write();
}

void HttpServer::Implementation::Connection::write() {
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
void HttpServer::Implementation::Connection::finish() {
  constexpr std::chrono::seconds moment{1};
  const bool is_reading = state_ == State::writing && was_late_;
  state_ = State::ending;
  deadline_ = Clock::now() + moment;
  ErrorCode ignored;
  stream_->socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  if (!is_reading) read();
}

void HttpServer::Implementation::Connection::discard(std::size_t bytes) {
  constexpr std::size_t most = 4U << 20U;
  discarded_ += bytes;
  if (discarded_ > most) return close();
  read();
}

void HttpServer::Implementation::Connection::check(Clock::time_point now) {
  if (state_ == State::answering || now < deadline_) return;
  if (state_ == State::reading && begun_ + server_.settings_.request_time <= now) {
    ++server_.dropped_;
    was_late_ = true;
    return refuse(408);
  }
  if (state_ == State::beginning || state_ == State::writing) ++server_.dropped_;
  close();
}

void HttpServer::Implementation::Connection::close() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  ErrorCode ignored;
  stream_->socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
  stream_->socket().close(ignored);
  server_.end(*this);
}

// ---- All connections.

HttpServer::Implementation::Implementation(const HttpSettings& settings, Handler handler, Refusal refusal)
    : settings_(settings),
      handler_(std::move(handler)),
      refusal_(std::move(refusal)),
      tls_(http_file::tls_context(settings)) {
  ErrorCode error;
  const auto address = boost::asio::ip::make_address(settings.address, error);
  if (error) throw InvalidArgument("listen", settings.address, "an address, such as 127.0.0.1:8080 or [::1]:8080");
  const boost::asio::ip::tcp::endpoint endpoint(address, settings.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) {
    throw InvalidArgument("listen", settings.address + ':' + std::to_string(settings.port),
                          "an address and a port that are free here (" + error.message() + ")");
  }
  port_ = acceptor_.local_endpoint().port();
}

void HttpServer::Implementation::run() {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  signals_.async_wait([this](const ErrorCode& error, int) {
    if (!error) begin_to_stop();
  });
  accept();
  sweep();
  context_.run();
}

void HttpServer::Implementation::accept() {
  accepting_ = true;
  acceptor_.async_accept([this](const ErrorCode& error, boost::asio::ip::tcp::socket socket) {
    accepting_ = false;
    if (!acceptor_.is_open()) return;
    // Without free descriptors, accepting would fail again and again at once: the next sweep tries again.
    if (error) return;
    take(std::move(socket));
    accept();
  });
}

void HttpServer::Implementation::take(boost::asio::ip::tcp::socket socket) {
  ErrorCode error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  ++accepted_;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
  if (connections_.size() >= settings_.most_connections && !make_room()) {
    ++refused_;
    if (tls_) return;
    socket.non_blocking(true, error);
    const HttpResponse response = refusal_(503, HttpRequest{.peer = peer.address().to_string()});
    const std::string text = http_file::head_of(response, response.body.size(), false) + response.body;
    socket.write_some(boost::asio::const_buffers_1(text.data(), text.size()), error);
    return;
  }
  std::unique_ptr<http_file::Stream> stream;
  if (tls_) {
    stream = std::make_unique<http_file::TlsStream>(std::move(socket), *tls_);
  } else {
    stream = std::make_unique<http_file::PlainStream>(std::move(socket));
  }
  const auto connection = std::make_shared<Connection>(*this, std::move(stream), peer.address().to_string());
  connection->place = connections_.insert(connections_.end(), connection);
  ++open_;
  connection->begin();
}

// Closes the connection that has been idle for the longest time.
bool HttpServer::Implementation::make_room() {
  std::shared_ptr<Connection> oldest;
  for (const auto& connection : connections_) {
    if (connection->state() != Connection::State::idle) continue;
    if (!oldest || connection->deadline() < oldest->deadline()) oldest = connection;
  }
  if (oldest) oldest->close();
  return oldest != nullptr;
}

void HttpServer::Implementation::end(Connection& connection) {
  --open_;
  connections_.erase(connection.place);  // callbacks that are pending keep the connection itself
}

// One timer for all deadlines.
void HttpServer::Implementation::sweep() {
  constexpr std::chrono::milliseconds interval{100};
  const auto now = Clock::now();
  for (auto next = connections_.begin(); next != connections_.end();) {
    const std::shared_ptr<Connection> connection = *next++;
    connection->check(now);
  }
  if (!accepting_ && !stopping_) accept();
  if (stopping_ && (connections_.empty() || now >= stops_at_)) return context_.stop();
  timer_.expires_after(interval);
  timer_.async_wait([this](const ErrorCode&) { sweep(); });
}

void HttpServer::Implementation::begin_to_stop() {
  if (stopping_.exchange(true)) return;
  stops_at_ = Clock::now() + settings_.stop_time;
  ErrorCode ignored;
  acceptor_.close(ignored);
  for (auto next = connections_.begin(); next != connections_.end();) {
    const std::shared_ptr<Connection> connection = *next++;
    if (connection->state() == Connection::State::idle) connection->close();
  }
}

// ---- The interface.

HttpServer::HttpServer(const HttpSettings& settings, Handler handler, Refusal refusal)
    : implementation_(std::make_unique<Implementation>(settings, std::move(handler), std::move(refusal))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const noexcept { return implementation_->port(); }
HttpCounts HttpServer::counts() const noexcept { return implementation_->counts(); }
bool HttpServer::is_stopping() const noexcept { return implementation_->is_stopping(); }
void HttpServer::run() { implementation_->run(); }
void HttpServer::stop() { implementation_->stop(); }

void check_tls(const HttpSettings& settings) { http_file::tls_context(settings); }

}  // namespace renyi::server
