import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { type GraphError, invalidParameter } from '../graph-error.ts';
import { parseForm, parseJsonObject, readBody } from '../http/exchange.ts';

type GraphInput = { body: Record<string, unknown>; form: FormData | null; raw: Buffer };

/** The body of a call: JSON, form-encoded, multipart, or the bytes of a file. Throws BadRequest. */
export async function readInput(request: IncomingMessage): Promise<GraphInput> {
  const raw = await readBody(request);
  if (request.headers['file_offset'] !== undefined) return { body: {}, form: null, raw };
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('multipart/form-data'))
    return { body: {}, form: await parseForm(raw, contentType), raw };
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    const entries = [...new URLSearchParams(raw.toString('utf8'))].map(
      ([name, value]) => [name, parseFormValue(value)] as const,
    );
    return { body: Object.fromEntries(entries), form: null, raw };
  }
  return { body: parseJsonObject(raw), form: null, raw };
}

/** Form-encoded calls contain objects as JSON; anything else is text. */
function parseFormValue(value: string): unknown {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A multipart body for the log. */
export function describeForm(form: FormData): object {
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.type}, ${value.size} bytes`,
    ]),
  );
}

/** Checks a body against a strict schema. Throws 100 with the platform's message, which names the parameter. */
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

/** `template['components'][0]['type']`, in the platform's notation. */
function parameterName(path: PropertyKey[]): string {
  return path
    .map((part, index) =>
      index === 0 ? String(part) : typeof part === 'number' ? `[${part}]` : `['${String(part)}']`,
    )
    .join('');
}
