// The statuses of messages as people read them. Isomorphic.
import type { ShownStatus, Withheld } from './message-status-types.ts';

/** A word or two, beside a message. */
export const STATUS_LABELS: Readonly<Record<ShownStatus, string>> = {
  accepted: 'Accepted',
  held_for_quality_assessment: 'Held for a quality check',
  paused: 'Not sent: template paused',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  played: 'Played',
  failed: 'Failed',
};

/** Why a message that the platform accepted does not go out, and what to do. */
export const WITHHELD_WORDS: Readonly<Record<Withheld, string>> = {
  held_for_quality_assessment:
    'Held by the platform for a quality check of the template: it is delivered, or fails, when the check ends.',
  paused: 'Not sent: the template is paused. Use another template, or edit this one on the platform.',
};
