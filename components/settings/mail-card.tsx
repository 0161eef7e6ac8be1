'use client';
import { useState, useTransition } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface MailCardProps {
  /** Null: mail is not set up. */
  setup: { server: string; from: string } | null;
  /** Recipient of the test mail. */
  email: string;
  test: (input: Record<string, never>) => Promise<ActionResult<void>>;
}

/** Whether mail is set up, and a test mail. */
export function MailCard({ setup, email, test }: MailCardProps) {
  const [result, setResult] = useState<ActionResult<void> | null>(null);
  const [busy, startTransition] = useTransition();
  const send = () =>
    startTransition(async () => {
      setResult(await test({}));
    });
  if (!setup)
    return (
      <Card title="Mail" description="Invitations, password resets and alerts can be sent by email.">
        <Callout tone="info" title="Mail is not set up">
          Ask your administrator to set up email. Until then you copy the links of invitations, and passwords
          are reset on the command line.
          <p className="mt-1">
            <HelpLink page="mail">How to set up email</HelpLink>
          </p>
        </Callout>
      </Card>
    );
  return (
    <Card
      title="Mail"
      description="Invitations, password resets and alerts are sent by email."
      footer={
        <Button variant="primary" loading={busy} onClick={send}>
          Send test mail
        </Button>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 [&_dd]:break-words [&_dt]:text-muted">
        <dt>Server</dt>
        <dd>{setup.server}</dd>
        <dt>From</dt>
        <dd>{setup.from}</dd>
        <dt>Test mail to</dt>
        <dd>{email}</dd>
      </dl>
      {result && (
        <div className="mt-4">
          {result.ok ? (
            <Callout tone="success" live>
              The mail server accepted the mail. Check your inbox.
            </Callout>
          ) : (
            <Callout tone="danger" live>
              {result.error.message}
            </Callout>
          )}
        </div>
      )}
    </Card>
  );
}
