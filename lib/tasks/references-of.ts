import { VariableSyntaxError } from '#lib/variables/errors.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { listReferences, type Reference } from '#lib/variables/references.ts';
import type { VariableField } from './variable-fields.ts';

/** The names that a task's setting takes from outside; none when it cannot be read (`checkSettings` reports that). */
export function referencesOf({ text, keepPlaceholders }: VariableField): Reference[] {
  if (!text.includes('{{')) return [];
  try {
    return listReferences(parseVariableText(text, { keepPlaceholders }));
  } catch (error) {
    if (error instanceof VariableSyntaxError) return [];
    throw error;
  }
}
