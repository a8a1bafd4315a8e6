// renyi in this thread: requests of docs/format/requests.md, and their answers.
import { Instance } from './instance.js';

// An instance that holds more after an answer is replaced, so that one large question does not cost its memory forever.
const mostBytes = 256 * 2 ** 20;

const isNode = typeof process === 'object' && typeof process.versions?.node === 'string';

/** Reads and compiles renyi.wasm: the one beside this file, or that at `url`. */
export async function compile(url = new URL('./renyi.wasm', import.meta.url)) {
  const address = url instanceof URL ? url : new URL(url, isNode ? import.meta.url : globalThis.location?.href);
  if (isNode && address.protocol === 'file:') {
    const files = 'node:fs/promises'; // no bundler looks for it
    const { readFile } = await import(/* @vite-ignore */ files);
    return WebAssembly.compile(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  // Streaming is refused for another media type, under which some hosts serve the file.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The id that an answer repeats, where the request can be read and has one. */
function idOf(line) {
  try {
    const { id } = JSON.parse(line);
    return typeof id === 'string' || id === null || Number.isSafeInteger(id) ? { id } : {};
  } catch {
    return {};
  }
}

function stopped(line, failure) {
  const why = failure instanceof Error ? failure.message : String(failure);
  const error = { kind: 'internal', message: `the engine stopped: ${why}; it has been started anew`, path: '' };
  return JSON.stringify({ error, ...idOf(line) });
}

class Engine {
  #module;
  #instance;
  #version;

  constructor(module) {
    this.#module = module;
    this.#instance = new Instance(module);
    this.#version = this.#instance.version;
  }

  get version() {
    return this.#version;
  }

  ask(request) {
    return JSON.parse(this.askText(typeof request === 'string' ? request : JSON.stringify(request)));
  }

  askText(line) {
    try {
      this.#instance ??= new Instance(this.#module);
      const answer = this.#instance.answer(line);
      if (this.#instance.bytes > mostBytes) this.#instance = undefined;
      return answer;
    } catch (failure) {
      // Whatever the instance held may be half changed.
      this.#instance = undefined;
      return stopped(line, failure);
    }
  }
}

/** Makes an engine in this thread, of a compiled module, of the bytes of renyi.wasm, or of its address. */
export async function createEngine({ wasm } = {}) {
  if (wasm instanceof WebAssembly.Module) return new Engine(wasm);
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return new Engine(await WebAssembly.compile(wasm));
  return new Engine(await compile(wasm));
}
