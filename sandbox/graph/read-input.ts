import type { IncomingMessage } from 'node:http';
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

/** Form-encoded calls carry objects as JSON; anything else is text. */
function parseFormValue(value: string): unknown {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A multipart body as the log has it. */
export function describeForm(form: FormData): object {
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.type}, ${value.size} bytes`,
    ]),
  );
}
