/**
 * Whether a recipient is a customer's id in the business portfolio instead of a number: a country code, a dot and up to
 * 128 letters and digits; `ENT.` stands before those of a parent portfolio.
 */
export const isUserId = (recipient: string): boolean =>
  /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient);
