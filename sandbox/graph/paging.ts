import { invalidParameter } from '../graph-error.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';

const DEFAULT_PAGE = 25;
const LARGEST_PAGE = 1000;

/** One page of a list: every page has cursors, `next` only exists before another page. */
export function pageOf<T>(call: GraphCall, items: T[], show: (item: T) => object): GraphAnswer {
  const limit = readLimit(call.query.get('limit'));
  const after = readCursor(call.query.get('after'));
  const before = readCursor(call.query.get('before'));
  const start = after !== null ? after + 1 : before !== null ? Math.max(0, before - limit) : 0;
  const end = after === null && before !== null ? Math.min(before, start + limit) : start + limit;
  const shown = items.slice(start, end);
  if (shown.length === 0) return { data: [] };
  const last = start + shown.length - 1;
  return {
    data: shown.map(show),
    paging: {
      cursors: { before: writeCursor(start), after: writeCursor(last) },
      ...(last < items.length - 1 ? { next: link(call, limit, 'after', last) } : {}),
      ...(start > 0 ? { previous: link(call, limit, 'before', start) } : {}),
    },
  };
}

function readLimit(text: string | null): number {
  if (text === null) return DEFAULT_PAGE;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw invalidParameter('Param limit must be an integer of 1 or more');
  return Math.min(limit, LARGEST_PAGE);
}

function readCursor(text: string | null): number | null {
  if (text === null || text === '') return null;
  const match = /^at:(\d+)$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) throw invalidParameter('Invalid cursors values');
  return Number(match[1]);
}

function writeCursor(index: number): string {
  return Buffer.from(`at:${index}`).toString('base64url');
}

function link(call: GraphCall, limit: number, direction: 'after' | 'before', index: number): string {
  const query = new URLSearchParams(call.query);
  for (const name of ['after', 'before', 'access_token']) query.delete(name);
  query.set('limit', String(limit));
  query.set(direction, writeCursor(index));
  return `${call.world.options.publicUrl}/${call.version}/${call.path}?${query}`;
}

/** Selects the `fields=` of a request (always with the id), or the defaults. Unknown fields are refused (100). */
export function pickFields(
  call: GraphCall,
  nodeType: string,
  all: Record<string, unknown>,
  defaults: readonly string[],
): Record<string, unknown> {
  const asked = splitFields(call.query.get('fields') ?? '');
  for (const field of asked) {
    if (!(field in all))
      throw invalidParameter(`Tried accessing nonexisting field (${field}) on node type (${nodeType})`);
  }
  const names = asked.length > 0 ? [...asked, 'id'] : defaults;
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

/** Top-level names of a field list; sub-selections in braces or brackets are left out. */
function splitFields(list: string): string[] {
  return list
    .replaceAll(/[{(][^{}()]*[})]/g, '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}
