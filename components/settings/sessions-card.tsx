'use client';
import { LogOut } from 'lucide-react';
import { useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { SignedInBrowser } from '#lib/identity/auth/own-sessions.ts';

export interface SessionsCardProps {
  browsers: readonly SignedInBrowser[];
  signOutBrowser: (input: { id: string }) => Promise<ActionResult<void>>;
  signOutElsewhere: (input: Record<string, never>) => Promise<ActionResult<{ endedSessions: number }>>;
}

/** The account's sessions. */
export function SessionsCard({ browsers, signOutBrowser, signOutElsewhere }: SessionsCardProps) {
  const [busy, startTransition] = useTransition();
  const endOthers = () =>
    startTransition(async () => {
      const ended = await signOutElsewhere({});
      if (!ended.ok) return showActionError(ended.error);
      const { endedSessions } = ended.data;
      toast.success(
        endedSessions === 0
          ? 'You are not signed in anywhere else'
          : `Signed out in ${endedSessions === 1 ? 'one other browser' : `${endedSessions} other browsers`}`,
      );
    });
  const end = async (id: string) => {
    const ended = await signOutBrowser({ id });
    if (!ended.ok) showActionError(ended.error);
  };
  return (
    <Card
      title="Browsers"
      description="Where you are signed in."
      actions={
        browsers.length > 1 && (
          <Button loading={busy} onClick={endOthers}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ul aria-label="Browsers" className="-my-2 divide-y divide-line">
        {browsers.map((browser) => (
          <Browser key={browser.id} {...browser} end={end} />
        ))}
      </ul>
    </Card>
  );
}

const Browser = ({
  id,
  browser,
  address,
  signedInAt,
  lastSeenAt,
  isThisOne,
  end,
}: SignedInBrowser & { end: (id: string) => Promise<void> }) => (
  <li className="flex items-center gap-3 py-3">
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {browser} {isThisOne && <Badge tone="success">This browser</Badge>}
      </p>
      <p className="text-sm text-muted">
        {address && (
          <>
            <span className="break-all">{address}</span> ·{' '}
          </>
        )}
        signed in <RelativeTime at={signedInAt} />
        {lastSeenAt && !isThisOne && (
          <>
            {' '}
            · last seen <RelativeTime at={lastSeenAt} />
          </>
        )}
      </p>
    </div>
    {!isThisOne && (
      <ConfirmDialog
        title={`Sign out ${browser}?`}
        description="It loses access with its next request. If you don’t know it, change your password, too."
        confirmLabel="Sign out"
        danger
        onConfirm={() => end(id)}
        trigger={
          <IconButton label={`Sign out ${browser}`} size="sm">
            <LogOut aria-hidden />
          </IconButton>
        }
      />
    )}
  </li>
);
