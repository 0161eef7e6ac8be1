'use client';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field } from '#components/ui/field.tsx';
import { FormDialog } from '#components/ui/form-dialog.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { ROLE_OPTIONS } from './role-options.ts';

const DAYS = ['1', '7', '30'] as const;

export interface InviteDialogProps {
  invite: (input: {
    note: string;
    role: Role;
    days: number;
    email?: string;
  }) => Promise<ActionResult<{ id: string; url: string }>>;
  /** Mail is set up: the link can be mailed. */
  canMail: boolean;
}

/** Creates an invitation, mails it if an address is entered, and shows its link once. */
export function InviteDialog({ invite, canMail }: InviteDialogProps) {
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const [email, setEmail] = useState('');
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
    setEmail('');
    setProblem('');
  };
  const submit = () =>
    startTransition(async () => {
      const made = await invite({
        note,
        role,
        days: Number(days),
        ...(email.trim() ? { email } : {}),
      });
      setProblem(made.ok ? '' : made.error.message);
      if (made.ok) setUrl(made.data.url);
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={changeOpen}
      title="Invite a member"
      trigger={<Button>Invite</Button>}
      submitLabel={email.trim() ? 'Send invitation' : 'Create link'}
      busy={busy}
      onSubmit={submit}
      problem={problem}
      result={
        url && (
          <div className="flex flex-col gap-3">
            <p>
              {email.trim()
                ? `The invitation is on its way to ${email.trim()}. You can also send this link, which only that address can accept. It works once, and you won’t see it again.`
                : 'Send this link. It works once, and you won’t see it again.'}
            </p>
            <CodeBlock label="invitation link" code={url} wrap />
          </div>
        )
      }
    >
      <Field label="Who is it for?" help="A note to recognize the invitation by.">
        <Input value={note} maxLength={200} onChange={(event) => setNote(event.target.value)} />
      </Field>
      {canMail ? (
        <Field
          label="Email address (optional)"
          help="The invitation is sent to this address, and only this address can accept it."
        >
          <Input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
        </Field>
      ) : (
        <p className="text-sm text-muted">
          Mail isn’t set up, so you’ll get a link to copy. See Settings → Mail.
        </p>
      )}
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
    </FormDialog>
  );
}
