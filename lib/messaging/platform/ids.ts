/** Whether a text can be the id of an uploaded file: the platform's ids are digits. Isomorphic. */
export const isMediaId = (text: string): boolean => /^\d{5,30}$/.test(text);

// The forms of a recipient: a number, or a user id. Isomorphic.

/** Whether a text is a customer's phone number in the platform's format (E.164 without the plus). */
export const isPhoneNumber = (recipient: string): boolean => /^\d{7,15}$/.test(recipient);

/**
 * Whether a recipient is a customer's id in the business portfolio instead of a number: a country code, a dot and up to 128
 * letters and digits; `ENT.` precedes those of a parent portfolio.
 */
export const isUserId = (recipient: string): boolean =>
  /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient);
