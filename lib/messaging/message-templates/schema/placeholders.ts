import { listNames } from './stored-template.ts';

/** Numbers of the placeholders in the order of the text: `{{1}} and {{2}}` → [1, 2]. */
const listPlaceholders = (text: string): number[] =>
  [...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map((match) => Number(match[1]));

/** Number of different placeholders of a text. */
export const countPlaceholders = (text: string): number => new Set(listPlaceholders(text)).size;

/** The highest number, not their count: `{{2}}` alone takes two values. */
export const highestPlaceholder = (text = ''): number => Math.max(0, ...listPlaceholders(text));

// Placeholders of a new message template: {{1}}, {{2}} or, with names, {{first_name}}.

export type Report = (path: string, message: string) => void;

interface NamedExample {
  param_name: string;
  example: string;
}

/** `{{1}}`, `{{2}}` … without gaps. */
export function checkNumbering(text: string, path: string, report: Report): void {
  if (/\{\{(?!\d+\}\})/.test(text)) report(path, 'Write placeholders as {{1}}, {{2}}, …');
  const numbers = [...new Set(listPlaceholders(text))].sort((a, b) => a - b);
  if (numbers.some((number, index) => number !== index + 1)) {
    report(path, 'Number the placeholders 1, 2, 3, … without gaps.');
  }
}

/** In a body they must be between words. */
export function checkPosition(text: string, path: string, report: Report): void {
  if (/^\{\{\s*\w+\s*\}\}|\{\{\s*\w+\s*\}\}$/.test(text.trim()))
    report(path, 'The text cannot start or end with a placeholder: add words around it.');
  if (/\}\}\s*\{\{/.test(text))
    report(path, 'Two placeholders cannot be next to each other: add words between them.');
}

/** Names of lowercase letters, digits and underscores, each with an example under its name. */
export function checkNames(
  text: string,
  examples: readonly NamedExample[] = [],
  { path, part, most }: { path: string; part: 'header' | 'body'; most?: number },
  report: Report,
): void {
  if (/\{\{(?![a-z][a-z0-9_]*\}\})/.test(text)) {
    const message = /\{\{\d+\}\}/.test(text)
      ? 'Use numbers or names for all placeholders, not both.'
      : 'Write placeholders as {{first_name}}: lowercase letters, digits and underscores.';
    return report(`${path}.text`, message);
  }
  const names = listNames(text);
  if (most !== undefined && names.length > most)
    report(`${path}.text`, 'A header can have one placeholder at most.');
  const missing = names.filter(
    (name) => !examples.some((each) => each.param_name === name && each.example.trim() !== ''),
  );
  if (missing.length > 0)
    report(
      `${path}.example`,
      `Add an example to example.${part}_text_named_params for ${missing.map((name) => `{{${name}}}`).join(', ')}.`,
    );
}
