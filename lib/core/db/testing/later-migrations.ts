// For tests: the migrations of a version after this one.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const known = join(import.meta.dirname, '..', '..', '..', '..', 'drizzle');

/** A copy of this version's migrations in a separate folder, to which a test adds others. */
export class LaterMigrations implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'patchbay-later-'));

  constructor() {
    cpSync(known, this.folder, { recursive: true });
  }

  /** @param oldest the oldest version that may run after it; left out: unchanged */
  add(tag: string, sql: string, oldest?: string): void {
    const path = join(this.folder, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { idx: number; when: number }[] };
    const last = journal.entries.at(-1) ?? { idx: 0, when: 0 };
    const entry = { idx: last.idx + 1, version: '7', when: last.when + 1, tag, breakpoints: true };
    writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
    writeFileSync(join(this.folder, `${tag}.sql`), sql);
    if (oldest !== undefined) this.#state(tag, oldest);
  }

  #state(tag: string, oldest: string): void {
    const file = join(this.folder, 'compatibility.json');
    const stated = JSON.parse(readFileSync(file, 'utf8')) as Record<
      'oldest_version_that_may_still_run',
      object
    >;
    stated.oldest_version_that_may_still_run = { ...stated.oldest_version_that_may_still_run, [tag]: oldest };
    writeFileSync(file, JSON.stringify(stated));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}
