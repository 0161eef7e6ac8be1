'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Role } from '#lib/identity/members/roles.ts';
import { ROLE_OPTIONS } from './role-options.ts';

const DAYS = ['1', '7', '30'] as const;

export interface InviteDialogProps {
  invite: (input: {
    note: string;
    role: Role;
    days: number;
  }) => Promise<ActionResult<{ id: string; url: string }>>;
}

/** Makes an invitation and shows its link, once. */
export function InviteDialog({ invite }: InviteDialogProps) {
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    if (next) return;
    setUrl('');
    setNote('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const made = await invite({ note, role, days: Number(days) });
      setProblem(made.ok ? '' : made.error.message);
      if (made.ok) setUrl(made.data.url);
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title="Invite a member"
      size="sm"
      trigger={<Button>Invite</Button>}
      footer={
        url ? (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        ) : (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" form="invite" variant="primary" loading={busy}>
              Create link
            </Button>
          </>
        )
      }
    >
      {url ? (
        <div className="flex flex-col gap-3">
          <p>Send this link. It works once, and you won’t see it again.</p>
          <CodeBlock label="invitation link" code={url} wrap />
        </div>
      ) : (
        <form id="invite" onSubmit={submit} className="flex flex-col gap-4">
          {problem && (
            <Callout tone="danger" live>
              {problem}
            </Callout>
          )}
          <Field label="Who is it for?" help="A note to recognize the invitation by.">
            <Input value={note} maxLength={200} onChange={(event) => setNote(event.target.value)} />
          </Field>
          <Field label="Role">
            <Select options={ROLE_OPTIONS} value={role} onValueChange={setRole} />
          </Field>
          <Field label="Expires after">
            <Select
              options={DAYS.map((value) => ({ value, label: value === '1' ? '1 day' : `${value} days` }))}
              value={days}
              onValueChange={setDays}
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}
