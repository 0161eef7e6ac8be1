import { classifyError, ERROR_KINDS } from '#lib/messaging/platform/error-table.ts';
import type { StatusError } from '#lib/messaging/schema/message-status-types.ts';

/** Why a message failed, in the platform's words, and what to do where that is known: "Template is paused (132015). Use …" */
export function explainStatusError({ code, title, message }: StatusError): string {
  const kind = classifyError(400, code);
  const said = (title || message || '').replace(/[.\s]+$/, '') || ERROR_KINDS[kind].words;
  return `${said} (${code}).${kind === 'refused' ? '' : ` ${ERROR_KINDS[kind].hint}`}`;
}
