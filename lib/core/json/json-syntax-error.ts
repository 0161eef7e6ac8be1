/** A text that is not JSON. `offset` counts characters from 0 (after a byte order mark), `line` and `column` from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { offset: number; line: number; column: number }) {
    super(message);
    this.offset = place.offset;
    this.line = place.line;
    this.column = place.column;
  }
}
