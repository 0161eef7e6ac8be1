import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { VariableError } from '#lib/variables/errors.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { evaluateText, renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import type { VariableScope } from '#lib/variables/scope.ts';

const SHOWN_CHARACTERS = 4000;

export type Preview =
  | { kind: 'text'; text: string }
  | { kind: 'nothing' }
  | { kind: 'problem'; message: string };

/** A variable text rendered with the sample; a single list or object is shown as JSON, secrets as `••••••`. */
export function renderPreview(
  text: string,
  scope: VariableScope,
  { escape = 'none', keepPlaceholders = false }: { escape?: Escape; keepPlaceholders?: boolean } = {},
): Preview {
  try {
    const parsed = parseVariableText(text, { keepPlaceholders });
    const isOneVariable = parsed.nodes.length === 1 && parsed.nodes[0]?.kind === 'output';
    if (isOneVariable && escape === 'none') {
      const value = evaluateText(parsed, scope);
      if (value === undefined || value === '') return { kind: 'nothing' };
      return shown(typeof value === 'string' ? value : stringifyJson(value));
    }
    const rendered = renderText(parsed, scope, escape);
    return rendered === '' ? { kind: 'nothing' } : shown(rendered);
  } catch (error) {
    if (error instanceof VariableError) return { kind: 'problem', message: error.message };
    throw error;
  }
}

function shown(value: string): Preview {
  const text = withoutSecretIds(value);
  return {
    kind: 'text',
    text: text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text,
  };
}
