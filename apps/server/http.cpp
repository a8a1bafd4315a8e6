// The only file that includes Boost.Beast and Boost.Asio, besides its parts http_stream.h and http_connection.h.
// Templates are instantiated once: connections with and without TLS share one class above a small interface of streams,
// and every callback has the same type.
#include "apps/server/http.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <map>
#include <utility>

#include "apps/server/http_connection.h"
#include "apps/server/http_stream.h"
#include "renyi/error.h"

namespace renyi::server {

namespace http_file {
namespace {

namespace asio = boost::asio;
using connection::Clock;
using connection::Connection;
using connection::Connections;
using stream::ErrorCode;

// Whoever has an address of IPv6 usually has all 2^64 that begin with the same 64 bits.
std::string network_of(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const auto bytes = address.to_v6().to_bytes();
  if (address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  return {bytes.begin(), bytes.begin() + 8};
}

}  // namespace
}  // namespace http_file

// Everything but `stop`, `counts` and replies happens on the thread of `run`.
class HttpServer::Implementation {
 public:
  Implementation(const HttpSettings& settings, Handler handler, Refusal refusal, Reloaded reloaded);
  void run();
  bool is_stopping() const noexcept { return shared_.stopping; }
  void stop() {
    boost::asio::post(shared_.context, [this] { begin_to_stop(); });
  }
  std::uint16_t port() const { return port_; }
  HttpCounts counts() const { return {open_, accepted_, crowded_, evicted_, shared_.dropped}; }

 private:
  void await_signal();
  void reload();
  void accept();
  void take(boost::asio::ip::tcp::socket socket);
  std::size_t count_of(const std::string& network) const;
  bool has_room(const std::string& network);
  bool evict(const std::function<bool(const connection::Connection&)>& may_go);
  void sweep();
  void begin_to_stop();
  void end(connection::Connection& ended);

