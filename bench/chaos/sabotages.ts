// Defects that `npm run chaos -- --sabotage <name>` plants into the product's processes, to see that chaos finds them.
import { EPOCH_CHECK } from '../protections.ts';

export interface Sabotage {
  /** The protection that is taken out. */
  of: string;
  /** What stands in the worker's bundle. */
  text: string;
  instead: string;
}

export const SABOTAGES = {
  record: { of: 'the record of what is about to happen', text: '{in_flight:true}', instead: '{}' },
  epoch: { of: 'the check of a run’s epoch', text: EPOCH_CHECK, instead: '' },
} satisfies Record<string, Sabotage>;
