// Real webhooks for tests, and a reference for their variables that shares no code with this folder: a naive traversal.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Payload {
  name: string;
  text: string;
}

export interface Leaf {
  keys: string[];
  value: string | number | boolean | null;
}

interface GithubEvent {
  name: string;
  examples: unknown[];
}

const FIXTURES = ['stripe-checkout-session-completed', 'stripe-invoice-paid', 'shopify-orders-create'];

/** Webhooks of Stripe and Shopify, then every example of GitHub's (`perEvent`: maximum number per event). */
export function readPayloads(perEvent = Infinity): Payload[] {
  const github = createRequire(import.meta.url)('@octokit/webhooks-examples') as GithubEvent[];
  return [
    ...FIXTURES.map((name) => ({ name, text: readFixture(name) })),
    ...github.flatMap(({ name, examples }) =>
      examples
        .slice(0, perEvent)
        .map((example, index) => ({ name: `github ${name} ${index}`, text: JSON.stringify(example) })),
    ),
  ];
}

/** A file of `fixtures/`, unchanged. */
export function readFixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8');
}

/** Every value that is neither object nor array, with the keys down to it. */
export function leavesOf(value: unknown, keys: string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ keys, value: value as Leaf['value'] }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...keys, key]));
}

/**
 * The flattened names of a body with their values (spec, "Trigger output and flattening"), objects and arrays included:
 * top-level fields first, then nested ones in document order; the first one of a name wins.
 */
export function flattenNaively(body: object): Map<string, unknown> {
  const names = new Map<string, unknown>(Object.entries(body));
  const walk = (value: unknown, prefix: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const name = `${prefix}_${key}`;
      if (!names.has(name)) names.set(name, inner);
      walk(inner, name);
    }
  };
  for (const [key, value] of Object.entries(body)) walk(value, key);
  return names;
}
