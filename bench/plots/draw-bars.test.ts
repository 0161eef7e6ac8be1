import { expect, test } from 'vitest';
import { drawBars, shorten } from './draw-bars.ts';

test.each([
  [4923.4, '4.92k'],
  [10_512, '10.5k'],
  [123_456, '123k'],
  [999.7, '1000'],
  [312.4, '312'],
  [85.23, '85'],
  [0.851, '0.85'],
  [0, '0'],
])('%d is shown as %s', (value, shown) => {
  expect(shorten(value)).toBe(shown);
});

const chart = {
  title: 'What it costs',
  unit: 'µs',
  series: ['web', 'worker', 'Node-RED'].map((name, color) => ({ name, color })),
  columns: 2,
  hasCommonScale: true,
  panels: [
    {
      title: 'left',
      groups: [
        {
          label: '5 tasks',
          bars: [
            {
              name: 'ours',
              parts: [
                { series: 'web', value: 60 },
                { series: 'worker', value: 40 },
              ],
            },
            { name: 'theirs', parts: [{ series: 'Node-RED', value: 200 }] },
          ],
        },
      ],
    },
    {
      title: 'right',
      groups: [{ label: '1 task', bars: [{ name: 'ours', parts: [{ series: 'web', value: 50 }] }] }],
    },
  ],
  notes: ['Medians.'],
};

/** Class, top and height of every bar. */
const barsOf = (svg: string) =>
  [
    ...svg.matchAll(/<rect class="(\w+)" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"><title>/g),
  ].map(([, color, y, height]) => ({ color, y: Number(y), height: Number(height) }));

test('parts stand on top of each other, in the colours of the legend', () => {
  const [web, worker, other] = barsOf(drawBars(chart));
  expect([web?.color, worker?.color, other?.color]).toEqual(['fill0', 'fill1', 'fill2']);
  expect((worker?.y ?? 0) + (worker?.height ?? 0)).toBeCloseTo(web?.y ?? 0);
  expect((web?.height ?? 0) + (worker?.height ?? 0)).toBeCloseTo((other?.height ?? 0) / 2);
});

test('panels share their scale, or each has its own', () => {
  const heightOfLast = (svg: string): number => barsOf(svg).at(-1)?.height ?? 0;
  const common = heightOfLast(drawBars(chart));
  expect(heightOfLast(drawBars({ ...chart, hasCommonScale: false }))).toBeCloseTo(4 * common, 0);
});
