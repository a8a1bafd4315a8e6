// A live plot: the picture of a figure, under the pointer the values of its rules, and the same figure as a table and as files.
import type { ReadonlySignal } from '@preact/signals';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { nearest, roundedDown, roundedUp } from '../app/numbers';
import { download } from '../share/download';
import { csvOf, type Figure, isPoint, type Series, strokeOf } from './figure';
import { paperOf } from './polygon';
import { valueAt } from './rule';
import { frameOf, liveOf, pngOf, type Size, svgOf } from './svg';

export interface Shown {
  title: string;
  /** The plot in one sentence, for those who do not see it. */
  summary: string;
  figure?: Figure;
  fault?: string;
}

interface PlotProps {
  name: string;
  shown: ReadonlySignal<Shown>;
  /** Whether what is drawn belongs to an older position than the number. */
  old: ReadonlySignal<boolean>;
}

/** The abscissa that is printed is the one at which curves are read, so that what is said of it holds. */
const printable = (x: number) => Number(nearest(x, 4));

/** The value of a curve by its rule, rounded as its bound is; empty where it has none. */
function readout(series: Series, x: number, digits: number): string {
  const { bound, lower } = series;
  const value = valueAt(series, x, bound !== 'lower');
  if (Number.isNaN(value)) return '';
  const text = bound === 'upper' ? roundedUp(value, digits) : bound === 'lower' ? roundedDown(value, digits) : nearest(value, digits);
  const least = lower ? valueAt(lower, x, false) : NaN;
  return Number.isNaN(least) ? text : `${roundedDown(least, digits)} to ${text}`;
}

export function Plot({ name, shown, old }: PlotProps) {
  const { title, summary, figure, fault } = shown.value;
  const note = fault === undefined ? figure?.note : `There is no curve: ${fault}`;
  const pointer = useSignal<number | undefined>(undefined);
  return (
    <figure class="plot" data-plot={name} data-old={old}>
      <figcaption>
        <h3>{title}</h3>
        <span class="waiting" aria-hidden="true">
          drawing …
        </span>
      </figcaption>
      <Legend figure={figure} at={pointer} />
      <Canvas shown={shown} pointer={pointer} summary={summary} />
      {note && <p class="note">{note}</p>}
      <Extras name={name} shown={shown} />
    </figure>
  );
}

function Canvas({ shown, pointer, summary }: { shown: ReadonlySignal<Shown>; pointer: { value: number | undefined }; summary: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const size = useSignal<Size>({ width: 400, height: 250 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) size.value = { width: Math.max(200, entry.contentRect.width), height: entry.contentRect.height || 250 };
    });
    if (holder.current) observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);
  // Titles and summaries change with the number; what is drawn only with the figure.
  const figure = useComputed(() => shown.value.figure);
  const picture = useComputed(() => (figure.value ? liveOf(figure.value, size.value) : ''));
  const frame = frameOf(size.value);
  const paper = figure.value && paperOf(figure.value.x, figure.value.y, frame);
  const read = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left;
    pointer.value = paper && place >= frame.left && place <= frame.right ? printable(paper.valueAtX(place)) : undefined;
  };
  const at = pointer.value;
  return (
    <div class="canvas" ref={holder} role="img" aria-label={summary} onPointerMove={read} onPointerLeave={() => (pointer.value = undefined)}>
      <svg aria-hidden="true" width={size.value.width} height={size.value.height} dangerouslySetInnerHTML={{ __html: picture.value }} />
      {paper && at !== undefined && <i class="pointer" style={{ left: paper.x(at), top: frame.top, height: frame.bottom - frame.top }} />}
    </div>
  );
}

/** Curves and points by their strokes, and under the pointer the values of the curves. */
function Legend({ figure, at }: { figure: Figure | undefined; at: ReadonlySignal<number | undefined> }) {
  const x = at.value;
  return (
    <p class="legend">
      {figure?.series
        .filter(({ name }) => name !== '')
        .map((series) => {
          const { colour, dash } = strokeOf(series);
          return (
            <span class={`key ${colour} ${dash}`}>
              {series.name}
              {x !== undefined && <b> {readout(series, x, 4)}</b>}
            </span>
          );
        })}
      {figure?.marks.map((mark) => (
        <span class={isPoint(mark) ? `mark ${strokeOf({ role: 'highlight', run: mark.run }).colour}` : 'key reference dotted'}>{mark.text}</span>
      ))}
      {x !== undefined && <span class="where">read off at {nearest(x, 4)}</span>}
    </p>
  );
}

/** A table and files of the same figure, made when they are asked for. */
function Extras({ name, shown }: { name: string; shown: ReadonlySignal<Shown> }) {
  const open = useSignal(false);
  const { title, summary, figure } = shown.value;
  const save = (kind: string, content: (figure: Figure) => Blob | string | Promise<Blob>, type?: string) => (
    <button
      type="button"
      class="quiet"
      disabled={!figure}
      aria-label={`${title} as ${kind.toUpperCase()}`}
      onClick={() => figure && void Promise.resolve(content(figure)).then((made) => download(`renyi-${name}.${kind}`, made, type))}
    >
      {kind.toUpperCase()}
    </button>
  );
  return (
    <div class="extras">
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>Numbers</summary>
        {open.value && figure && <Numbers title={title} figure={figure} />}
      </details>
      {save('csv', csvOf, 'text/csv')}
      {save('svg', (of) => svgOf(of, summary), 'image/svg+xml')}
      {save('png', (of) => pngOf(of, summary))}
    </div>
  );
}

/** The most rows of a curve in the table; the file has all of its points. */
const most = 30;

function Numbers({ title, figure }: { title: string; figure: Figure }) {
  return (
    <div class="numbers-table" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      {figure.series
        .filter(({ role }) => role !== 'reference')
        .map((series) => {
          const every = Math.max(1, Math.ceil(series.x.length / most));
          const xs = series.x.filter((_, index) => index % every === 0 || index === series.x.length - 1).map(printable);
          return (
            <table>
              <caption>{series.name}</caption>
              <thead>
                <tr>
                  <th scope="col">{figure.x.label}</th>
                  <th scope="col">{figure.y.label}</th>
                </tr>
              </thead>
              <tbody>
                {[...new Set(xs)]
                  .map((x) => [x, readout(series, x, 5)] as const)
                  .filter(([, value]) => value !== '')
                  .map(([x, value]) => (
                    <tr>
                      <td>{nearest(x, 4)}</td>
                      <td>{value}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          );
        })}
    </div>
  );
}
