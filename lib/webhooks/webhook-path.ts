import type { WebhookKind } from './types.ts';

export interface WebhookAddress {
  kind: WebhookKind;
  token: string;
}

const WEBHOOK_PATH = /^\/webhook(-test)?\/([^?#]*?)\/?(?:[?#]|$)/;

/**
 * The kind and token of `/webhook/<token>` and `/webhook-test/<token>`. Whatever else stands below them is a token
 * that no webhook has; undefined for any other path.
 */
export function matchWebhookPath(url: string): WebhookAddress | undefined {
  const match = WEBHOOK_PATH.exec(url);
  return match ? { kind: match[1] ? 'test' : 'production', token: match[2] ?? '' } : undefined;
}

/** The path of a webhook's URL. */
export const webhookPath = ({ kind, token }: WebhookAddress): string =>
  `/${kind === 'test' ? 'webhook-test' : 'webhook'}/${token}`;

/** The token is the only credential: who may not send events sees no more than where they go. */
export const hideToken = (url: string): string => url.replace(/[^/]+$/, '••••');
