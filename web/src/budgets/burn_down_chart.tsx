// The chart of a budget over time: what was spent rises in steps towards the budget, whose changes are marked.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { nearest, roundedDown, roundedUp } from '../app/numbers';
import { scheme } from '../app/theme';
import { download } from '../share/download';
import { type BurnDown, highest, pngOf, summaryOf, svgOf } from './burn_down';
import { Time } from './parts';

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Dates or times, whichever tell marks apart that are so many seconds apart, in the words of the reader's language. */
function datesBy(apart: number): (mark: number) => string {
  const options: Intl.DateTimeFormatOptions =
    apart >= 27 * 86400
      ? { month: 'short', year: 'numeric' }
      : apart >= 86400
        ? { day: 'numeric', month: 'short' }
        : { hour: '2-digit', minute: '2-digit', ...(apart < 60 ? { second: '2-digit' } : {}) };
  const format = new Intl.DateTimeFormat(undefined, options);
  return (mark) => format.format(new Date(1000 * mark));
}

function optionsOf(burn: BurnDown, width: number, height: number, readout: (index: number | undefined) => void): uPlot.Options {
  const ink = colour('--ink-soft');
  const grid = { stroke: colour('--grid'), width: 1 };
  const axis: uPlot.Axis = { stroke: ink, grid, ticks: { ...grid, size: 5 }, font: '12px system-ui, sans-serif' };
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const change = colour('--pinned');
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: true }, y: { range: () => [0, highest(burn)] } },
    padding: [null, 40, null, null], // half of the last time
    axes: [{ ...axis, size: 30, space: 76, values: (_, marks, _axis, _space, apart) => marks.map(datesBy(apart)) }, { ...axis, size: 62, values: (_, marks) => marks.map((mark) => nearest(mark, 4)) }],
    series: [
      {},
      { stroke: colour('--current'), fill: colour('--accent-soft'), width: 2.2, paths: steps, points: { show: false } },
      { stroke: change, width: 1.8, dash: [6, 5], paths: steps, points: { show: false } },
    ],
    hooks: {
      setCursor: [({ cursor: { idx } }) => readout(idx ?? undefined)],
      draw: [
        (self) => {
          const { ctx } = self;
          ctx.save();
          ctx.fillStyle = change;
          for (const { time, to } of burn.changes) {
            ctx.beginPath();
            ctx.arc(self.valToPos(time, 'x', true), self.valToPos(to, 'y', true), 4 * devicePixelRatio, 0, 2 * Math.PI);
            ctx.fill();
          }
          ctx.restore();
        },
      ],
    },
  };
}

export function BurnDownChart({ burn, file }: { burn: BurnDown; file: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | undefined>(undefined);
  const dark = scheme.value;
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const build = () => new uPlot(optionsOf(burn, Math.max(200, element.clientWidth), element.clientHeight || 240, setAt), [burn.times, burn.spent, burn.limits], element);
    let plot = build();
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: Math.max(200, element.clientWidth), height: element.clientHeight || 240 });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [burn, dark]);
  const shown = at ?? burn.times.length - 1;
  return (
    <figure class="plot burn-down">
      <p class="legend">
        <span class="key current">
          spent <b>{roundedUp(burn.spent[shown] ?? 0, 4)}</b>
        </span>
        <span class="key pinned dashed">
          budget <b>{nearest(burn.limits[shown] ?? 0, 4)}</b>
        </span>
        <span class="where">
          {at === undefined ? 'now' : <Time of={new Date(1000 * (burn.times[shown] ?? 0)).toISOString()} />}, {burn.charges[shown] ?? 0} charges
        </span>
      </p>
      <div class="canvas" ref={holder} role="img" aria-label={summaryOf(burn)} />
      <div class="extras">
        <Numbers burn={burn} />
        <button type="button" class="quiet" aria-label="Burn-down as SVG" onClick={() => download(`${file}.svg`, svgOf(burn), 'image/svg+xml')}>
          SVG
        </button>
        <button type="button" class="quiet" aria-label="Burn-down as PNG" onClick={() => void pngOf(burn).then((blob) => download(`${file}.png`, blob))}>
          PNG
        </button>
      </div>
    </figure>
  );
}

const most = 200;

function Numbers({ burn }: { burn: BurnDown }) {
  const [open, setOpen] = useState(false);
  // The last point is the present, which repeats the last entry.
  const rows = burn.times.slice(0, -1).map((_, index) => index).reverse();
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers</summary>
      {open && (
        <div class="scroll numbers-table" tabIndex={0} role="region" aria-label={`${burn.title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Entry</th>
                <th scope="col">Charges</th>
                <th scope="col">{burn.name} spent</th>
                <th scope="col">Budget</th>
                <th scope="col">Left</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, most).map((index) => (
                <tr>
                  <td>
                    <Time of={new Date(1000 * burn.times[index]!).toISOString()} seconds />
                  </td>
                  <td>{burn.entries[index]}</td>
                  <td>{burn.charges[index]}</td>
                  <td>{roundedUp(burn.spent[index]!, 5)}</td>
                  <td>{nearest(burn.limits[index]!, 5)}</td>
                  <td>{roundedDown(burn.left[index]!, 5)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > most && <p class="help">The newest {most} of {rows.length} points; the pictures have all.</p>}
        </div>
      )}
    </details>
  );
}
