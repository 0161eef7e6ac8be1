// Following a list of the API as rows are added to it.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 1000;
/** Rows of several processes arrive out of order: period that is read again. */
const LATE_MS = 60_000;

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export interface Followed<Row> {
  /** A page, newest first. */
  load: (cursor: string | undefined) => Promise<Page<Row>>;
  /** Creation time of a row. */
  at: (row: Row) => string;
  /** A row is returned again when this changes. */
  key: (row: Row) => string;
}

/** New rows from now on, oldest first, without an end. */
export async function* follow<Row>({ load, at, key }: Followed<Row>): AsyncGenerator<Row> {
  const first = await load(undefined);
  const since = first.data[0] ? Date.parse(at(first.data[0])) : 0;
  const seen = new Map(first.data.map((row) => [key(row), Date.parse(at(row))]));
  let newest = since;
  for (;;) {
    await sleep(POLL_MS);
    const from = Math.max(since, newest - LATE_MS);
    const added = (await loadSince({ load, at, key }, from)).filter((row) => !seen.has(key(row)));
    for (const row of added.toReversed()) {
      seen.set(key(row), Date.parse(at(row)));
      newest = Math.max(newest, Date.parse(at(row)));
      yield row;
    }
    for (const [known, when] of seen) if (when < newest - 2 * LATE_MS) seen.delete(known);
  }
}

async function loadSince<Row>({ load, at }: Followed<Row>, from: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await load(cursor);
    const recent = page.data.filter((row) => Date.parse(at(row)) >= from);
    rows.push(...recent);
    if (recent.length < page.data.length || page.next_cursor === null) return rows;
    cursor = page.next_cursor;
  }
}
