/** The budgets of screens, and their measured cost. Bytes as sent, compressed. */
export interface PageBudget {
  scriptBytes: number;
  lcpMs: number;
  cls: number;
}

export interface PageFigures {
  scriptBytes: number;
  /** The same scripts for browsers that only accept gzip. */
  gzipBytes: number;
  lcpMs: number;
  cls: number;
  /** Each script's bytes, the largest first. */
  scripts: { name: string; bytes: number }[];
  /** How the scripts were sent: `gzip`, `br`, or `none` where they were not compressed. */
  encoding: string;
}

const KILOBYTE = 1024;
const EVERY_PAGE = { lcpMs: 1500, cls: 0.02 };

export const PAGE_BUDGET: PageBudget = { ...EVERY_PAGE, scriptBytes: 150 * KILOBYTE };
export const CANVAS_BUDGET: PageBudget = { ...EVERY_PAGE, scriptBytes: 350 * KILOBYTE };
export const MIN_FRAMES_PER_SECOND = 50;
/** From the click on a task until its panel is painted. */
export const MAX_PANEL_MS = 200;

/** Exceeded budgets, as text. */
export function listMisses(figures: PageFigures, budget: PageBudget): string[] {
  const misses: string[] = [];
  if (figures.scriptBytes > budget.scriptBytes)
    misses.push(`script ${toKilobytes(figures.scriptBytes)} > ${toKilobytes(budget.scriptBytes)}`);
  if (figures.lcpMs > budget.lcpMs) misses.push(`LCP ${figures.lcpMs.toFixed(0)} > ${budget.lcpMs} ms`);
  if (figures.cls > budget.cls) misses.push(`CLS ${figures.cls.toFixed(3)} > ${budget.cls}`);
  return misses;
}

export const toKilobytes = (bytes: number): string => `${(bytes / KILOBYTE).toFixed(0)} KB`;

export const toRow = (name: string, figures: PageFigures, misses: readonly string[]): string =>
  [
    name.padEnd(28),
    toKilobytes(figures.scriptBytes).padStart(9),
    figures.encoding.padStart(6),
    toKilobytes(figures.gzipBytes).padStart(9),
    `${figures.lcpMs.toFixed(0)} ms`.padStart(9),
    figures.cls.toFixed(3).padStart(7),
    `  ${misses.length === 0 ? 'within budget' : misses.join(', ')}`,
  ].join('');

export const HEADING = [
  'screen'.padEnd(28),
  'script'.padStart(9),
  'sent'.padStart(6),
  'as gzip'.padStart(9),
  'LCP'.padStart(9),
  'CLS'.padStart(7),
].join('');
