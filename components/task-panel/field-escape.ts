import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Escape } from '#lib/variables/escape.ts';

/** How values are escaped in a setting, so that its preview is what will be sent (docs/variables.md). */
export function escapeOf({ type, settings }: Pick<WorkflowTask, 'type' | 'settings'>, field: string): Escape {
  if (type === 'inbound_webhook') {
    if (field === 'redirect_url') return 'url';
    if (field === 'response_body') return responseEscape(settings);
  }
  if (type === 'http_request') {
    if (field === 'url') return 'url';
    if (field === 'body' && settings['body_type'] === 'json') return 'json';
  }
  return 'none';
}

function responseEscape(settings: Readonly<Record<string, unknown>>): Escape {
  const format = settings['response_format'] ?? 'auto';
  if (format === 'json' || format === 'xml') return format;
  if (format === 'text') return 'none';
  const start = typeof settings['response_body'] === 'string' ? settings['response_body'].trimStart() : '{"';
  if (start.startsWith('<')) return 'xml';
  const isJson = (start.startsWith('{') && !start.startsWith('{{')) || start.startsWith('[');
  return isJson ? 'json' : 'none';
}
