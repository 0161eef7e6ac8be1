// docs/webhook-trigger-rules.md names tests for every rule of the trigger's specification: this checks that they ran and
// passed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PassedTest } from './counts.ts';

const DOCUMENT = 'docs/webhook-trigger-rules.md';

/** How many rules each section of the specification has; open questions count, with our decision. */
const RULES_PER_SECTION: Readonly<Record<string, number>> = {
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

export interface RuleRow {
  section: string;
  rule: string;
  file: string;
  /** As it is written in the test's source: `%s` and `$name` are placeholders for values of a case. */
  title: string;
}

/** The rows of the document's tables; a row without a rule is about the one above it. */
export function readRuleRows(root: string): RuleRow[] {
  const rows: RuleRow[] = [];
  let [section, rule] = ['', ''];
  for (const line of readFileSync(join(root, DOCUMENT), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    const [, written, file, title] = /^\| (.*?) ?\| `(.+)` \| `(.+)` \|$/.exec(line) ?? [];
    if (file === undefined || title === undefined) continue;
    rule = written || rule;
    rows.push({ section, rule, file, title });
  }
  return rows;
}

/** Problems: rules without a test, and named tests, or groups of tests, of which none passed. */
export function findMissingRules(rows: readonly RuleRow[], passed: readonly PassedTest[]): string[] {
  const missing = Object.entries(RULES_PER_SECTION).flatMap(([section, count]) => {
    const named = new Set(rows.filter((row) => row.section === section).map(({ rule }) => rule)).size;
    return named === count ? [] : [`${section} has ${count} rules; ${named} are named in ${DOCUMENT}.`];
  });
  for (const { file, title } of rows) {
    const pattern = toPattern(title);
    const didPass = passed.some(
      (test) => test.file === file && test.titles.some((each) => pattern.test(each)),
    );
    if (!didPass) missing.push(`No test called "${title}" passed in ${file}.`);
  }
  return missing;
}

function toPattern(title: string): RegExp {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/%[sdijfo]|\\\$\w+/g, '[^]*')}$`);
}
