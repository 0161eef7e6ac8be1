import type { WebhookKind } from './types.ts';

export interface WebhookAddress {
  kind: WebhookKind;
  token: string;
}

const WEBHOOK_PATH = /^\/webhook(-test)?\/([^?#]*?)\/?(?:[?#]|$)/;

/**
 * The kind and token of `/webhook/<token>` and `/webhook-test/<token>`. Any other path below them counts as an unknown token;
 * undefined for all other paths.
 */
export function matchWebhookPath(url: string): WebhookAddress | undefined {
  const match = WEBHOOK_PATH.exec(url);
  return match ? { kind: match[1] ? 'test' : 'production', token: match[2] ?? '' } : undefined;
}

/** The path of a webhook's URL. */
export const webhookPath = ({ kind, token }: WebhookAddress): string =>
  `/${kind === 'test' ? 'webhook-test' : 'webhook'}/${token}`;

/** The token is the only credential: members who may not send events see the URL without it. */
export const hideToken = (url: string): string => url.replace(/[^/]+$/, '••••');
