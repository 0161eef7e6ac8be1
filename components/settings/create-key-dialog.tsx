'use client';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { readEndOfDay } from '#components/ui/form/local-time.ts';
import { Select } from '#components/ui/form/select.tsx';
import { useZone } from '#components/ui/relative-time.tsx';
import {
  KEY_SCOPES,
  type KeyScope,
  SCOPE_DESCRIPTIONS,
  SCOPE_LABELS,
} from '#lib/identity/api-keys/scopes.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

/** Expiry of a new API key: a number of days, a date, or none. */
const EXPIRY_OPTIONS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;
type ExpiryChoice = (typeof EXPIRY_OPTIONS)[number]['value'];

const DAY_MS = 86_400_000;

/**
 * The expiry of a key; null: never; undefined without a valid date.
 * @param date `YYYY-MM-DD`: the key works until the end of that day in the zone
 * @throws MissingCodeError
 */
export async function toExpiresAt(
  choice: ExpiryChoice,
  date: string,
  { now, zone }: { now: Date; zone: string },
): Promise<string | null | undefined> {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now.getTime() + Number(choice) * DAY_MS).toISOString();
  return readEndOfDay(date, zone);
}

const SCOPE_OPTIONS = KEY_SCOPES.map((scope) => ({
  value: scope,
  label: SCOPE_LABELS[scope],
  description: SCOPE_DESCRIPTIONS[scope],
}));

const START = { name: '', scope: 'read' as KeyScope, expiry: '90' as ExpiryChoice, date: '' };

export interface CreateKeyDialogProps {
  baseUrl: string;
  create: (input: {
    name: string;
    scope: KeyScope;
    expires_at: string | null;
  }) => Promise<ActionResult<{ key: string }>>;
}

/** Creates an API key and shows it, once. */
export function CreateKeyDialog({ baseUrl, create }: CreateKeyDialogProps) {
  const [open, setOpen] = useState(false);
  const [input, setInput] = useState(START);
  const [key, setKey] = useState('');
  const zone = useZone();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [busy, startTransition] = useTransition();
  const change = (changed: Partial<typeof START>) => {
    setInput({ ...input, ...changed });
    setProblems({});
  };
  const changeOpen = (next: boolean) => {
    setOpen(next);
    if (next) return;
    setInput(START);
    setKey('');
    setProblems({});
  };
  const submit = () => {
    const { name, scope, expiry, date } = input;
    if (name.trim() === '') return setProblems({ name: 'Enter a name.' });
    startTransition(async () => {
      let expires_at: string | null | undefined;
      try {
        expires_at = await toExpiresAt(expiry, date, { now: new Date(), zone });
      } catch (error) {
        return setProblems({ '': (error as Error).message });
      }
      if (expires_at === undefined) return setProblems({ expires_at: 'Select a date.' });
      const made = await create({ name, scope, expires_at });
      if (made.ok) return setKey(made.data.key);
      const { message, problems: found } = made.error;
      setProblems(
        found.length > 0
          ? Object.fromEntries(found.map(({ path, message: what }) => [path, what]))
          : { '': message },
      );
    });
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={changeOpen}
      title={key ? 'API key created' : 'Create API key'}
      trigger={<Button variant="primary">Create key</Button>}
      submitLabel="Create key"
      busy={busy}
      noValidate
      onSubmit={submit}
      problem={problems['']}
      result={key && <NewKey apiKey={key} baseUrl={baseUrl} />}
    >
      <p className="text-sm text-muted">
        A key can never do more than your own role allows, and stops working when you leave the workspace.
      </p>
      <Field label="Name" help="What the key is for." error={problems['name']} required>
        <Input
          value={input.name}
          placeholder="e.g. Shop"
          maxLength={200}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label="Scope" help={SCOPE_DESCRIPTIONS[input.scope]} error={problems['scope']}>
        <Select options={SCOPE_OPTIONS} value={input.scope} onValueChange={(scope) => change({ scope })} />
      </Field>
      <Field label="Expires after" error={input.expiry === 'date' ? undefined : problems['expires_at']}>
        <Select
          options={EXPIRY_OPTIONS}
          value={input.expiry}
          onValueChange={(expiry) => change({ expiry })}
        />
      </Field>
      {input.expiry === 'date' && (
        <Field
          label="Last day"
          help={`The key works until the end of this day in the time zone ${zone}.`}
          error={problems['expires_at']}
          required
        >
          <Input type="date" value={input.date} onChange={(event) => change({ date: event.target.value })} />
        </Field>
      )}
    </FormDialog>
  );
}

const NewKey = ({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) => (
  <div className="flex flex-col gap-4">
    <Callout tone="success" live title="Copy the key now. You won’t see it again.">
      <div className="mt-2">
        <CodeBlock label="API key" code={apiKey} wrap />
      </div>
    </Callout>
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">A first request</p>
      <CodeBlock
        label="example"
        code={`curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}/api/v1/workflows`}
        wrap
      />
    </div>
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">
        For an assistant, as a remote MCP server with this key as bearer token
      </p>
      <CodeBlock label="MCP server URL" code={`${baseUrl}/api/mcp`} wrap />
    </div>
  </div>
);
