const NUMBER = /(?<![\w.-])\+?\d{9,15}(?![\w-]|\.\d)/g;
const SHOWN_DIGITS = 4;

/** A text in which what could be a customer's number shows its last four digits only. */
export const maskNumbersIn = (text: string): string =>
  text.replace(NUMBER, (number) => '•'.repeat(4) + number.slice(-SHOWN_DIGITS));
