// A live plot: drawn once, then fed with new data, so that it follows a slider without being built anew. Beside it a readout,
// the same numbers as a table, and the picture as SVG and PNG.
import type { ReadonlySignal } from '@preact/signals';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { nearest, roundedUp } from '../app/numbers';
import { scheme } from '../app/theme';
import { download } from '../share/download';
import { type Figure, looksLike, type Role, ticks, valueAt } from './figure';
import { pngOf, svgOf, tickText } from './svg';

interface PlotProps {
  name: string;
  figure: ReadonlySignal<Figure>;
  /** Whether what is drawn belongs to an older position than the number. */
  old: ReadonlySignal<boolean>;
}

/** Every plot has the same places for curves, so that pinning a configuration changes data only. */
const places: { role: Role; dashed: boolean }[] = [
  { role: 'reference', dashed: true },
  { role: 'pinned', dashed: true },
  { role: 'pinned', dashed: false },
  { role: 'current', dashed: true },
  { role: 'current', dashed: false },
];

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The data in uPlot's form: one list of positions, and a list of values for each place, with null where it has none. */
function dataOf(figure: Figure): uPlot.AlignedData {
  const tables = places.map(({ role, dashed }): uPlot.AlignedData => {
    const curve = figure.curves.find((one) => one.role === role && one.dashed === dashed);
    if (!curve) return [[], []];
    const drawn = curve.x.map((x, index) => [x, curve.y[index]!] as const).filter(([x]) => !figure.x.log || x > 0);
    const floor = figure.y.log ? figure.y.range[0] / 1e3 : -Infinity;
    return [drawn.map(([x]) => x), drawn.map(([, y]) => (Number.isFinite(y) ? Math.max(y, floor) : null))];
  });
  return uPlot.join(tables);
}

function optionsOf(current: () => Figure, size: { width: number; height: number }, readout: (x: number | undefined) => void): uPlot.Options {
  const ink = colour('ink-soft');
  const grid = { stroke: colour('grid'), width: 1 };
  const figure = current();
  const axis = (which: 'x' | 'y', space: number): uPlot.Axis => ({
    stroke: ink,
    grid,
    ticks: { ...grid, size: 5 },
    font: '12px system-ui, sans-serif',
    label: which === 'x' ? figure.x.label : undefined,
    labelFont: '12px system-ui, sans-serif',
    labelSize: 22,
    size: which === 'x' ? 30 : 52,
    // uPlot would leave out powers of ten that it finds crowded.
    filter: (_self, marks) => marks,
    splits: (self) => ticks(current()[which], Math.max(2, Math.floor((which === 'x' ? self.width : self.height) / space))),
    values: (_self, marks) => marks.map((mark) => tickText(mark, current()[which].log)),
  });
  return {
    ...size,
    pxAlign: 0,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, distr: figure.x.log ? 3 : 1, range: () => current().x.range },
      y: { distr: figure.y.log ? 3 : 1, range: () => current().y.range },
    },
    axes: [axis('x', 70), axis('y', 46)],
    series: [
      {},
      ...places.map(({ role, dashed }): uPlot.Series => ({
        stroke: colour(role),
        width: role === 'reference' ? 1.2 : 2.2,
        dash: dashed ? [6, 5] : undefined,
        spanGaps: true,
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [
        (self) => {
          const { left } = self.cursor;
          readout(left === undefined || left < 0 ? undefined : self.posToVal(left, 'x'));
        },
      ],
    },
  };
}

export function Plot({ name, figure, old }: PlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const pointer = useSignal<number | undefined>(undefined);

  const build = () => {
    const element = holder.current;
    if (!element) return;
    plot.current?.destroy();
    const size = { width: Math.max(200, element.clientWidth), height: element.clientHeight || 240 };
    const options = optionsOf(() => figure.peek(), size, (x) => (pointer.value = x));
    plot.current = new uPlot(options, dataOf(figure.peek()), element);
  };

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const element = holder.current;
      if (element && plot.current && element.clientWidth !== plot.current.width) {
        plot.current.setSize({ width: element.clientWidth, height: element.clientHeight });
      }
    });
    if (holder.current) observer.observe(holder.current);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, []);

  const kind = useRef('');
  const last = useRef<Figure | undefined>(undefined);
  useSignalEffect(() => {
    // Colours and kinds of scale are fixed when a plot is built; everything else is data.
    const { x, y } = figure.value;
    const now = `${scheme.value} ${x.log} ${y.log} ${x.label}`;
    if (!plot.current || kind.current !== now) {
      kind.current = now;
      build();
    } else if (!last.current || !looksLike(last.current, figure.value)) {
      plot.current.setData(dataOf(figure.value));
    }
    last.current = figure.value;
  });

  return (
    <figure class="plot" data-plot={name} data-old={old}>
      <Heading figure={figure} />
      <Legend figure={figure} pointer={pointer} />
      <div class="canvas" ref={holder} role="img" aria-label={figure.value.summary} />
      <Extras name={name} figure={figure} />
    </figure>
  );
}

