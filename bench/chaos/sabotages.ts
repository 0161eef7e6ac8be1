// Defects that `npm run chaos -- --sabotage <name>` injects into the product's processes, to verify that chaos finds them.
import { EPOCH_CHECK } from '../protections.ts';

export interface Sabotage {
  /** The removed protection. */
  of: string;
  /** Its text in the worker's bundle. */
  text: string;
  instead: string;
}

export const SABOTAGES = {
  record: { of: 'the record of what is about to happen', text: '{in_flight:true}', instead: '{}' },
  epoch: { of: 'the check of a run’s epoch', text: EPOCH_CHECK, instead: '' },
} satisfies Record<string, Sabotage>;

/** Those of the plan `customers`. */
export const CUSTOMER_SABOTAGES = {
  holds: {
    of: 'the look-up of holds right before each message',
    text: '(h.until is null or h.until > now()) offset 0',
    // As if it were cached for a second.
    instead: "(h.until is null or h.until > now()) and h.since < now() - interval '1 second' offset 0",
  },
} satisfies Record<string, Sabotage>;

/** Those of the plan `lists`. */
export const LIST_SABOTAGES = {
  rows: {
    of: 'the transaction of rows and their runs',
    text: 'await client.query({name:"start_list_rows"',
    // The runs are committed, and some time later the rows that have them.
    instead:
      'await client.query("commit");await new Promise((done)=>setTimeout(done,2000));await client.query({name:"start_list_rows"',
  },
} satisfies Record<string, Sabotage>;
