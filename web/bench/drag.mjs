// Drags the noise slider of the built page for some seconds, with three live plots, and prints how long frames took and how
// soon the number belonged to the position of the slider. A screen shows 60 frames a second at most; without that limit the
// time between frames is what a frame takes.
// Usage: node bench/drag.mjs [SECONDS]
import { site, answer, drawn } from '../tests/browser/site.mjs';

const seconds = Number(process.argv[2] ?? 6);

/** Runs in the page: notes every frame, every position of the controls and every position of the number. */
function watch() {
  const controls = document.querySelector('.controls');
  const output = document.querySelector('#answer output');
  const record = { frames: [], latencies: [], drawn: 0 };
  let drawnNow = false;
  const drawing = new MutationObserver(() => (drawnNow = true));
  for (const picture of document.querySelectorAll('.plot .canvas svg')) drawing.observe(picture, { childList: true });
  let waiting = [];
  new MutationObserver(() => waiting.push({ key: controls.dataset.position, at: performance.now() })).observe(controls, {
    attributeFilter: ['data-position'],
  });
  let last = performance.now();
  let shown = '';
  const frame = (now) => {
    record.frames.push(now - last);
    last = now;
    if (drawnNow) record.drawn += 1;
    drawnNow = false;
    // What is in the document when a frame begins is what that frame shows.
    if (output.dataset.position !== shown) {
      shown = output.dataset.position;
      const index = waiting.map(({ key }) => key).lastIndexOf(shown);
      const seen = performance.now();
      for (const { at } of waiting.slice(0, index + 1)) record.latencies.push(seen - at);
      waiting = waiting.slice(index + 1);
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.dragRecord = record;
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const summary = (values) =>
  `median ${quantile(values, 0.5).toFixed(1)} ms, 95th percentile ${quantile(values, 0.95).toFixed(1)} ms, largest ${Math.max(...values).toFixed(1)} ms (${values.length})`;

async function drag(page, preset, low, high) {
  await page.getByRole('button', { name: preset, exact: true }).click();
  await answer(page);
  await drawn(page);
  const slider = await page.getByLabel('Noise multiplier, slider').boundingBox();
  const y = slider.y + slider.height / 2;
  const at = (share) => slider.x + slider.width * share;
  await page.mouse.move(at(low), y);
  await page.mouse.down();
  await page.evaluate(watch);
  const begin = Date.now();
  for (let step = 0; Date.now() - begin < 1000 * seconds; ++step) {
    await page.mouse.move(at(low + ((high - low) * (1 - Math.cos(step / 40))) / 2), y);
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
  await page.mouse.up();
  await answer(page);
  await page.waitForTimeout(100);
  return page.evaluate(() => window.dragRecord);
}

const browsers = { 'at 60 frames a second': [], 'without a limit': ['--disable-frame-rate-limit', '--disable-gpu-vsync'] };
const drags = { training: ['Training', 0.25, 0.6], 'fine-tuning': ['Fine-tuning', 0.1, 0.3] };
for (const [limit, args] of Object.entries(browsers)) {
  const { open, close } = await site(args);
  try {
    for (const [name, how] of Object.entries(drags)) {
      const page = await open();
      const record = await drag(page, ...how);
      console.log(`${name}, ${limit}: frames ${summary(record.frames.slice(2))}`);
      console.log(`${name}, ${limit}: number ${summary(record.latencies)}`);
      console.log(`${name}, ${limit}: frames in which curves were drawn anew: ${(record.drawn / seconds).toFixed(1)} a second`);
      await page.close();
    }
  } finally {
    await close();
  }
}
