import { GraphError, invalidParameter } from '../graph-error.ts';
import type { ParameterFormat } from '../model.ts';
import type { ParameterInput } from './message-schema.ts';

/**
 * A text with its parameters in place, by their order or by their names. Throws 132000 (wrong number), 132012 (wrong format),
 * 131008 (empty), or 100 (a name is missing or not of this text).
 */
export function fillText(
  where: string,
  text: string,
  format: ParameterFormat,
  parameters: ParameterInput[],
): string {
  if (format === 'POSITIONAL')
    return fillPlaceholders(text, textsOf(where, parameters, countPlaceholders(text)));
  const names = listNames(text);
  const given = parameters.map((parameter) => nameOf(parameter, names));
  const values = textsOf(where, parameters, names.length);
  return fillNames(text, new Map(given.map((name, index) => [name, values[index] ?? ''])));
}

function nameOf(parameter: ParameterInput, names: string[]): string {
  const name = parameter.type === 'text' ? (parameter.parameter_name ?? '') : '';
  if (name === '') throw invalidParameter('Parameter name is missing or empty');
  if (!names.includes(name))
    throw invalidParameter(`Parameter name "${name}" is not one of {${names.join(', ')}}.`);
  return name;
}

/** The texts of parameters, of which there have to be this many. */
export function textsOf(where: string, parameters: ParameterInput[], expected: number): string[] {
  if (parameters.length !== expected) {
    throw new GraphError(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`,
    );
  }
  return parameters.map((parameter, index) => textOf(where, parameter, index));
}

function textOf(where: string, parameter: ParameterInput, index: number): string {
  if (parameter.type === 'currency') return parameter.currency.fallback_value;
  if (parameter.type === 'date_time') return parameter.date_time.fallback_value;
  if (parameter.type !== 'text') {
    throw new GraphError(
      132012,
      `${where}: Format mismatch, expected TEXT, received ${parameter.type.toUpperCase()}`,
    );
  }
  if (parameter.text === '') {
    throw new GraphError(
      131008,
      `${where}: Parameter of type text is missing text value (parameter ${index + 1})`,
    );
  }
  if (/[\n\t]| {5,}/.test(parameter.text)) {
    throw invalidParameter(
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    );
  }
  return parameter.text;
}

/** Numbers of the placeholders of a text in the order of the text: `{{1}} and {{2}}` → [1, 2]. */
export function listPlaceholders(text: string): number[] {
  return [...text.matchAll(/\{\{(\d+)\}\}/g)].map((match) => Number(match[1]));
}

/** Number of different placeholders of a text. */
export function countPlaceholders(text: string): number {
  return new Set(listPlaceholders(text)).size;
}

/** Inserts values: the first for {{1}} and so on. A missing one stays as written. */
export function fillPlaceholders(text: string, values: string[]): string {
  return text.replace(
    /\{\{(\d+)\}\}/g,
    (placeholder, number: string) => values[Number(number) - 1] ?? placeholder,
  );
}

/** The different names of a text with named placeholders: `{{first_name}}` → ['first_name']. */
export function listNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([a-z][a-z0-9_]*)\}\}/g)].map((match) => match[1] ?? ''))];
}

/** Inserts values by name. A missing one stays as written. */
function fillNames(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\{\{([a-z][a-z0-9_]*)\}\}/g,
    (placeholder, name: string) => values.get(name) ?? placeholder,
  );
}
