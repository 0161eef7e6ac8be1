'use client';
import { Pause, Play, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import { Deadline } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { List } from '#lib/lists/schema.ts';
import { RowStates, countRows, countRuns, toCounts } from './list-states.tsx';

type Act = (input: { id: string }) => Promise<ActionResult<unknown>>;

export interface ListActions {
  pause: Act;
  resume: Act;
  stop: Act;
  retryFailed: (input: { id: string; repeat_unknown: boolean }) => Promise<ActionResult<unknown>>;
}

type Verb = 'pause' | 'resume' | 'stop';

export interface ProgressCardProps {
  list: List;
  /** When the last row starts; null: unknown. */
  endsAt: string | null;
  /** Null for viewers. */
  actions: ListActions | null;
  /** Reads the list again. */
  refresh: () => void;
  onChoose: (state: string) => void;
}

/** How many rows are in each state, with what can be done about it. */
export function ProgressCard({ list, endsAt, actions, refresh, onChoose }: ProgressCardProps) {
  const { id, state, counts } = list;
  const [busy, setBusy] = useState<Verb | null>(null);
  const run = async (verb: Verb, done: string, undo?: { verb: Verb; done: string }) => {
    if (!actions) return;
    setBusy(verb);
    const result = await actions[verb]({ id });
    setBusy(null);
    refresh();
    if (!result.ok) return showActionError(result.error);
    toast.success(done, undo && { action: { label: 'Undo', onClick: () => void run(undo.verb, undo.done) } });
  };
  const button = { disabled: busy !== null };
  const isOpen = state === 'running' || state === 'paused';
  return (
    <Card
      title="Progress"
      description={describe(list, endsAt)}
      actions={
        actions && (
          <div className="flex flex-wrap gap-2">
            {state === 'running' && (
              <Button
                {...button}
                loading={busy === 'pause'}
                icon={<Pause aria-hidden />}
                onClick={() => void run('pause', 'Paused', { verb: 'resume', done: 'Resumed' })}
              >
                Pause
              </Button>
            )}
            {state === 'paused' && (
              <Button
                {...button}
                loading={busy === 'resume'}
                variant="primary"
                icon={<Play aria-hidden />}
                onClick={() => void run('resume', 'Resumed')}
              >
                Resume
              </Button>
            )}
            {isOpen && (
              <ConfirmDialog
                title="Stop list?"
                description={`${countRows(counts.waiting)} that did not start yet will get no message. Runs in progress continue. A stopped list cannot be resumed.`}
                confirmLabel="Stop list"
                danger
                trigger={
                  <Button {...button} loading={busy === 'stop'} icon={<Square aria-hidden />}>
                    Stop
                  </Button>
                }
                onConfirm={() => run('stop', 'Stopped')}
              />
            )}
            {counts.failed > 0 && (
              <RetryDialog
                failed={counts.failed}
                retry={(repeatsUnknown) => actions.retryFailed({ id, repeat_unknown: repeatsUnknown })}
                onDone={refresh}
              >
                <Button {...button} icon={<RotateCcw aria-hidden />}>
                  Retry failed
                </Button>
              </RetryDialog>
            )}
          </div>
        )
      }
    >
      <RowStates label="Rows by state" counts={toCounts(counts)} onChoose={onChoose} />
    </Card>
  );
}

/** Asks whether to retry, also where messages may be sent twice. */
function RetryDialog({
  failed,
  retry,
  onDone,
  children,
}: {
  failed: number;
  retry: (repeatsUnknown: boolean) => Promise<ActionResult<unknown>>;
  onDone: () => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [repeatsUnknown, setRepeatsUnknown] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    setProblem(undefined);
    setRepeatsUnknown(false);
  };
  const submit = () =>
    startTransition(async () => {
      const result = await retry(repeatsUnknown);
      onDone();
      if (!result.ok) return setProblem(result.error.message);
      toast.success('Retrying the failed rows');
      changeOpen(false);
    });
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={changeOpen}
      trigger={children}
      title="Retry failed rows?"
      description={`The runs of ${countRows(failed)} resume at the task that failed. Messages that were sent are not sent again.`}
      submitLabel="Retry failed"
      busy={busy}
      problem={problem}
      onSubmit={submit}
    >
      <Checkbox
        label="Also retry rows whose outcome is unknown"
        help="Their messages may be sent twice."
        checked={repeatsUnknown}
        onCheckedChange={setRepeatsUnknown}
      />
    </FormDialog>
  );
}

function describe({ state, counts }: List, endsAt: string | null): ReactNode {
  const rows = countRows(countRuns(counts));
  switch (state) {
    case 'checking':
    case 'ready':
      return 'Nothing was started yet.';
    case 'running':
      return (
        <>
          One run for each of {rows}, at the pace of the number.
          {endsAt !== null && counts.waiting > 0 && (
            <>
              {' '}
              The last one starts <Deadline at={endsAt} />.
            </>
          )}
        </>
      );
    case 'paused':
      return 'No further row starts until you resume. Runs in progress continue.';
    case 'stopped':
      return 'Rows that had not started get no message.';
    case 'finished':
      return `All ${rows} have ended.`;
  }
}
