import type { Page } from '@playwright/test';
import { median } from './measure-page.ts';

export interface PanelFigures {
  /** From the click until the task's panel was painted. */
  medianMs: number;
  slowestMs: number;
  /** Processor time of the page's main thread for one panel, from the click until then: it hardly depends on the machine's load. */
  processorMs: number;
  panels: number;
}

const PANELS = 12;

/** Opens one task after another, with the previous panel still open, and waits for each to be painted. */
export async function measurePanel(page: Page): Promise<PanelFigures> {
  const ids = await page.evaluate(
    (count) =>
      [...document.querySelectorAll<HTMLElement>('[data-task-id]')]
        .slice(1, count + 2)
        .map((card) => card.dataset['taskId'] ?? ''),
    PANELS,
  );
  const [first = '', ...others] = ids;
  // A warm-up: the first panel waits for its code.
  await openPanel(page, first);
  const readProcessorMs = await watchProcessor(page);
  const before = await readProcessorMs();
  const times: number[] = [];
  for (const id of others) times.push(await openPanel(page, id));
  const processorMs = ((await readProcessorMs()) - before) / times.length;
  return { medianMs: median(times), slowestMs: Math.max(...times), processorMs, panels: times.length };
}

/** @returns reads the processor time that the page's main thread has used */
async function watchProcessor(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
}

const openPanel = (page: Page, id: string): Promise<number> =>
  page.evaluate(
    (taskId) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = () => {
          const panel = document.querySelector('aside[aria-label^="Task "]');
          if (panel?.textContent.includes(`task_${taskId}_`) !== true) {
            requestAnimationFrame(look);
            return;
          }
          // A task queued in a frame starts after that frame was painted.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
        };
        document.querySelector<HTMLElement>(`[data-task-id="${taskId}"]`)?.click();
        requestAnimationFrame(look);
      }),
    id,
  );