function Heading({ figure }: { figure: ReadonlySignal<Figure> }) {
  return (
    <figcaption>
      <h3>{figure.value.title}</h3>
      <span class="waiting" aria-hidden="true">
        drawing …
      </span>
    </figcaption>
  );
}

/** The curves by their strokes, and under the pointer their values. */
function Legend({ figure, pointer }: { figure: ReadonlySignal<Figure>; pointer: ReadonlySignal<number | undefined> }) {
  const { curves, x, y } = figure.value;
  const at = pointer.value;
  return (
    <p class="legend">
      {curves
        .filter((curve) => curve.x.length > 0)
        .map((curve) => {
          const value = at === undefined ? undefined : valueAt(curve, at, x.log, y.log);
          return (
            <span class={`key ${curve.role}${curve.dashed ? ' dashed' : ''}`}>
              {curve.label}
              {value !== undefined && <b> {roundedUp(value, 4)}</b>}
            </span>
          );
        })}
      {at !== undefined && <span class="where">read off at {nearest(at, 4)}</span>}
    </p>
  );
}

/** A table and files of the same data, made when they are asked for. */
function Extras({ name, figure }: { name: string; figure: ReadonlySignal<Figure> }) {
  const open = useSignal(false);
  return (
    <div class="extras">
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>Numbers</summary>
        {open.value && <Numbers figure={figure.value} />}
      </details>
      <button type="button" class="quiet" aria-label={`${figure.peek().title} as SVG`} onClick={() => download(`renyi-${name}.svg`, svgOf(figure.value), 'image/svg+xml')}>
        SVG
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`${figure.peek().title} as PNG`}
        onClick={() => void pngOf(figure.value).then((picture) => download(`renyi-${name}.png`, picture))}
      >
        PNG
      </button>
    </div>
  );
}

function Numbers({ figure }: { figure: Figure }) {
  const curves = figure.curves.filter((curve) => curve.x.length > 0 && curve.role !== 'reference');
  const every = Math.max(1, Math.ceil((curves[0]?.x.length ?? 1) / 30));
  return (
    <div class="numbers-table" tabIndex={0} role="region" aria-label={`${figure.title}, as a table`}>
      {curves.map((curve) => (
        <table>
          <caption>{curve.label}</caption>
          <thead>
            <tr>
              <th scope="col">{figure.x.label}</th>
              <th scope="col">{figure.y.label}</th>
            </tr>
          </thead>
          <tbody>
            {curve.x.map((x, index) =>
              index % every === 0 || index === curve.x.length - 1 ? (
                <tr>
                  <td>{nearest(x, 4)}</td>
                  <td>{roundedUp(curve.y[index]!, 5)}</td>
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      ))}
    </div>
  );
}
