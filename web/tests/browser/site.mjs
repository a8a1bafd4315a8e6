// The built page for tests: served from a folder with the policy that `renyi serve` sends, opened in Debian's Chromium.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const folder = process.env.RENYI_PAGE ?? fileURLToPath(new URL('../../../build/web', import.meta.url));
export const command = process.env.RENYI_COMMAND ?? fileURLToPath(new URL('../../../build/bin/renyi', import.meta.url));

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves the page below /deep/folder/, since it must work in any folder. */
export async function serve() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const name = path.replace(/^\/deep\/folder\//, '');
    const file = join(folder, normalize(name === '' ? 'index.html' : name));
    if (name === path || !file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/deep/folder/`, close: () => server.close() };
}

export const launch = (more = []) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', ...more],
  });

/** A server and a browser for the tests of a file, and pages whose complaints and requests are written down. */
export async function site(more = []) {
  const server = await serve();
  const browser = await launch(more);
  const complaints = [];
  const requests = [];
  const open = async ({ fragment = '', ...options } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      // The browser notes that static files do not answer the question whether there is a server.
      const asksForServer = message.location().url.endsWith('/v1/session');
      if (['error', 'warning'].includes(message.type()) && !asksForServer) complaints.push(message.text());
    });
    page.on('pageerror', (failure) => complaints.push(String(failure)));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(server.address + fragment);
    return page;
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { address: server.address, browser, complaints, requests, open, close };
}

/** The number, once it belongs to the controls as they are. */
export async function answer(page) {
  await page.waitForFunction(() => {
    const wanted = document.querySelector('.controls')?.getAttribute('data-position');
    const output = document.querySelector('#answer output');
    return wanted && output?.getAttribute('data-position') === wanted && output.textContent !== '…';
  });
  return page.locator('#answer output').textContent();
}

/** The request that the controls amount to. */
export const position = async (page) => JSON.parse(await page.locator('.controls').getAttribute('data-position'));

/** Waits until no plot is older than the number, and all have a curve. */
export async function drawn(page) {
  await page.waitForFunction(
    () =>
      document.querySelectorAll('.plot[data-old="false"]').length === 3 &&
      document.querySelectorAll('.plot .key.current').length >= 3,
  );
}
