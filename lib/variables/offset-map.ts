/** Builds a rewritten text and maps its parts to their origin. */
export class OffsetMap {
  length = 0;
  readonly #parts: { text: string; rewrittenAt: number; originalAt: number }[] = [];
  #lineStarts: number[] | undefined;
  #originalEnd = 0;

  /** Appends an unchanged part from `originalAt` in the original text. */
  copy(text: string, originalAt: number): void {
    this.#parts.push({ text, rewrittenAt: this.length, originalAt });
    this.length += text.length;
    this.#originalEnd = originalAt + text.length;
  }

  /** Appends a part that is not in the original text; all of it maps to the current position. */
  insert(text: string): void {
    this.#parts.push({ text, rewrittenAt: this.length, originalAt: this.#originalEnd });
    this.length += text.length;
  }

  textFrom(rewrittenAt: number): string {
    let text = '';
    for (let index = this.#parts.length - 1; index >= 0; index--) {
      const part = this.#parts[index];
      if (part === undefined || part.rewrittenAt < rewrittenAt) break;
      text = part.text + text;
    }
    return text;
  }

  /** Handlebars' line (from 1) and column (from 0) in the rewritten text as an offset in the original one. */
  originalOffset(line: number, column: number): number {
    this.#lineStarts ??= lineStarts(this.textFrom(0));
    const rewritten = (this.#lineStarts[line - 1] ?? 0) + column;
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#parts[middle]?.rewrittenAt ?? 0) <= rewritten) low = middle;
      else high = middle - 1;
    }
    const part = this.#parts[low];
    return part === undefined ? 0 : part.originalAt + rewritten - part.rewrittenAt;
  }
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (ending) => ending.index + ending[0].length)];
}
