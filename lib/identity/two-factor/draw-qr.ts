import encodeQr from 'qr';

/** ISO/IEC 18004: four modules of white around the code. */
const QUIET_MODULES = 4;

/** A QR code as SVG, dark on white whatever is behind it: apps don't read inverted codes. */
export const drawQr = (text: string): string =>
  encodeQr(text, 'svg', { border: QUIET_MODULES }).replace(
    /^<svg[^>]*>/,
    (opening) => `${opening}<rect width="100%" height="100%" fill="#fff"/>`,
  );
