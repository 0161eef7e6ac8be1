/**
 * The number that the platform has for one that is written to: of Mexico and Argentina mobile numbers have a digit more there
 * than people enter.
 */
export const platformNumberOf = (entered: string): string =>
  entered.replace(/^52(\d{10})$/, '521$1').replace(/^54(\d{10})$/, '549$1');
