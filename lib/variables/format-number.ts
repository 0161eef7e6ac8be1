/**
 * Writes a decimal number with a fixed count of decimals, rounding half away from zero, on the digits themselves:
 * `1.005` gives `1.01`, and 20-digit numbers keep their digits. Exponents beyond ±100 give undefined.
 */
export function formatDecimal(source: string, decimals: number): string | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (parts === null) return undefined;
  const exponent = Number(parts[4] ?? 0);
  if (Math.abs(exponent) > 100) return undefined;
  const fraction = parts[3] ?? '';
  const digits = (parts[2] ?? '') + fraction;
  // The number is digits / 10^scale; keep `decimals` places of it.
  const scale = fraction.length - exponent;
  const wanted = scale - decimals;
  const units = wanted <= 0 ? BigInt(digits + '0'.repeat(-wanted)) : divideRounding(digits, wanted);
  const padded = units.toString().padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const sign = parts[1] === '-' && units !== 0n ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${padded.slice(padded.length - decimals)}`;
}

function divideRounding(digits: string, places: number): bigint {
  const kept = digits.length > places ? digits.slice(0, digits.length - places) : '0';
  const firstDropped = digits.length >= places ? (digits[digits.length - places] ?? '0') : '0';
  return BigInt(kept) + (firstDropped >= '5' ? 1n : 0n);
}
