'use client';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WebhookRate } from '#lib/identity/workspaces/webhook-rate-schema.ts';
import { OneFieldCard } from './one-field-card.tsx';

export interface WebhookRateCardProps {
  /** Null: the server's default. */
  requestsPerSecond: number | null;
  /** 0: no limit. */
  serverDefault: number;
  change: (input: WebhookRate) => Promise<ActionResult<WebhookRate>>;
}

export function WebhookRateCard({ requestsPerSecond, serverDefault, change }: WebhookRateCardProps) {
  const fallback =
    serverDefault === 0 ? 'no limit' : `${serverDefault.toLocaleString('en')} webhooks per second`;
  return (
    <OneFieldCard
      title="Webhook rate limit"
      description="Requests over the limit get 429 and are not saved. Senders can try again a second later."
      label="Webhooks per second"
      help={`Leave it empty to use the server default: ${fallback}.`}
      inputMode="numeric"
      saved={requestsPerSecond === null ? '' : String(requestsPerSecond)}
      save={(text) => change({ requests_per_second: text.trim() === '' ? null : Number(text.trim()) })}
      success="Webhook rate limit saved"
    />
  );
}
