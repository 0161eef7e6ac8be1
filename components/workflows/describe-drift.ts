import type { DriftFinding, ValueKind } from '#lib/editor/drift-types.ts';

const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  number: 'a number',
  'yes/no': 'true or false',
  list: 'a list',
  object: 'an object',
};

/** The text after a field's name: `is missing or empty in 12 % of events`. */
export function describeDrift({ missing, kinds }: DriftFinding, events: number): string {
  const share = (count: number): string => percent(count / events);
  const parts: string[] = [];
  if (missing === events) parts.push('is missing or empty in every event');
  else if (missing > 0) parts.push(`is missing or empty in ${share(missing)} of events`);
  const [usual, ...others] = kinds;
  if (usual && others.length > 0) {
    const rest = others.map(({ kind, events: count }) => `${KIND_WORDS[kind]} in ${share(count)}`);
    parts.push(`is ${KIND_WORDS[usual.kind]} in ${share(usual.events)} of events, ${rest.join(', ')}`);
  }
  return `${parts.join('; it ')}.`;
}

/** Never 0 % for a present value, nor 100 % for an incomplete one. */
function percent(part: number): string {
  const rounded = Math.round(part * 100);
  return `${part > 0 && part < 1 ? Math.min(99, Math.max(1, rounded)) : rounded}\u00a0%`;
}
