'use client';
import { UserPlus, X } from 'lucide-react';
import { useState, useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Invitation } from '#lib/identity/members/schema.ts';
import { type Role, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { ROLE_OPTIONS } from './role-options.ts';

export interface InvitationsCardProps extends InviteDialogProps {
  invitations: readonly Invitation[];
  withdraw: (input: { id: string }) => Promise<ActionResult<void>>;
}

/** Open invitations. */
export function InvitationsCard({ invitations, invite, canMail, withdraw }: InvitationsCardProps) {
  const withdrawInvitation = async (id: string) => {
    const withdrawn = await withdraw({ id });
    if (!withdrawn.ok) showActionError(withdrawn.error);
  };
  return (
    <Card
      title="Invitations"
      description="An invitation is a link that works once. Send it any way you like."
      actions={<InviteDialog invite={invite} canMail={canMail} />}
    >
      {invitations.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <UserPlus aria-hidden className="size-4" />
          No open invitations.
        </p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {invitations.map(({ id, note, email, role, expiresAt, expired }) => (
            <li key={id} className="flex items-center gap-3 py-3">
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{note || email || 'No note'}</p>
                <p className="text-sm wrap-anywhere text-muted">
                  {email && email !== note && `For ${email} · `}
                  {ROLE_LABELS[role]} · {expired ? 'expired' : 'expires'} <RelativeTime at={expiresAt} />
                </p>
              </div>
              {expired && <Badge tone="warning">Expired</Badge>}
              <IconButton
                label={`Revoke invitation ${note}`.trim()}
                size="sm"
                onClick={() => void withdrawInvitation(id)}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const DAYS = ['1', '7', '30'] as const;

interface InviteDialogProps {
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
function InviteDialog({ invite, canMail }: InviteDialogProps) {
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
