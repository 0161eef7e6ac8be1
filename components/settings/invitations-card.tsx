'use client';
import { UserPlus, X } from 'lucide-react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import type { Invitation } from '#lib/identity/members/schema.ts';
import { InviteDialog, type InviteDialogProps } from './invite-dialog.tsx';

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
