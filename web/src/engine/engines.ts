// The engines of the page: one for the number, which must be quick, one for the curves, and one for what takes longer.
// They share one compiled module.
import wasm from '@renyi/engine/renyi.wasm?url';
import { Asker } from './asker';

async function load(): Promise<WebAssembly.Module> {
  const answer = await fetch(wasm);
  if (!answer.ok) throw new Error(`renyi.wasm: status ${answer.status}`);
  // A static host may serve the file under another media type, for which streaming is refused.
  if (answer.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

const module = load();
// Whoever asks learns of a failure; without a question it need not be reported twice.
module.catch(() => undefined);

export const numberEngine = new Asker(module);
export const curveEngine = new Asker(module);

let background: Asker | undefined;

/** For calibration, statements and the catalogue: made when it is first needed. */
export function backgroundEngine(): Asker {
  background ??= new Asker(module);
  return background;
}
