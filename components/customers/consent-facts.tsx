'use client';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { useTask } from '#components/live/use-task.ts';
import {
  EVIDENCE_WORDS,
  HOLD_DEADLINES_OPTIONS,
  HOLD_SENDS_OPTIONS,
} from '#components/live/customer-words.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { Deadline, RelativeTime } from '#components/ui/relative-time.tsx';
import { Fact } from '#components/ui/table.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Consent, CustomerHold, NewHold } from '#lib/messaging/consent/schema.ts';
import type {
  ConsentPurpose,
  ConsentState,
  Evidence,
  HoldDeadlines,
  HoldSends,
} from '#lib/messaging/schema/consent-types.ts';

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
  /** A stop from before an erasure of the customer's data. */
  keptStop: { purpose: ConsentPurpose; erasedAt: string } | null;
  hold: Pick<
    NonNullable<CustomerHold['hold']>,
    'since' | 'until' | 'reason' | 'sends' | 'deadlines' | 'waiting_runs'
  > | null;
  /** What the workspace's settings say of holds. */
  holdDefaults: HoldDefaults;
  canEdit: boolean;
  actions: ConsentActions;
}

interface HoldDefaults {
  sends: HoldSends;
  deadlines: HoldDeadlines;
}

type CurrentConsent =
  | (Pick<NonNullable<Consent['all']>, 'state' | 'since'> & { by: Evidence['kind'] })
  | null;

const PURPOSES: readonly { purpose: ConsentPurpose; label: string; what: string }[] = [
  { purpose: 'marketing', label: 'Marketing', what: 'marketing templates' },
  { purpose: 'all', label: 'All messages', what: 'messages' },
];

/** What a customer agreed to or stopped, and whether they are on hold; editors change it. */
export function ConsentFacts({
  customerId: id,
  canEdit,
  actions,
  hold,
  holdDefaults,
  keptStop,
  ...consents
}: ConsentFactsProps) {
  const { run } = useTask();
  return (
    <>
      {PURPOSES.map(({ purpose, label, what }) => {
        const current = consents[purpose];
        const erasedAt = keptStop?.purpose === purpose ? keptStop.erasedAt : null;
        const isStopped = current?.state === 'stopped' || erasedAt !== null;
        const change = (state: ConsentState, done: string) =>
          run(() => actions.recordConsent({ id, purpose, state }), done);
        return (
          <Fact key={purpose} label={label}>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {erasedAt !== null && current?.state !== 'stopped' ? (
                <>
                  <Badge tone="danger">Stopped</Badge>
                  <span>
                    kept after an erasure <RelativeTime at={erasedAt} />
                  </span>
                </>
              ) : (
                <State current={current} />
              )}
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
              <span className="text-muted">{describeHold(hold)}</span>
              {canEdit && (
                <Button size="sm" onClick={() => run(() => actions.releaseCustomer({ id }), 'Released.')}>
                  Release
                </Button>
              )}
            </>
          ) : (
            <>
              <span>Send to this customer</span>
              {canEdit && <HoldDialog customerId={id} defaults={holdDefaults} hold={actions.holdCustomer} />}
            </>
          )}
        </span>
      </Fact>
    </>
  );
}

const describeHold = ({
  sends,
  deadlines,
  waiting_runs: runs,
}: NonNullable<ConsentFactsProps['hold']>): string =>
  [
    sends === 'wait' ? 'Messages of workflows wait for its end.' : 'Messages of workflows are not sent.',
    deadlines === 'stand_still' && 'Time limits of questions are paused.',
    runs > 0 && `${runs} ${runs === 1 ? 'run waits' : 'runs wait'}.`,
  ]
    .filter(Boolean)
    .join(' ');

/** Puts the customer on hold, as the member chooses. */
function HoldDialog({
  customerId: id,
  defaults,
  hold,
}: {
  customerId: string;
  defaults: HoldDefaults;
  hold: ConsentActions['holdCustomer'];
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [{ sends, deadlines }, setChosen] = useState(defaults);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = () =>
    startTransition(async () => {
      const result = await hold({ id, hours: null, reason: '', sends, deadlines });
      if (!result.ok) return setProblem(result.error.message);
      setOpen(false);
      toast.success('The customer is on hold.');
      router.refresh();
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setChosen(defaults);
        setProblem(undefined);
      }}
      trigger={<Button size="sm">Put on hold</Button>}
      title="Put this customer on hold?"
      description="No workflow sends messages to this customer until the hold is released, so that a member can answer instead."
      submitLabel="Put on hold"
      busy={busy}
      problem={problem}
      onSubmit={submit}
    >
      <Field label="When a workflow sends to this customer">
        <Select
          options={HOLD_SENDS_OPTIONS}
          value={sends}
          onValueChange={(next) => setChosen({ sends: next, deadlines })}
        />
      </Field>
      <Field label="Time limits of questions during the hold" help="For runs that wait for an answer.">
        <Select
          options={HOLD_DEADLINES_OPTIONS}
          value={deadlines}
          onValueChange={(next) => setChosen({ sends, deadlines: next })}
        />
      </Field>
    </FormDialog>
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
