// The recipient of a message as users write it. Isomorphic: used by the form, the checks and the call.
import type { Reading } from '#lib/core/errors.ts';
import { isPhoneNumber, isUserId } from '#lib/messaging/platform/ids.ts';
import { EXAMPLE_NUMBER } from '#lib/messaging/schema/number-words.ts';
import { explainMismatch } from '#lib/variables/errors.ts';

export interface Recipient {
  /** The digits of a number, or a user id. */
  id: string;
  /** The removed characters, if any. */
  note: string | undefined;
}

/**
 * Spec, Common fields: digits only, no leading +. Separators in typed numbers are removed, and noted. A user id of the
 * platform, such as `US.1349…`, identifies a customer whose number it hides.
 */
export function readRecipient(text: string): Reading<Recipient> {
  if (isUserId(text)) return { value: { id: text, note: undefined } };
  const digits = text.replace(/[\s\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff+()[\]./\u2010-\u2015-]/g, '');
  if (!isPhoneNumber(digits)) {
    return {
      problem: `${explainMismatch('recipient', text, 'a phone number')} Enter it with its country code, for example ${EXAMPLE_NUMBER}.`,
    };
  }
  return {
    value: {
      id: digits,
      note: digits === text ? undefined : `Changed to ${digits}, the platform’s format.`,
    },
  };
}
