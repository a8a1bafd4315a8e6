"""The usual way beside ours: an HTTP service around dp-accounting, for bench/server/load.py.

Usage: peer_service.py PORT PROCESSES
It answers the questions of load.py (op "epsilon" with "want", and "delta", of sampled Gaussian steps) by dp-accounting's
accountants with their defaults, in several processes that share the port.
"""

import http.server
import json
import os
import socket
import sys

import dp_accounting
from dp_accounting import pld, rdp


def event(step):
    gaussian = dp_accounting.GaussianDpEvent(step["noise_multiplier"])
    sampled = dp_accounting.PoissonSampledDpEvent(step["sampling_rate"], gaussian)
    return dp_accounting.SelfComposedDpEvent(sampled, step["count"])


def answer(question):
    by_renyi = question.get("want") == ["renyi"]
    accountant = rdp.RdpAccountant() if by_renyi else pld.PLDAccountant()
    for step in question["steps"]:
        accountant.compose(event(step))
    if question["op"] == "epsilon":
        return {"epsilon": accountant.get_epsilon(question["delta"])}
    return {"delta": accountant.get_delta(question["epsilon"])}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answer(question)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256

    def server_bind(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        super().server_bind()


def main():
    port, processes = int(sys.argv[1]), int(sys.argv[2])
    for _ in range(processes - 1):
        if os.fork() == 0:
            break
    Server(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
