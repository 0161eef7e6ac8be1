/** Why a variable text cannot be filled in; the message says how to fix it. */
export class VariableError extends Error {
  override readonly name: string = 'VariableError';
}

/** A variable text that cannot be used. `line` and `column` count from 1; the message says how to fix it. */
export class VariableSyntaxError extends VariableError {
  override readonly name = 'VariableSyntaxError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { line: number; column: number }) {
    super(`Line ${place.line}, column ${place.column}: ${message}`);
    this.line = place.line;
    this.column = place.column;
  }
}

/** A variable text that would take too long or grow too large when it is filled in. */
export class VariableBudgetError extends VariableError {
  override readonly name = 'VariableBudgetError';
}

/** A text that names a secret of the workspace where none may be used. */
export class VariableSecretError extends VariableError {
  override readonly name = 'VariableSecretError';
}

/** Line and column (from 1) of a character offset in a text. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n?|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
