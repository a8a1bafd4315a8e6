// For tests of the view "Budgets": a real `renyi serve` on a ledger of its own, and in front of it the built page, under one
// address and with the headers that the server itself sends. A front without a server is static hosting.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { command, folder } from './site.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves the files of the page, and passes /v1 on to a server if there is one. */
export function front(server, headers = {}) {
  const listener = http.createServer((request, response) => {
    const path = new URL(request.url, 'http://front').pathname;
    if (server && path.startsWith('/v1/')) {
      const { hostname, port } = new URL(server);
      // The server knows its own name; towards it, the front's address stands for its own.
      const own = { ...request.headers, host: `${hostname}:${port}` };
      if (own.origin) own.origin = server;
      const passed = http.request({ hostname, port, path: request.url, method: request.method, headers: own }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
      return;
    }
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', ...headers }).end(readFileSync(file));
  });
  return new Promise((resolve) =>
    listener.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${listener.address().port}`, close: () => (listener.closeAllConnections(), listener.close()) }),
    ),
  );
}

/** Starts `renyi serve` and waits until it listens; `token` is the administrator's. */
export async function start(more = []) {
  const data = mkdtempSync(join(tmpdir(), 'renyi-budgets-'));
  // The demonstration keeps nothing, so that it has a place of its own.
  const place = more.includes('--demo') ? [] : ['--data', data];
  const child = spawn(command, ['serve', '--listen', '127.0.0.1:0', ...place, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const hear = (part) => {
      said += part;
      const found = /listening on (http:\/\/\S+)/.exec(said);
      if (found && /renyi_[\w-]{43}/.test(said)) resolve(found[1]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', () => reject(new Error(`renyi serve ended: ${said}`)));
  });
  const token = /renyi_[\w-]{43}/.exec(said)[0];
  const answer = await fetch(`${url}/`);
  const names = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'];
  const headers = Object.fromEntries(names.filter((name) => answer.headers.has(name)).map((name) => [name, answer.headers.get(name)]));
  const stop = async () => {
    child.removeAllListeners('exit');
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { url, token, data, headers, stop };
}

/** Asks the server as a program does, by a token. */
export function client(url, token) {
  let count = 0;
  const ask = async (method, path, body, key) => {
    const headers = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    const answer = await fetch(`${url}/v1/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    const value = text === '' ? {} : JSON.parse(text);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return value;
  };
  return {
    ledger: (verb, body = {}) => ask('POST', `ledger/${verb}`, body, `test-${verb}-${++count}-${Math.random()}`),
    token: (order) => ask('POST', 'tokens', order),
    ask,
  };
}

/** The answer of the native program to the same question. */
export function native(ledger, request) {
  const run = spawnSync(command, ['batch'], { input: JSON.stringify({ op: 'ledger', ledger, ...request }), encoding: 'utf8' });
  return JSON.parse(run.stdout);
}
