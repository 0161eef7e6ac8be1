'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { Instant } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Retention } from '#lib/identity/workspaces/schema.ts';
import { type DueNow, STORED_KINDS } from '#lib/workflows/retention/stored-types.ts';
import { countOf, isShorter, KIND_WORDS, readDays } from './retention-words.ts';

export interface RetentionFormProps {
  saved: Retention;
  /** False: a workspace from before there was retention, of which nothing is deleted. */
  isChosen: boolean;
  defaults: Retention;
  /** Number of a workflow's newest events that stay. */
  sampleEvents: number;
  save: (input: Retention) => Promise<ActionResult<Retention>>;
  preview: (input: Retention) => Promise<ActionResult<DueNow[]>>;
}

type Texts = Record<keyof Retention, string>;

const toTexts = (retention: Retention): Texts => ({
  bodies_days: String(retention.bodies_days ?? ''),
  runs_days: String(retention.runs_days ?? ''),
  messages_days: String(retention.messages_days ?? ''),
  audit_days: String(retention.audit_days ?? ''),
});

const FIELDS = STORED_KINDS.flatMap((kind) => {
  const { help, ...words } = KIND_WORDS[kind];
  return help === null ? [] : [{ ...words, help }];
});

const WRONG = 'Enter a whole number of days, or nothing to keep it forever.';

/** How long the workspace's data is kept. Keeping something for less time asks first, with what would be deleted. */
export function RetentionForm({
  saved,
  isChosen,
  defaults,
  sampleEvents,
  save,
  preview,
}: RetentionFormProps) {
  const [texts, setTexts] = useState(() => toTexts(saved));
  const [problems, setProblems] = useState<Partial<Texts>>({});
  const [asked, setAsked] = useState<{ next: Retention; due: DueNow[] }>();
  const [busy, startTransition] = useTransition();

  const showProblems = (error: {
    message: string;
    problems: readonly { path: string; message: string }[];
  }) => {
    setProblems(Object.fromEntries(error.problems.map(({ path, message }) => [path, message])));
    if (error.problems.length === 0) toast.error(error.message);
  };
  const store = async (next: Retention) => {
    const result = await save(next);
    if (result.ok) toast.success('Retention saved');
    else showProblems(result.error);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = readTexts(texts);
    const wrong = FIELDS.map(({ field }) => field).filter((field) => next[field] === undefined);
    setProblems(Object.fromEntries(wrong.map((field) => [field, WRONG])));
    if (wrong.length > 0) return;
    startTransition(async () => {
      const retention = next as Retention;
      if (!isShorter(retention, saved)) return store(retention);
      const result = await preview(retention);
      if (result.ok) setAsked({ next: retention, due: result.data });
      else showProblems(result.error);
    });
  };
  const deletesNow = asked?.due.some(({ rows }) => rows > 0) ?? false;
  const isUnchanged = Object.entries(toTexts(saved)).every(
    ([field, text]) => texts[field as keyof Retention].trim() === text,
  );
  return (
    <form onSubmit={submit} className="flex flex-col gap-6">
      {!isChosen && (
        <Callout tone="warning" title="Nothing is deleted yet">
          <p>
            This workspace is older than this setting, so everything is kept forever until you choose. New
            workspaces keep contents for {defaults.bodies_days} days, runs and messages for{' '}
            {defaults.runs_days} days, and the audit log for {defaults.audit_days} days.
          </p>
          <div className="mt-3">
            <Button size="sm" onClick={() => setTexts(toTexts(defaults))}>
              Fill in these defaults
            </Button>
          </div>
        </Callout>
      )}
      <Card
        title="Retention"
        description="What is older is deleted automatically and can’t be restored. Leave a field empty to keep it forever."
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={isChosen && isUnchanged}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-5">
          {FIELDS.map(({ field, label, help }) => (
            <Field key={field} label={label} help={help} error={problems[field]}>
              <DaysInput
                value={texts[field]}
                onChange={(text) => setTexts((before) => ({ ...before, [field]: text }))}
              />
            </Field>
          ))}
          <p className="text-sm text-muted">
            The newest {sampleEvents} events of each workflow stay with their runs, because the editor offers
            them as samples. They are deleted with their workflow.
          </p>
        </div>
      </Card>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={deletesNow ? 'Delete older data?' : 'Save retention?'}
        description={asked && <Deletions due={asked.due} />}
        confirmLabel={deletesNow ? 'Delete older data' : 'Save retention'}
        danger={deletesNow}
        onConfirm={() => asked && store(asked.next)}
      />
    </form>
  );
}

const readTexts = (texts: Texts): Record<keyof Retention, number | null | undefined> => ({
  bodies_days: readDays(texts.bodies_days),
  runs_days: readDays(texts.runs_days),
  messages_days: readDays(texts.messages_days),
  audit_days: readDays(texts.audit_days),
});

const DaysInput = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <div className="flex items-center gap-2">
    <Input
      inputMode="numeric"
      placeholder="Forever"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-28!"
    />
    <span className="text-muted">days</span>
  </div>
);

/** What would be deleted now. It is rendered inside a paragraph. */
function Deletions({ due }: { due: readonly DueNow[] }) {
  const some = due.filter(({ rows }) => rows > 0);
  if (some.length === 0) return <>Nothing is that old now. What becomes older is deleted from now on.</>;
  return (
    <>
      <span className="block">This is deleted within the next hours and can’t be restored:</span>
      {some.map((each) => (
        <span key={each.kind} className="mt-2 block">
          <span className="font-medium text-ink">{KIND_WORDS[each.kind].label}</span>
          <span className="block">
            {countOf(each)}
            {each.oldestAt !== null && (
              <>
                , the oldest of <Instant at={each.oldestAt} />
              </>
            )}
          </span>
        </span>
      ))}
      <span className="mt-2 block">Runs in progress and the newest events of each workflow stay.</span>
    </>
  );
}
