import encodeQr from 'qr';

/** ISO/IEC 18004: a margin of four modules. */
const QUIET_MODULES = 4;

/** A QR code as SVG, dark on white in both themes: apps don't read inverted codes. */
export const drawQr = (text: string): string =>
  encodeQr(text, 'svg', { border: QUIET_MODULES }).replace(
    /^<svg[^>]*>/,
    (opening) => `${opening}<rect width="100%" height="100%" fill="#fff"/>`,
  );
