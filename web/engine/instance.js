// One instance of the engine's WebAssembly module, with the little that it needs from its host: a clock. There are no
// files, no environment and no random bits.

const badDescriptor = 8; // EBADF of WASI
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the module imports. `memory` returns its memory, which exists only when the module has been instantiated. */
function host(memory) {
  let words = new Uint32Array(0); // the memory, which gets another buffer when it grows
  const write32 = (at, value) => {
    if (words.length === 0) words = new Uint32Array(memory().buffer);
    words[at >>> 2] = value;
  };
  return {
    wasi_snapshot_preview1: {
      // Every clock is the one that never runs backwards, also that of CPU time, which hosts do not tell: so that a limit
      // of CPU time is a limit of time.
      clock_time_get: (_clock, _precision, at) => {
        const nanoseconds = Math.round(performance.now() * 1e6);
        write32(at, nanoseconds % 2 ** 32);
        write32(at + 4, nanoseconds / 2 ** 32);
        return 0;
      },
      environ_sizes_get: (count, size) => {
        write32(count, 0);
        write32(size, 0);
        return 0;
      },
      environ_get: () => 0,
      fd_close: () => badDescriptor,
      fd_read: () => badDescriptor,
      fd_seek: () => badDescriptor,
      fd_write: () => badDescriptor,
      proc_exit: (status) => {
        throw new Error(`it ended with status ${status}`);
      },
    },
    env: { emscripten_notify_memory_growth: () => {} },
  };
}

export class Instance {
  #exports;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, host(() => this.#exports.memory)).exports;
    this.#exports._initialize();
  }

  get version() {
    return this.#text(this.#exports.renyi_version());
  }

  /** How many bytes the instance holds; memory that has grown never shrinks. */
  get bytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Answers one line of JSON. Throws if the engine stopped, after which this instance is of no use. */
  answer(line) {
    const { malloc, free, memory, renyi_answer } = this.#exports;
    const request = encoder.encode(line);
    const at = malloc(request.length + 1);
    if (at === 0) throw new Error('out of memory');
    new Uint8Array(memory.buffer).set(request, at);
    const answer = this.#text(renyi_answer(at, request.length));
    free(at);
    return answer;
  }

  /** Reads the text that ends with a zero. */
  #text(at) {
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }
}
