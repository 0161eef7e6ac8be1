// What exports are of, and their formats. Isomorphic: the browser and the command line count rows while they download.

export const EXPORT_KINDS = ['events', 'runs', 'messages'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** RFC 4180 and RFC 7111; JSON Lines has no registered type, and this one is the usual. */
export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
};

export type Cell = string | number | boolean | null;

/** One record of a CSV file with its line end (RFC 4180, section 2). */
export const toCsvRecord = (cells: readonly Cell[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

/** What spreadsheets execute as a formula, unless it is a plain number (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

function toCsvCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the rows of a file that arrives in parts. */
export class RowCounter {
  readonly #isCsv: boolean;
  #lines = 0;
  #isQuoted = false;

  constructor(format: ExportFormat) {
    this.#isCsv = format === 'csv';
  }

  /** Bytes of all characters above ASCII differ from the two that count. */
  add(part: Uint8Array): void {
    for (const byte of part) {
      if (byte === QUOTE) this.#isQuoted = this.#isCsv && !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) this.#lines += 1;
    }
  }

  /** Without the header. */
  get rows(): number {
    return Math.max(0, this.#lines - (this.#isCsv ? 1 : 0));
  }
}
