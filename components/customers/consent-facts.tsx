'use client';
import { useTask } from '#components/live/use-task.ts';
import { EVIDENCE_WORDS } from '#components/live/customer-words.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { Deadline, RelativeTime } from '#components/ui/relative-time.tsx';
import { Fact } from '#components/ui/table.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Consent, CustomerHold, NewHold } from '#lib/messaging/consent/schema.ts';
import type { ConsentPurpose, ConsentState, Evidence } from '#lib/messaging/schema/consent-types.ts';

export interface ConsentActions {
  recordConsent: (input: {
    id: string;
    purpose: ConsentPurpose;
    state: ConsentState;
  }) => Promise<ActionResult<void>>;
  holdCustomer: (input: NewHold & { id: string }) => Promise<ActionResult<void>>;
  releaseCustomer: (input: { id: string }) => Promise<ActionResult<void>>;
}

export interface ConsentFactsProps {
  customerId: string;
  marketing: CurrentConsent;
  all: CurrentConsent;
  hold: Pick<NonNullable<CustomerHold['hold']>, 'since' | 'until' | 'reason' | 'waiting_runs'> | null;
  canEdit: boolean;
  actions: ConsentActions;
}

type CurrentConsent =
  | (Pick<NonNullable<Consent['all']>, 'state' | 'since'> & { by: Evidence['kind'] })
  | null;

const PURPOSES: readonly { purpose: ConsentPurpose; label: string; what: string }[] = [
  { purpose: 'marketing', label: 'Marketing', what: 'marketing templates' },
  { purpose: 'all', label: 'All messages', what: 'messages' },
];

/** What a customer agreed to or stopped, and whether they are on hold; editors change it. */
export function ConsentFacts({ customerId: id, canEdit, actions, hold, ...consents }: ConsentFactsProps) {
  const { run } = useTask();
  return (
    <>
      {PURPOSES.map(({ purpose, label, what }) => {
        const current = consents[purpose];
        const isStopped = current?.state === 'stopped';
        const change = (state: ConsentState, done: string) =>
          run(() => actions.recordConsent({ id, purpose, state }), done);
        return (
          <Fact key={purpose} label={label}>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <State current={current} />
              {canEdit && (
                <ConfirmDialog
                  trigger={
                    <Button size="sm" aria-label={`${isStopped ? 'Allow' : 'Stop'} ${what}`}>
                      {isStopped ? 'Allow' : 'Stop'}
                    </Button>
                  }
                  title={isStopped ? `Allow ${what} again?` : `Stop ${what}?`}
                  description={
                    isStopped
                      ? `Only if the customer agreed. Workflows send ${what} to this customer again.`
                      : `No workflow sends ${what} to this customer any more, until the customer or a member allows them.`
                  }
                  confirmLabel={isStopped ? 'Allow' : 'Stop'}
                  danger={!isStopped}
                  onConfirm={() => (isStopped ? change('given', 'Allowed.') : change('stopped', 'Stopped.'))}
                />
              )}
            </span>
          </Fact>
        );
      })}
      <Fact label="Workflows">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {hold ? (
            <>
              <Badge tone="warning">On hold</Badge>
              <span>
                {hold.until === null ? (
                  <>
                    since <RelativeTime at={hold.since} />
                  </>
                ) : (
                  <>
                    until <Deadline at={hold.until} />
                  </>
                )}
                {hold.reason !== '' && `: ${hold.reason}`}
              </span>
              {hold.waiting_runs > 0 && (
                <span>
                  {hold.waiting_runs === 1
                    ? '1 run waits for the end of this hold.'
                    : `${hold.waiting_runs} runs wait for the end of this hold.`}
                </span>
              )}
              {canEdit && (
                <Button size="sm" onClick={() => run(() => actions.releaseCustomer({ id }), 'Released.')}>
                  Release
                </Button>
              )}
            </>
          ) : (
            <>
              <span>Send to this customer</span>
              {canEdit && (
                <ConfirmDialog
                  trigger={<Button size="sm">Put on hold</Button>}
                  title="Put this customer on hold?"
                  description="No workflow sends messages to this customer until the hold is released, so that a member can answer instead. A run that sends fails at that task or waits for the end of the hold, as chosen in Settings → Consent."
                  confirmLabel="Put on hold"
                  onConfirm={() =>
                    run(
                      () => actions.holdCustomer({ id, hours: null, reason: '' }),
                      'The customer is on hold.',
                    )
                  }
                />
              )}
            </>
          )}
        </span>
      </Fact>
    </>
  );
}

function State({ current }: { current: CurrentConsent }) {
  if (!current) return <span className="text-muted">Nothing on record</span>;
  return (
    <>
      {current.state === 'stopped' ? (
        <Badge tone="danger">Stopped</Badge>
      ) : (
        <Badge tone="success">Agreed</Badge>
      )}
      <span>
        <RelativeTime at={current.since} />, {EVIDENCE_WORDS[current.by]}
      </span>
    </>
  );
}
