'use client';
import { Pencil, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Passkey } from '#lib/identity/passkeys/edit-passkeys.ts';
import type { NeededProof } from '#lib/identity/passkeys/needed-proof.ts';
import { addPasskey, type PasskeyActions } from './add-passkey.ts';
import { type Proof, ProofDialog } from './proof-dialog.tsx';

const MAX_NAME_CHARACTERS = 60;

export interface PasskeysCardProps extends PasskeyActions {
  passkeys: readonly Passkey[];
  /** Why none can be added; null: they can. */
  refusal: string | null;
  /** The host of this installation. */
  host: string;
  asksFor: NeededProof;
  rename: (input: { id: string; name: string }) => Promise<ActionResult<void>>;
  remove: (input: Proof & { id: string }) => Promise<ActionResult<void>>;
}

/** The passkeys of the account. */
export function PasskeysCard({
  passkeys,
  refusal,
  host,
  asksFor,
  rename,
  remove,
  ...actions
}: PasskeysCardProps) {
  const router = useRouter();
  const closed = () => router.refresh();
  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face or the PIN of a device, instead of password and code."
      footer={
        refusal === null ? (
          <ProofDialog
            title="Add passkey"
            description="Your browser then asks where to keep it: on this device, in a password manager, on a phone or a security key."
            confirmLabel="Add passkey"
            trigger={<Button variant={passkeys.length === 0 ? 'primary' : 'secondary'}>Add passkey</Button>}
            asksFor={asksFor}
            fields={(problemAt) => <NameField problem={problemAt('name')} placeholder="Work laptop" />}
            work={(proof, { name = '' }) => addPasskey(actions, { name, ...proof })}
            onClosed={closed}
          />
        ) : undefined
      }
    >
      {refusal && <p className="text-muted">{refusal}</p>}
      {passkeys.length === 0 && refusal === null && <p className="text-muted">You have no passkeys yet.</p>}
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="-my-2 divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-1 py-3">
              <Facts {...passkey} isElsewhere={passkey.rpId !== host} />
              <ProofDialog
                title="Rename passkey"
                description="The name is for you: your device keeps its own."
                confirmLabel="Rename"
                asksFor="none"
                trigger={
                  <IconButton label={`Rename ${passkey.name}`} size="sm">
                    <Pencil aria-hidden />
                  </IconButton>
                }
                fields={(problemAt) => <NameField problem={problemAt('name')} saved={passkey.name} />}
                work={(_, { name = '' }) => rename({ id: passkey.id, name })}
                onClosed={closed}
              />
              <ProofDialog
                title={`Delete “${passkey.name}”?`}
                description="You can’t sign in with it any more. Other browsers in which it signed you in are signed out. Remove it from your device or password manager, too."
                confirmLabel="Delete passkey"
                danger
                asksFor={asksFor}
                trigger={
                  <IconButton label={`Delete ${passkey.name}`} size="sm">
                    <Trash2 aria-hidden />
                  </IconButton>
                }
                work={(proof) => remove({ id: passkey.id, ...proof })}
                onClosed={closed}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const Facts = ({ name, rpId, createdAt, lastUsedAt, isElsewhere }: Passkey & { isElsewhere: boolean }) => (
  <div className="min-w-0 flex-1">
    <p className="flex flex-wrap items-center gap-2 font-medium">
      <span className="min-w-0 break-words">{name}</span>
      {isElsewhere && <Badge tone="warning">Only for {rpId}</Badge>}
    </p>
    <p className="text-sm text-muted">
      added <RelativeTime at={createdAt} /> ·{' '}
      {lastUsedAt ? (
        <>
          last used <RelativeTime at={lastUsedAt} />
        </>
      ) : (
        'never used'
      )}
    </p>
  </div>
);

const NameField = ({
  problem,
  saved,
  placeholder,
}: {
  problem: string | undefined;
  saved?: string;
  placeholder?: string;
}) => (
  <Field label="Name" error={problem}>
    <Input
      name="name"
      autoComplete="off"
      maxLength={MAX_NAME_CHARACTERS}
      defaultValue={saved}
      placeholder={placeholder}
      required
      autoFocus
    />
  </Field>
);
