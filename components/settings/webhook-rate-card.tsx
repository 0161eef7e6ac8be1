'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WebhookRate } from '#lib/identity/workspaces/webhook-rate-schema.ts';

export interface WebhookRateCardProps {
  /** Null: the server's default. */
  requestsPerSecond: number | null;
  /** 0: no limit. */
  serverDefault: number;
  change: (input: WebhookRate) => Promise<ActionResult<WebhookRate>>;
}

export function WebhookRateCard({ requestsPerSecond, serverDefault, change }: WebhookRateCardProps) {
  const saved = requestsPerSecond === null ? '' : String(requestsPerSecond);
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const entered = text.trim();
      const changed = await change({ requests_per_second: entered === '' ? null : Number(entered) });
      setProblem(changed.ok ? undefined : changed.error.message);
      if (changed.ok) toast.success('Webhook rate limit saved');
    });
  };
  const fallback =
    serverDefault === 0 ? 'no limit' : `${serverDefault.toLocaleString('en')} webhooks per second`;
  return (
    <form onSubmit={submit}>
      <Card
        title="Webhook rate limit"
        description="Requests over the limit get 429 and are not kept. Senders can try again a second later."
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={text.trim() === saved}>
            Save
          </Button>
        }
      >
        <Field
          label="Webhooks per second"
          help={`Leave it empty to use the server default: ${fallback}.`}
          error={problem}
          className="max-w-md"
        >
          <Input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </Card>
    </form>
  );
}
