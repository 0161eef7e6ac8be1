// The format of a response body; browsers use it, too, for previews.
import type { Escape } from '#lib/variables/escape.ts';

export type ResponseFormat = 'json' | 'xml' | 'text';

/** Detects the format from the start of a text (docs/webhooks.md). */
export function formatOf(text: string): ResponseFormat {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'xml';
  const opensObject = start.startsWith('{') && !start.startsWith('{{');
  return opensObject || start.startsWith('[') ? 'json' : 'text';
}

/** How variables are escaped in the response body of a trigger's settings (possibly a draft's). */
export function escapeOfResponse({
  response_format: format = 'auto',
  response_body: body,
}: {
  response_format?: unknown;
  response_body?: unknown;
}): Escape {
  const chosen = format === 'auto' && typeof body === 'string' ? formatOf(body) : format;
  if (chosen === 'xml' || chosen === 'text') return chosen === 'xml' ? 'xml' : 'none';
  return 'json';
}
