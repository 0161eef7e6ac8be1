'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import {
  RecoveryCodes,
  TwoFactorSetup,
  type TwoFactorSetupProps,
} from '#components/auth/two-factor-setup.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { TwoFactorState } from '#lib/identity/two-factor/find-two-factor.ts';
import { type Proof, ProofDialog } from './proof-dialog.tsx';

const FEW_CODES = 3;

export interface TwoFactorCardProps extends Omit<TwoFactorSetupProps, 'onDone'> {
  /** Null: it is off. */
  state: TwoFactorState | null;
  /** False for accounts that sign in with the identity provider only. */
  hasPassword: boolean;
  /** Of the identity provider; null: there is none. */
  providerName: string | null;
  renew: (proof: Proof) => Promise<ActionResult<{ recoveryCodes: string[] }>>;
  switchOff: (proof: Proof) => Promise<ActionResult<void>>;
}

/** The second factor of the account. */
export function TwoFactorCard({ state, hasPassword, providerName, ...actions }: TwoFactorCardProps) {
  const description = `A code from an app on your phone, besides your password.${
    providerName ? ` Sign-in with ${providerName} uses the second factor that you have there.` : ''
  }`;
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Two-factor sign-in {state && <Badge tone="success">On</Badge>}
        </span>
      }
      description={description}
      footer={!hasPassword ? undefined : state ? <OnActions {...actions} /> : <SetupDialog {...actions} />}
    >
      {!hasPassword && (
        <p className="text-muted">You don’t sign in with a password, so there is nothing to set up here.</p>
      )}
      {state && <State {...state} />}
    </Card>
  );
}

function State({ since, recoveryCodesLeft }: TwoFactorState) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        On since <RelativeTime at={since} /> · {recoveryCodesLeft} of 10 recovery codes left
      </p>
      {recoveryCodesLeft < FEW_CODES && (
        <Callout tone="warning">
          {recoveryCodesLeft === 0 ? 'You have no recovery codes left.' : 'You have few recovery codes left.'}{' '}
          Create new ones, so that you can sign in without your phone.
        </Callout>
      )}
    </div>
  );
}

function SetupDialog(props: Omit<TwoFactorSetupProps, 'onDone'>) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    if (!next) router.refresh();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title="Set up two-factor sign-in"
      size="sm"
      trigger={<Button variant="primary">Set up</Button>}
    >
      <TwoFactorSetup {...props} onDone={() => changeOpen(false)} />
    </Dialog>
  );
}

function OnActions({ renew, switchOff }: Pick<TwoFactorCardProps, 'renew' | 'switchOff'>) {
  const router = useRouter();
  const closed = () => router.refresh();
  return (
    <>
      <ProofDialog
        title="Create new recovery codes?"
        description="The codes you have stop working."
        confirmLabel="Create codes"
        trigger={<Button>Create new recovery codes</Button>}
        work={renew}
        result={({ recoveryCodes }) => <RecoveryCodes codes={recoveryCodes} />}
        onClosed={closed}
      />
      <ProofDialog
        title="Turn off two-factor sign-in?"
        description="Your password alone will be enough to sign in. To use another phone, turn it off and set it up again."
        confirmLabel="Turn off"
        danger
        trigger={<Button>Turn off</Button>}
        work={switchOff}
        onClosed={closed}
      />
    </>
  );
}
