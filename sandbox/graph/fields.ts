import type { GraphCall } from './graph-call.ts';
import { invalidParameter } from '../graph-error.ts';

/** Picks what `fields=` asks for (always with the id), or the defaults. Unknown fields are refused (100). */
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
