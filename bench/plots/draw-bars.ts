// A picture of several panels of bars, each bar made of one part or of several on top of each other.
import { drawAxis, escape, fillOf, picture, type Plane, round, text } from './svg.ts';

export interface Bar {
  /** What it is, where its colours do not say it. */
  name: string;
  parts: { series: string; value: number }[];
}

export interface Panel {
  title: string;
  groups: { label: string; bars: Bar[] }[];
}

export interface Series {
  name: string;
  color: number;
}

export interface BarChart {
  title: string;
  /** Of the vertical axes. */
  unit: string;
  /** With the number of its colour. */
  series: Series[];
  columns: number;
  /** Whether panels can be compared with each other by the height of their bars. */
  hasCommonScale: boolean;
  panels: Panel[];
  /** Lines below the panels. */
  notes: string[];
}

const WIDTH = 880;
const HEAD = 66;
const FOOT = 14;
const NOTE_HEIGHT = 16;
const PANEL_HEIGHT = 230;
const MARGIN = { left: 52, right: 10, top: 34, bottom: 26 };
/** Of the width that a group has. */
const GAP = 0.2;
const WIDEST_BAR = 44;
const LEGEND_CHARACTER_PX = 7;

export function drawBars(chart: BarChart): string {
  const { title, unit, panels, columns, hasCommonScale, notes } = chart;
  const rows = Math.ceil(panels.length / columns);
  const height = HEAD + rows * PANEL_HEIGHT + FOOT + notes.length * NOTE_HEIGHT;
  const highest = Math.max(...panels.map(highestOf), 0);
  return picture(title, WIDTH, height, [
    text(16, 24, title, { size: 15 }),
    ...drawLegend(chart.series),
    ...panels.flatMap((panel, index) => {
      const left = ((index % columns) * WIDTH) / columns;
      const top = HEAD + Math.floor(index / columns) * PANEL_HEIGHT;
      const plane: Plane = {
        left: left + MARGIN.left,
        right: left + WIDTH / columns - MARGIN.right,
        top: top + MARGIN.top,
        bottom: top + PANEL_HEIGHT - MARGIN.bottom,
      };
      const heading = text(left + 16, top + 14, `${panel.title} (${unit})`);
      return [heading, ...drawPanel(panel, plane, hasCommonScale ? highest : highestOf(panel), chart.series)];
    }),
    ...notes.map((note, index) =>
      text(16, height - FOOT - (notes.length - 1 - index) * NOTE_HEIGHT, note, { size: 11 }),
    ),
  ]);
}

function drawLegend(series: readonly Series[]): string[] {
  let x = 16;
  return series.map(({ name, color }) => {
    const shape =
      `<rect class="${fillOf(color)}" x="${x}" y="38" width="12" height="12" rx="2"/>` +
      text(x + 17, 48, name);
    x += 40 + name.length * LEGEND_CHARACTER_PX;
    return shape;
  });
}

function drawPanel(panel: Panel, plane: Plane, highest: number, series: readonly Series[]): string[] {
  const axis = drawAxis(plane, highest);
  const groupWidth = (plane.right - plane.left) / panel.groups.length;
  const groups = panel.groups.flatMap(({ label, bars }, index) => {
    const left = plane.left + index * groupWidth;
    const width = Math.min(WIDEST_BAR, (groupWidth * (1 - GAP)) / bars.length);
    const first = left + (groupWidth - width * bars.length) / 2;
    return [
      ...bars.map((bar, number) => drawBar(bar, first + number * width, width, axis.y, series)),
      text(left + groupWidth / 2, plane.bottom + 16, label, { anchor: 'middle' }),
    ];
  });
  return [...axis.shapes, ...groups];
}

function drawBar(
  bar: Bar,
  left: number,
  width: number,
  y: (value: number) => number,
  series: readonly Series[],
): string {
  let sum = 0;
  const shapes = bar.parts.map(({ series: name, value }) => {
    const bottom = y(sum);
    sum += value;
    const hint = `<title>${escape(`${bar.name}: ${name} ${shorten(value)}`)}</title>`;
    return (
      `<rect class="${fillOf(colorOf(name, series))}" x="${round(left + 1)}" y="${round(y(sum))}" ` +
      `width="${round(width - 2)}" height="${round(bottom - y(sum))}">${hint}</rect>`
    );
  });
  return shapes.join('') + text(left + width / 2, y(sum) - 4, shorten(sum), { anchor: 'middle', size: 10 });
}

const colorOf = (wanted: string, series: readonly Series[]): number =>
  series.find(({ name }) => name === wanted)?.color ?? 0;

/** Two or three digits: 4.92k, 312, 85, 0.85. */
export function shorten(value: number): string {
  if (value >= 1000) return `${Number((value / 1000).toPrecision(3))}k`;
  return `${value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}`;
}

const highestOf = ({ groups }: Panel): number =>
  Math.max(
    0,
    ...groups.flatMap(({ bars }) =>
      bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)),
    ),
  );
