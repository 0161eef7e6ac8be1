// Splits indented JSON into foldable lines: the text is never parsed, so that no digit changes.

export interface JsonLine {
  /** Leading spaces. */
  indent: number;
  text: string;
  /** For a line that opens an object or an array: the index of the line that closes it. */
  closes: number | null;
}

/** Splits JSON that was indented with two spaces. */
export function toJsonLines(json: string): JsonLine[] {
  const lines = json.split('\n').map((line): JsonLine => {
    const text = line.trimStart();
    return { indent: line.length - text.length, text, closes: null };
  });
  const open: number[] = [];
  lines.forEach((line, index) => {
    if (/^[\]}],?$/.test(line.text)) {
      const opener = open.pop();
      const opening = opener === undefined ? undefined : lines[opener];
      if (opening) opening.closes = index;
    } else if (/[[{]$/.test(line.text)) {
      open.push(index);
    }
  });
  return lines;
}

export interface JsonToken {
  kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  text: string;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\d\-tfn]+|.)/g;

/** The tokens of one line, for highlighting; joined they are the line. */
export function toJsonTokens(text: string): JsonToken[] {
  return [...text.matchAll(TOKEN)].flatMap(([whole, string, colon, number, word]): JsonToken[] => {
    if (string !== undefined && colon !== undefined)
      return [
        { kind: 'key', text: string },
        { kind: 'mark', text: colon },
      ];
    if (string !== undefined) return [{ kind: 'string', text: string }];
    if (number !== undefined) return [{ kind: 'number', text: number }];
    if (word !== undefined) return [{ kind: 'word', text: word }];
    return [{ kind: 'mark', text: whole }];
  });
}
