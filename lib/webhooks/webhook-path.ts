import type { WebhookKind } from './types.ts';

const WEBHOOK_PATH = /^\/webhook(-test)?\/([^/?#]+)\/?(?:\?|$)/;

/** The token and kind of `/webhook/<token>` and `/webhook-test/<token>`; undefined for any other path. */
export function matchWebhookPath(url: string): { kind: WebhookKind; token: string } | undefined {
  const match = WEBHOOK_PATH.exec(url);
  return match ? { kind: match[1] ? 'test' : 'production', token: match[2] ?? '' } : undefined;
}
