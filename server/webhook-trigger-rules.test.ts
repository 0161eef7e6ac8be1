// docs/webhook-trigger-rules.md names a test for every rule of the trigger's specification: here, that it is there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** How many rules each section of the specification has; those left open count, as what was decided for them. */
const RULES_PER_SECTION = {
  'Trigger task settings': 1,
  Variables: 9,
  'Trigger output and flattening': 6,
  'States and transitions': 1,
  Endpoints: 7,
  Authentication: 3,
  Events: 4,
  Errors: 4,
  Limits: 4,
};

interface Row {
  section: string;
  rule: string;
  file: string;
  title: string;
}

function readRows(): Row[] {
  const rows: Row[] = [];
  let section = '';
  let rule = '';
  for (const line of readFileSync(join(root, 'docs/webhook-trigger-rules.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    const [, written, file, title] = /^\| (.*?) ?\| `(.+)` \| `(.+)` \|$/.exec(line) ?? [];
    if (file === undefined || title === undefined) continue;
    rule = written || rule;
    rows.push({ section, rule, file, title });
  }
  return rows;
}

const rows = readRows();

it('every section names a test for each of its rules', () => {
  const counted = Object.keys(RULES_PER_SECTION).map((section) => {
    const rules = rows.filter((row) => row.section === section).map(({ rule }) => rule);
    return [section, new Set(rules).size];
  });
  expect(Object.fromEntries(counted)).toEqual(RULES_PER_SECTION);
});

describe('named tests exist', () => {
  it.each(rows)('$section: $title', ({ file, title }) => {
    expect(existsSync(join(root, file)), file).toBe(true);
    const written = readFileSync(join(root, file), 'utf8');
    const isThere = ["'", '`'].some((quote) => written.includes(quote + title + quote));
    expect(isThere, `${file} has no test called "${title}"`).toBe(true);
  });
});
