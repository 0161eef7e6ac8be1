// Texts of a picture: SVG has no line breaks and no font metrics here, so that widths are estimated for a wide font.

const NARROW = /[ifjltI.,:;'!|()[\] ]/;
const WIDE = /[mwMW@—…]/;
const CAPITAL = /\p{Lu}/u;
const FULL =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u;

function widthOf(character: string): number {
  if (FULL.test(character)) return 1.05;
  if (NARROW.test(character)) return 0.37;
  if (WIDE.test(character)) return 0.95;
  return CAPITAL.test(character) ? 0.72 : 0.61;
}

/** Estimated width of a text. */
export const textWidth = (text: string, sizePx: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character) * sizePx, 0);

/** The text, shortened with an ellipsis when it is wider. */
export function fitText(text: string, sizePx: number, widthPx: number): string {
  if (textWidth(text, sizePx) <= widthPx) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, sizePx) > widthPx) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Lines of at most this width, broken between words where possible. */
export function wrapText(text: string, sizePx: number, widthPx: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      const longer = last === '' ? word : `${last} ${word}`;
      if (textWidth(longer, sizePx) <= widthPx) lines[lines.length - 1] = longer;
      else lines.push(...breakWord(word, sizePx, widthPx));
    }
    return lines[0] === '' && lines.length > 1 ? lines.slice(1) : lines;
  });
}

function breakWord(word: string, sizePx: number, widthPx: number): string[] {
  const parts = [''];
  for (const character of word) {
    const longer = (parts.at(-1) ?? '') + character;
    if (textWidth(longer, sizePx) <= widthPx) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