  connection::Shared shared_;
  Reloaded reloaded_;
  std::unique_ptr<boost::asio::ssl::context> tls_;
  boost::asio::ip::tcp::acceptor acceptor_{shared_.context};
  boost::asio::signal_set signals_{shared_.context};
  boost::asio::steady_timer timer_{shared_.context};
  connection::Connections connections_;
  std::map<std::string, std::size_t> of_network_;  // how many of `connections_`, those beyond the limit left out
  std::size_t spare_ = 0;                          // those beyond the limit
  std::uint16_t port_ = 0;
  bool accepting_ = false;
  http_file::Clock::time_point stops_at_{};
  std::atomic<std::uint64_t> open_{0}, accepted_{0}, crowded_{0}, evicted_{0};
};

using http_file::Connection;
using http_file::ErrorCode;

HttpServer::Implementation::Implementation(const HttpSettings& settings, Handler handler, Refusal refusal,
                                           Reloaded reloaded)
    : reloaded_(std::move(reloaded)), tls_(stream::tls_context(settings)) {
  shared_.settings = settings;
  shared_.handler = std::move(handler);
  shared_.refusal = std::move(refusal);
  shared_.ended = [this](Connection& ended) { end(ended); };
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
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) signals_.add(signal);
}

void HttpServer::Implementation::run() {
  await_signal();
  accept();
  sweep();
  shared_.context.run();
}

void HttpServer::Implementation::await_signal() {
  signals_.async_wait([this](const ErrorCode& error, int signal) {
    if (error) return;
    if (signal != SIGHUP) return begin_to_stop();
    reload();
    await_signal();
  });
}

// Connections that are open keep the certificate with which they began.
void HttpServer::Implementation::reload() {
  try {
    tls_ = stream::tls_context(shared_.settings);
    reloaded_({});
  } catch (const Error& error) {
    reloaded_(error.what());
  }
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
  const std::string network = http_file::network_of(peer.address());
  const bool is_beyond_limit = !has_room(network);
  if (is_beyond_limit) {
    ++crowded_;
    const auto is_spare = [](const Connection& one) { return one.is_beyond_limit(); };
    if (spare_ >= shared_.settings.spare_connections && !evict(is_spare)) return;
  }
  std::unique_ptr<stream::Stream> stream;
  if (tls_) {
    stream = std::make_unique<stream::TlsStream>(std::move(socket), *tls_);
  } else {
    stream = std::make_unique<stream::PlainStream>(std::move(socket));
  }
  const auto taken = std::make_shared<Connection>(shared_, std::move(stream), peer.address().to_string(),
                                                  tls_ != nullptr, is_beyond_limit);
  taken->network = network;
  taken->place = connections_.insert(connections_.end(), taken);
  ++(is_beyond_limit ? spare_ : of_network_[network]);
  ++open_;
  taken->begin();
}

std::size_t HttpServer::Implementation::count_of(const std::string& network) const {
  const auto found = of_network_.find(network);
  return found == of_network_.end() ? 0 : found->second;
}

// Returns whether there is room for one more connection from this network, which one that does nothing may have to
// make.
bool HttpServer::Implementation::has_room(const std::string& network) {
  const HttpSettings& settings = shared_.settings;
  if (settings.most_connections_per_address != 0 && count_of(network) >= settings.most_connections_per_address) {
    return evict([&](const Connection& one) { return !one.is_beyond_limit() && one.network == network; });
  }
  if (connections_.size() - spare_ < settings.most_connections) return true;
  return evict([](const Connection& one) { return !one.is_beyond_limit(); });
}

// Closes one of the connections that may go: one that is over, or else, of those from the network with most
// connections, the one that has let the server wait for the longest time. Who sends requests as fast as a network
// allows so never gives way to those who send them byte by byte, or not at all.
bool HttpServer::Implementation::evict(const std::function<bool(const Connection&)>& may_go) {
  const auto comes_before = [&](const Connection& one, const Connection& other) {
    if (one.is_over() != other.is_over()) return one.is_over();
    const std::size_t here = count_of(one.network), there = count_of(other.network);
    return here != there ? here > there : one.begun() < other.begun();
  };
  std::shared_ptr<Connection> first;
  for (const auto& one : connections_) {
    if (!may_go(*one) || !(one->is_over() || one->is_waiting())) continue;
    if (!first || comes_before(*one, *first)) first = one;
  }
  if (!first) return false;
  ++evicted_;
  first->close();
  return true;
}

void HttpServer::Implementation::end(Connection& ended) {
  --open_;
  if (ended.is_beyond_limit()) {
    --spare_;
  } else if (const auto count = of_network_.find(ended.network); --count->second == 0) {
    of_network_.erase(count);
  }
  connections_.erase(ended.place);  // callbacks that are pending keep the connection itself
}

// One timer for all deadlines.
void HttpServer::Implementation::sweep() {
  constexpr std::chrono::milliseconds interval{100};
  const auto now = http_file::Clock::now();
  for (auto next = connections_.begin(); next != connections_.end();) {
    const std::shared_ptr<Connection> one = *next++;
    one->check(now);
  }
  if (!accepting_ && !shared_.stopping) accept();
  if (shared_.stopping && (connections_.empty() || now >= stops_at_)) return shared_.context.stop();
  timer_.expires_after(interval);
  timer_.async_wait([this](const ErrorCode&) { sweep(); });
}

void HttpServer::Implementation::begin_to_stop() {
  if (shared_.stopping.exchange(true)) return;
  stops_at_ = http_file::Clock::now() + shared_.settings.stop_time;
  ErrorCode ignored;
  acceptor_.close(ignored);
  for (auto next = connections_.begin(); next != connections_.end();) {
    const std::shared_ptr<Connection> one = *next++;
    if (one->is_idle()) one->close();
  }
}

// ---- The interface.

HttpServer::HttpServer(const HttpSettings& settings, Handler handler, Refusal refusal, Reloaded reloaded)
    : implementation_(
          std::make_unique<Implementation>(settings, std::move(handler), std::move(refusal), std::move(reloaded))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const noexcept { return implementation_->port(); }
HttpCounts HttpServer::counts() const noexcept { return implementation_->counts(); }
bool HttpServer::is_stopping() const noexcept { return implementation_->is_stopping(); }
void HttpServer::run() { implementation_->run(); }
void HttpServer::stop() { implementation_->stop(); }

void check_tls(const HttpSettings& settings) { stream::tls_context(settings); }

}  // namespace renyi::server
