interface Decimal {
  sign: -1 | 0 | 1;
  /** Without leading or trailing zeros. */
  digits: string;
  /** Power of ten of the first digit. */
  magnitude: number;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Compares two decimal numbers digit by digit, so that no digit is lost: negative, zero or positive as for sorting.
 * @param left, right decimal texts as in JSON, such as `12345678901234567890.1` or `-1.5e10`.
 */
export function compareDecimals(left: string, right: string): number {
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude ? a.sign : -a.sign;
  const length = Math.max(a.digits.length, b.digits.length);
  const padded = [a.digits.padEnd(length, '0'), b.digits.padEnd(length, '0')] as const;
  if (padded[0] === padded[1]) return 0;
  return padded[0] > padded[1] ? a.sign : -a.sign;
}

function readDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  const digits = stripZeros(all);
  if (digits === '') return { sign: 0, digits, magnitude: 0 };
  const leadingZeros = all.length - all.replace(/^0+/, '').length;
  return {
    sign: sign === '-' ? -1 : 1,
    digits,
    magnitude: whole.length - 1 - leadingZeros + Number(exponent),
  };
}

function stripZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end).replace(/^0+/, '');
}
