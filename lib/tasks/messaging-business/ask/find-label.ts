// Labels as people write them: "yes!" is "👍 Yes".

/** The label that a text names: the one that is written alike, else the only one that has its words. */
export function findLabel(text: string, labels: readonly string[]): number | undefined {
  const alike = labels.findIndex((label) => toPlain(label) === toPlain(text));
  if (alike >= 0) return alike;
  const words = toWords(text);
  const places = labels.flatMap((label, place) => (words !== '' && toWords(label) === words ? [place] : []));
  return places.length === 1 ? places[0] : undefined;
}

const toPlain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** The letters and digits of a text, without punctuation and emoji; U+FE0F and U+20E3 are parts of emoji. */
const toWords = (text: string): string =>
  toPlain(text)
    .replaceAll(/[\u{FE0F}\u{20E3}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');
