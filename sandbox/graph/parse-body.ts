import type { z } from 'zod';
import { type GraphError, invalidParameter } from '../graph-error.ts';

/** Checks a body against a strict schema. Throws 100 in the platform's words, naming the parameter. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  throw explain(result.error.issues[0]);
}

function explain(issue: z.core.$ZodIssue | undefined): GraphError {
  if (!issue) return invalidParameter('Invalid parameter');
  const name = parameterName(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return invalidParameter(`Unexpected key "${issue.keys[0]}" on param "${name || 'body'}".`);
    case 'invalid_type':
      return issue.input === undefined
        ? invalidParameter(`The parameter ${name} is required.`)
        : invalidParameter(`Param ${name} must be ${article(issue.expected)}.`);
    case 'invalid_value':
      return invalidParameter(`Param ${name} must be one of {${issue.values.map(String).join(', ')}}.`);
    case 'invalid_union':
      return invalidParameter(`Param ${name} has a value that is not supported.`);
    default:
      return invalidParameter(`Param ${name}: ${issue.message}`);
  }
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** `template['components'][0]['type']`, as the platform writes it. */
function parameterName(path: PropertyKey[]): string {
  return path
    .map((part, index) =>
      index === 0 ? String(part) : typeof part === 'number' ? `[${part}]` : `['${String(part)}']`,
    )
    .join('');
}
