import { expect, test } from 'vitest';
import { drawRooms } from './draw-rooms.ts';

test('docs/rooms.svg is what the imports say: `npm run generate` draws it', async () => {
  await expect(drawRooms()).resolves.toMatchFileSnapshot('rooms.svg');
});

test('every arrow goes down', async () => {
  const arrows = [...(await drawRooms()).matchAll(/d="M\d+ (\d+)L.*?(\d+)" marker-end/g)];
  expect(arrows.length).toBeGreaterThan(10);
  for (const [arrow, start, end] of arrows) expect(Number(end), arrow).toBeGreaterThan(Number(start));
});
