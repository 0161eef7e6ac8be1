// Names of operations: of statements by their name or else their text, of calls by method and path.
import { createHash } from 'node:crypto';
import type { Effect } from './point.ts';

const LONGEST = 72;

const known = new Map<string, string>();

/** The name of a statement: its own, or derived from its text. */
export function statementName(query: string | { name?: string | undefined; text: string }): string {
  if (typeof query !== 'string' && query.name) return query.name;
  const text = typeof query === 'string' ? query : query.text;
  let name = known.get(text);
  if (name === undefined) known.set(text, (name = shorten(text)));
  return name;
}

const WRITES =
  /\b(insert into|update|delete from|add_job|queue_job|force_unlock_workers|pg_notify)\b|^commit/i;

/** Whether a statement may write something. */
export const effectOf = (text: string): Effect => (WRITES.test(text) ? 'writes' : 'reads');

function shorten(text: string): string {
  const words = text
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^select (?!distinct)[^()]*? from /, 'select from ')
    .replace(/ returning .*$/, '');
  if (words.length <= LONGEST) return words;
  return `${words.slice(0, LONGEST)}… ${createHash('sha1').update(words).digest('hex').slice(0, 4)}`;
}

/** The name of a call, without the ids in its path. */
export function callName(method: string, path: string): string {
  const withoutIds = path
    .replace(/\?.*$/, '')
    .split('/')
    .map((part) => (/\d{4,}|^wamid|_t\d+_i/.test(part) ? ':id' : part));
  return `${method} ${withoutIds.join('/')}`;
}
