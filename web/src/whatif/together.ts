// Two figures that are compared, in one frame.
import type { Axis, Figure, Series } from '../plots/figure';
import type { Curve } from '../plots/rule';

/** A and B in one frame. Where they count in different units, both are drawn by their share of the whole. */
export function together(a: Figure, b: Figure): Figure {
  const parts = [a, b].map((figure) => (a.x.label === b.x.label ? figure : byShare(figure)));
  const all = <Item>(items: (figure: Figure, run: number) => Item[]): Item[] => parts.flatMap(items);
  const words = (text: (figure: Figure) => string | undefined) =>
    all((figure, run) => (text(figure) ? [`${'AB'[run]}: ${text(figure)}`] : [])).join('; ');
  const union = (axis: Axis, ends: number[]): Axis => ({ ...axis, range: [Math.min(...ends), Math.max(...ends)] });
  return {
    ...b,
    subtitle: words(({ subtitle }) => subtitle),
    note: words(({ note }) => note),
    x: union(parts[1]!.x, all(({ x }) => x.range)),
    y: union(b.y, all(({ y }) => y.range)),
    series: all((figure, run) => figure.series.filter(({ role }) => run === 1 || role !== 'reference').map((series) => asRun(series, run))),
    marks: all((figure, run) => figure.marks.map((mark) => ({ ...mark, run, text: `${'AB'[run]}: ${mark.text}` }))),
  };
}

/** A series as that of A or B; what refers to neither keeps its name. */
function asRun(series: Series, run: number): Series {
  const own = series.role !== 'reference' && series.name !== '';
  return { ...series, run, name: own ? `${'AB'[run]}: ${series.name}` : series.name };
}

/** The rules of steps and of straight lines hold on every linear scale of x. */
function byShare(figure: Figure): Figure {
  const whole = figure.x.range[1];
  const scaled = <Ends extends Curve>(ends: Ends): Ends => ({ ...ends, x: ends.x.map((x) => (100 * x) / whole) });
  const series = figure.series.map((one) => ({ ...scaled(one), lower: one.lower && scaled(one.lower) }));
  return { ...figure, x: { label: '% of the training', scale: 'linear', range: [0, 100] }, series, marks: [] };
}
