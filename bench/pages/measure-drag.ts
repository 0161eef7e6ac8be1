import type { Page } from '@playwright/test';
import { median } from './measure-page.ts';

export interface DragFigures {
  framesPerSecond: number;
  medianFrameMs: number;
  p95FrameMs: number;
  frames: number;
  /** Distance that the task moved, in pixels of the screen: proof that it was dragged. */
  movedPx: number;
}

declare global {
  interface Window {
    benchFrames: number[];
  }
}

const DRAG_MS = 2000;
const RADIUS_PX = 120;

/** Drags the task that is nearest to the middle of the canvas in circles for two seconds, by moves of the mouse. */
export async function measureDrag(page: Page): Promise<DragFigures> {
  const task = await findMiddleTask(page);
  const start = await centreOf(page, task);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 10, start.y + 10, { steps: 3 });
  await page.evaluate(() => {
    const frames: number[] = [];
    window.benchFrames = frames;
    const count = (at: number): void => {
      if (window.benchFrames !== frames) return;
      frames.push(at);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const began = performance.now();
  for (let elapsed = 0; elapsed < DRAG_MS; elapsed = performance.now() - began) {
    const angle = (elapsed / 500) * Math.PI;
    const [x, y] = [Math.sin(angle) * RADIUS_PX, (1 - Math.cos(angle)) * RADIUS_PX];
    await page.mouse.move(start.x + x, start.y + y);
  }
  const at = await page.evaluate(() => {
    const frames = window.benchFrames;
    window.benchFrames = [];
    return frames;
  });
  await page.mouse.move(start.x + RADIUS_PX, start.y, { steps: 2 });
  const moved = await centreOf(page, task);
  await page.mouse.up();
  const movedPx = Math.hypot(moved.x - start.x, moved.y - start.y);
  if (movedPx < RADIUS_PX / 2) throw new Error(`${task} was not dragged: it moved ${movedPx.toFixed(0)} px.`);
  const times = at.slice(1).map((time, index) => time - (at[index] ?? time));
  const sorted = times.toSorted((a, b) => a - b);
  return {
    framesPerSecond: (times.length / ((at.at(-1) ?? 0) - (at[0] ?? 0))) * 1000,
    medianFrameMs: median(times),
    p95FrameMs: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
    frames: times.length,
    movedPx,
  };
}

/** @returns a selector. */
async function findMiddleTask(page: Page): Promise<string> {
  const id = await page.evaluate(() => {
    const pane = document.querySelector('.react-flow__pane')?.getBoundingClientRect();
    if (!pane) return null;
    const [x, y] = [pane.x + pane.width / 2, pane.y + pane.height / 2];
    const distanceOf = (element: Element): number => {
      const box = element.getBoundingClientRect();
      return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
    };
    const tasks = [...document.querySelectorAll('[data-task-id]')];
    return tasks.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0]?.getAttribute('data-task-id') ?? null;
  });
  if (id === null) throw new Error('No task is on the canvas.');
  return `[data-task-id="${id}"]`;
}

async function centreOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} cannot be seen.`);
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 20) };
}
