// The example of the package's README prints what it says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { engineDirectory } from './native.js';
import { root } from './requests.js';

for (const document of ['web/engine/README.md', 'docs/guide/wasm.md']) {
  test(`the example of ${document}`, () => {
    const text = readFileSync(join(root, document), 'utf8');
    const [, example] = text.match(/```js\n([^]*?)```/);
    const [, printed] = text.match(/It prints ([\d.]*\d)/);
    const input = example.replace("'@renyi/engine'", JSON.stringify(new URL('index.js', engineDirectory).href));
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], { input, encoding: 'utf8' });
    assert.equal(stdout.trim(), printed, stderr);
  });
}
