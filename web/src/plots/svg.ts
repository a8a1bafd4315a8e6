// A figure as SVG: the live plot, whose colours are those of the page, and a document of its own with title and legend,
// readable in light surroundings and with nothing that lies elsewhere.
import { nearest } from '../app/numbers';
import { type Axis, type Figure, isPoint, type Series, strokeOf, ticks } from './figure';
import { type Dot, type Frame, linesOf, type Paper, paperOf } from './polygon';

export interface Size {
  width: number;
  height: number;
}

const page = { current: 'var(--current)', pinned: 'var(--pinned)', reference: 'var(--reference)', grid: 'var(--grid)', ink: 'var(--ink-soft)', edge: 'var(--line)' };
const print: Record<keyof typeof page, string> = { current: '#0f6b66', pinned: '#b4540a', reference: '#8a8f98', grid: '#e3e5e8', ink: '#22262b', edge: '#9aa0a8' };
const dashes = { solid: '', dashed: ' stroke-dasharray="6 5"', dotted: ' stroke-dasharray="2 4"' };
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function tickText(value: number, log: boolean): string {
  if (value === 0) return '0';
  if (log && (value < 0.001 || value >= 1e5)) return `1e${Math.round(Math.log10(value))}`;
  return nearest(value, 4);
}

/** The frame of a live plot, in which the pointer reads values. */
export const frameOf = ({ width, height }: Size): Frame => ({ left: 58, right: width - 10, top: 8, bottom: height - 44 });

const dots = (line: Dot[]) => line.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L');
const path = (lines: Dot[][]) => lines.map((line) => `M${dots(line)}`).join('');

function curve(series: Series, paper: Paper, colours: typeof page): string {
  const { colour, dash } = strokeOf(series);
  const stroke = `stroke="${colours[colour]}" stroke-width="${colour === 'reference' ? 1.2 : 2.2}"${dashes[dash]}`;
  const upper = linesOf(series, paper);
  const lower = series.lower ? linesOf(series.lower, paper) : [];
  const [first, last] = [upper[0], lower[0]];
  const band = first && last ? `<path d="M${dots([...first, ...[...last].reverse()])}Z" fill="${colours[colour]}" fill-opacity="0.15"/>` : '';
  return `${band}<path d="${path([...upper, ...lower])}" fill="none" ${stroke}/>`;
}

function mark({ x, y, run }: Figure['marks'][number], paper: Paper, { left, right, top, bottom }: Frame, colours: typeof page): string {
  const colour = colours[strokeOf({ role: 'highlight', run }).colour];
  if (x !== undefined && y !== undefined) return `<circle cx="${paper.x(x).toFixed(2)}" cy="${paper.y(y).toFixed(2)}" r="4.5" fill="${colour}"/>`;
  const line = x !== undefined ? `M${paper.x(x).toFixed(2)} ${top}V${bottom}` : `M${left} ${paper.y(y!).toFixed(2)}H${right}`;
  return `<path d="${line}" stroke="${colours.reference}" stroke-dasharray="2 3"/>`;
}

function gridOf({ x, y }: Figure, paper: Paper, { left, right, top, bottom }: Frame, colours: typeof page): string {
  const marks = (axis: Axis, length: number, apart: number) => ticks(axis, Math.max(2, Math.floor(length / apart))).map((value) => [value, tickText(value, axis.scale === 'log')] as const);
  const vertical = marks(x, right - left, 70).map(([value, text]) => {
    const at = paper.x(value).toFixed(2);
    return `<path d="M${at} ${top}V${bottom}" stroke="${colours.grid}"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${text}</text>`;
  });
  const horizontal = marks(y, bottom - top, 46).map(([value, text]) => {
    const at = paper.y(value);
    return `<path d="M${left} ${at.toFixed(2)}H${right}" stroke="${colours.grid}"/><text x="${left - 8}" y="${(at + 4).toFixed(2)}" text-anchor="end">${text}</text>`;
  });
  return [...vertical, ...horizontal].join('');
}

function content(figure: Figure, frame: Frame, colours: typeof page): string {
  const { left, right, top, bottom } = frame;
  const paper = paperOf(figure.x, figure.y, frame);
  const place = `x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"`;
  // Ids are those of the whole page, and frames of one place are the same.
  const clip = `frame-${left}-${top}-${right}-${bottom}`;
  return (
    `<defs><clipPath id="${clip}"><rect ${place}/></clipPath></defs>${gridOf(figure, paper, frame, colours)}` +
    `<g clip-path="url(#${clip})">${figure.series.map((series) => curve(series, paper, colours)).join('')}${figure.marks.map((one) => mark(one, paper, frame, colours)).join('')}</g>` +
    `<rect ${place} fill="none" stroke="${colours.edge}"/><text x="${(left + right) / 2}" y="${bottom + 37}" text-anchor="middle">${escaped(figure.x.label)}</text>`
  );
}

/** The inner part of a live plot; the page names the y axis in its heading. */
export const liveOf = (figure: Figure, size: Size): string => `<g font-size="12" fill="${page.ink}">${content(figure, frameOf(size), page)}</g>`;

/** What stands in the legend: curves and points with their strokes. */
function legendOf({ series, marks }: Figure, left: number): { text: string; rows: number } {
  const keys = [
    ...series.filter(({ name }) => name !== '').map((one) => ({ text: one.name, draw: (x: number, y: number) => `<path d="M${x} ${y}h26" stroke="${print[strokeOf(one).colour]}" stroke-width="2.2"${dashes[strokeOf(one).dash]}/>` })),
    ...marks.map((one) => ({
      text: one.text,
      draw: (x: number, y: number) =>
        isPoint(one)
          ? `<circle cx="${x + 13}" cy="${y}" r="4.5" fill="${print[strokeOf({ role: 'highlight', run: one.run }).colour]}"/>`
          : `<path d="M${x} ${y}h26" stroke="${print.reference}" stroke-dasharray="2 3"/>`,
    })),
  ];
  const row = (index: number) => 66 + 18 * index;
  return { text: keys.map(({ text, draw }, index) => `${draw(left, row(index) - 4)}<text x="${left + 34}" y="${row(index)}">${escaped(text)}</text>`).join(''), rows: keys.length };
}

const sizeOf = ({ series, marks }: Figure): Size => ({ width: 760, height: 460 + 18 * (series.length + marks.length) });

export function svgOf(figure: Figure, summary: string): string {
  const { width, height } = sizeOf(figure);
  const legend = legendOf(figure, 78);
  const frame = { left: 78, right: width - 24, top: 66 + 18 * legend.rows, bottom: height - 58 };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12" fill="${print.ink}">` +
    `<title>${escaped(figure.title)}</title><desc>${escaped(summary)}</desc><rect width="${width}" height="${height}" fill="#fff"/>` +
    `<text x="${frame.left}" y="22" font-size="15" font-weight="600">${escaped(figure.title)}</text><text x="${frame.left}" y="42" fill="#565e66">${escaped(figure.subtitle)}</text>` +
    `${legend.text}${content(figure, frame, print)}` +
    `<text transform="translate(18 ${(frame.top + frame.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(figure.y.label)}</text></svg>\n`
  );
}

/** The same picture as pixels, twice as fine as on the screen. */
export async function pngOf(figure: Figure, summary: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svgOf(figure, summary)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    const { width, height } = sizeOf(figure);
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
