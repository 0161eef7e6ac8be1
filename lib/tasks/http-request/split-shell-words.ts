import type { Reading } from '#lib/core/reading.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  "'": "'",
  '"': '"',
  '\\': '\\',
};

/** The words of a command as a POSIX shell takes it apart, with `$'…'`; nothing is expanded. */
export function splitShellWords(text: string): Reading<string[]> {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\\') {
      at += 1;
      // A line that continues on the next one; Windows has two characters at its end.
      if (text.startsWith('\r\n', at)) at += 1;
      else if (text.charAt(at) !== '\n') word = (word ?? '') + text.charAt(at);
    } else if (character === "'" || character === '"' || text.startsWith("$'", at)) {
      const quoted = readQuoted(text, at);
      if (!quoted) return { problem: `A quote that opens at character ${at + 1} is not closed.` };
      word = (word ?? '') + quoted.value;
      at = quoted.end;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return { value: words };
}

function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  const isAnsi = text.charAt(from) === '$';
  const quote = isAnsi ? "'" : text.charAt(from);
  let value = '';
  for (let at = from + (isAnsi ? 2 : 1); at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) return { value, end: at };
    if (character !== '\\' || (quote === "'" && !isAnsi)) {
      value += character;
      continue;
    }
    at += 1;
    const next = text.charAt(at);
    if (isAnsi) value += ESCAPES[next] ?? `\\${next}`;
    else if (next !== '\n') value += '"\\$`'.includes(next) ? next : `\\${next}`;
  }
  return undefined;
}
