'use client';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { cx } from '#components/ui/cx.ts';
import { watchTheme } from '#components/shell/theme.ts';
import type { DeliveryReportRow } from '#lib/screens/report-types.ts';
import { formatDay, inDigits } from './report-span.ts';

/** What messages are counted as, from the bottom of a bar to its top: together all that were accepted. */
const PARTS: readonly {
  label: string;
  color: string;
  dot: string;
  count: (day: DeliveryReportRow) => number;
}[] = [
  { label: 'Read', color: '--color-success', dot: 'bg-success', count: ({ read }) => read },
  {
    ...{ label: 'Delivered, not read', color: '--color-accent', dot: 'bg-accent' },
    count: ({ delivered, read }) => delivered - read,
  },
  {
    ...{ label: 'Sent, not delivered', color: '--color-cable-blue', dot: 'bg-cable-blue' },
    count: ({ sent, delivered }) => sent - delivered,
  },
  {
    ...{ label: 'No status yet', color: '--color-line-strong', dot: 'bg-line-strong' },
    count: ({ accepted, sent, failed }) => accepted - sent - failed,
  },
  { label: 'Failed', color: '--color-danger', dot: 'bg-danger', count: ({ failed }) => failed },
];

const HEIGHT_PX = 208;
const FONT = '12px ui-sans-serif, system-ui, sans-serif';
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The messages of each day as a bar. The table below has the same numbers, for those who do not see it. */
export function DaysChart({ days }: { days: readonly DeliveryReportRow[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    const width = (): number => Math.max(current.clientWidth, 100);
    const draw = () =>
      new uPlot(toOptions(current, { days, width: width(), onPoint: setPointed }), toColumns(days), current);
    let chart = draw();
    const stop = watchTheme(() => {
      chart.destroy();
      chart = draw();
    });
    const observer = new ResizeObserver(() => chart.setSize({ width: width(), height: HEIGHT_PX }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      stop();
      chart.destroy();
    };
  }, [days]);
  const shown = pointed === null ? undefined : days[pointed];
  return (
    <figure className="rounded-lg border border-line bg-surface px-4 pt-4 pb-3 shadow-raised">
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
        <span className="font-medium">
          {shown ? `${formatDay(shown.key)}: ${inDigits(shown.accepted)} accepted` : 'Messages by day'}
        </span>
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
          {PARTS.filter(({ count }) => days.some((day) => count(day) > 0)).map(({ label, dot, count }) => (
            <span key={label} className="flex items-center gap-1.5">
              <span aria-hidden className={cx('size-2 rounded-full', dot)} />
              {label}
              {shown && <span className="text-ink tabular-nums">{inDigits(count(shown))}</span>}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={place} role="img" aria-label={describe(days)} style={{ height: HEIGHT_PX }} />
    </figure>
  );
}

/** The picture in words. */
export function describe(days: readonly DeliveryReportRow[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return 'No messages';
  const most = days.reduce((best, day) => (day.accepted > best.accepted ? day : best));
  const span = `Messages by day from ${formatDay(first.key)} to ${formatDay(last.key)}.`;
  return `${span} The most were accepted on ${formatDay(most.key)}: ${inDigits(most.accepted)}, ${inDigits(most.delivered)} of them delivered and ${inDigits(most.failed)} failed. The table has all numbers.`;
}

/** Each bar is as high as it and those below it, and drawn before these. The days are numbered from 0. */
export function toColumns(days: readonly DeliveryReportRow[]): [number[], ...number[][]] {
  const sums = PARTS.map((_, index) =>
    days.map((day) => PARTS.slice(0, index + 1).reduce((sum, { count }) => sum + count(day), 0)),
  );
  return [days.map((_, index) => index), ...sums.toReversed()];
}

interface Drawing {
  days: readonly DeliveryReportRow[];
  width: number;
  onPoint: (day: number | null) => void;
}

function toOptions(element: HTMLElement, { days, width, onPoint }: Drawing): uPlot.Options {
  const colorOf = readColors(element);
  const axis: uPlot.Axis = {
    stroke: colorOf('--color-muted'),
    font: FONT,
    grid: { stroke: colorOf('--color-line'), width: 1 },
    ticks: { show: false },
  };
  const paths = uPlot.paths.bars?.({ size: [0.7, 48] });
  return {
    width,
    height: HEIGHT_PX,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [-0.5, days.length - 0.5] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.05, 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 64,
        incrs: [1, 2, 3, 7, 14, 30, 60, 90],
        values: (_, at) => at.map((index) => toLabel(days[index])),
      },
      {
        ...axis,
        size: 44,
        space: 40,
        incrs: WHOLE_STEPS,
        values: (_, at) => at.map((count) => COMPACT.format(count)),
      },
    ],
    series: [
      {},
      ...PARTS.toReversed().map(({ label, color }) => ({
        label,
        fill: colorOf(color),
        // A line between the parts: two of the colors are close to each other in the light.
        stroke: colorOf('--color-surface'),
        width: 1,
        points: { show: false },
        ...(paths && { paths }),
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  };
}

/** There are no halves of messages. */
const WHOLE_STEPS = Array.from({ length: 9 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

const toLabel = (day: DeliveryReportRow | undefined): string =>
  day ? formatDay(day.key, { hasWeekday: false }) : '';

/** The product's colors as they are now: a canvas knows no custom properties. */
function readColors(element: HTMLElement): (name: string) => string {
  const style = getComputedStyle(element.appendChild(document.createElement('span')));
  const probe = element.lastElementChild as HTMLElement;
  const colors = new Map<string, string>();
  for (const name of [
    '--color-muted',
    '--color-line',
    '--color-surface',
    ...PARTS.map(({ color }) => color),
  ]) {
    probe.style.color = `var(${name})`;
    colors.set(name, style.color);
  }
  probe.remove();
  return (name) => colors.get(name) ?? '';
}
