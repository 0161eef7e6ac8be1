/** The handling of messages to numbers with special endings (README, Special numbers). */
export type Fate =
  | 'normal'
  | 'undeliverable'
  | 'switched_off'
  | 'reads_at_once'
  | 'limited'
  | 'pair_limited'
  | 'no_receipts'
  | 'experiment';

const ENDINGS: [string, Fate][] = [
  ['0000', 'undeliverable'],
  ['9901', 'switched_off'],
  ['9902', 'reads_at_once'],
  ['9903', 'limited'],
  ['9904', 'pair_limited'],
  ['9905', 'no_receipts'],
  ['9906', 'experiment'],
];

/** The handling of messages to a number (digits only). */
export function fateOf(customer: string): Fate {
  return ENDINGS.find(([ending]) => customer.endsWith(ending))?.[1] ?? 'normal';
}

/** The platform's number for an entered one: mobile numbers of Mexico and Argentina have an additional digit there. */
export const platformNumberOf = (entered: string): string =>
  entered.replace(/^52(\d{10})$/, '521$1').replace(/^54(\d{10})$/, '549$1');
