// Opens every screen once for all tests that check every screen: a load takes a second of processor time.
import type AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { openPage } from './open-page.ts';
import { listScreens, type Seeded } from './seed.ts';
import { axeOn, waitUntilSettled } from './settled.ts';
import { watchViolations } from './watch-violations.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules that depend on colors: only they differ in the dark theme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block'];
const SERIOUS = ['serious', 'critical'];
const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };

export interface Visit {
  name: string;
  /** Violations of its Content-Security-Policy. */
  violations: string[];
  /** The serious and critical findings of axe. */
  barriers: { light: string[]; dark: string[] };
  /** In pixels, on a phone. */
  phoneWidth: number;
}

/** @param options of the browser context: its user */
export async function visitScreens(
  browser: Browser,
  seeded: Seeded,
  options: { baseURL: string; storageState: string },
): Promise<Visit[]> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const violations = await watchViolations(page);
  const visits: Visit[] = [];
  for (const { name, path } of listScreens(seeded)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    await openPage(page, path);
    await waitUntilSettled(page);
    const refused = violations.splice(0);
    const light = await listBarriers((await axeOn(page)).withTags(WCAG));
    await page.emulateMedia({ colorScheme: 'dark' });
    await waitUntilSettled(page);
    const dark = await listBarriers((await axeOn(page)).withRules(RULES_OF_COLOR));
    // Code injected by axe is no violation of the screen.
    violations.length = 0;
    visits.push({
      name,
      violations: refused,
      barriers: { light, dark },
      phoneWidth: await measurePhoneWidth(page),
    });
  }
  await context.close();
  return visits;
}

async function listBarriers(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact && SERIOUS.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

async function measurePhoneWidth(page: Page): Promise<number> {
  await page.setViewportSize(PHONE);
  await waitUntilSettled(page);
  return page.evaluate(() => document.documentElement.scrollWidth);
}
