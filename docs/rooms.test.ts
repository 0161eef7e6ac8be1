import { beforeAll, expect, test } from 'vitest';
import { drawRooms } from './draw-rooms.ts';

let drawing: string;
beforeAll(async () => {
  drawing = await drawRooms();
}, 120_000);

test('docs/rooms.svg is what the imports say: `npm run generate` draws it', async () => {
  await expect(drawing).toMatchFileSnapshot('rooms.svg');
});

test('every arrow goes down', () => {
  const arrows = [...drawing.matchAll(/d="M\d+ (\d+)L.*?(\d+)" marker-end/g)];
  expect(arrows.length).toBeGreaterThan(10);
  for (const [arrow, start, end] of arrows) expect(Number(end), arrow).toBeGreaterThan(Number(start));
});
