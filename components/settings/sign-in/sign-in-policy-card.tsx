'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { SignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import type { InstallationOwner } from '#lib/identity/sign-in-policy/owners.ts';

export interface SignInPolicyCardProps {
  policy: SignInPolicy;
  hasProvider: boolean;
  /** Of the configured provider. */
  trustsEmails: boolean;
  providerName: string;
  /** Of the first workspace; null for owners of another one, who cannot change this. */
  owners: readonly InstallationOwner[] | null;
  save: (input: {
    requiresIdentity: boolean;
    trustsEmails: boolean;
    breakGlassUserIds: string[];
    accessContact: string;
  }) => Promise<ActionResult<{ endedSessions: number }>>;
}

const TITLE = 'Sign-in rules';

/** Whether the identity provider is required, exceptions from that, and whether its email addresses are trusted. */
export function SignInPolicyCard(props: SignInPolicyCardProps) {
  const { policy, trustsEmails, providerName, owners } = props;
  if (owners) return <PolicyForm {...props} owners={owners} />;
  return (
    <Card title={TITLE}>
      <p>
        {policy.requiresIdentity
          ? `Everybody signs in with ${providerName}; passwords are for break-glass owners only.`
          : `People sign in with ${providerName} or with a password.`}{' '}
        {trustsEmails && `All email addresses of ${providerName} are trusted. `}
        Owners of the first workspace of this installation can change it.
      </p>
    </Card>
  );
}

function PolicyForm({
  policy,
  hasProvider,
  trustsEmails,
  providerName,
  owners,
  save,
}: SignInPolicyCardProps & { owners: readonly InstallationOwner[] }) {
  const [requiresIdentity, setRequiresIdentity] = useState(policy.requiresIdentity);
  const [trusts, setTrusts] = useState(trustsEmails);
  const [named, setNamed] = useState(() =>
    owners.filter(({ isBreakGlass, hasPassword }) => isBreakGlass && hasPassword).map(({ userId }) => userId),
  );
  const [accessContact, setAccessContact] = useState(policy.accessContact);
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const toggle = (userId: string, on: boolean) =>
    setNamed((before) => (on ? [...before, userId] : before.filter((id) => id !== userId)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const saved = await save({
        requiresIdentity,
        trustsEmails: trusts,
        breakGlassUserIds: named,
        accessContact,
      });
      setProblem(saved.ok ? '' : saved.error.message);
      if (!saved.ok) return;
      const { endedSessions } = saved.data;
      const description = `Signed out ${endedSessions === 1 ? 'one password session' : `${endedSessions} password sessions`}.`;
      toast.success('Sign-in settings saved', endedSessions > 0 ? { description } : {});
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title={TITLE}
        description="For this whole installation, with all its workspaces."
        footer={
          <Button type="submit" variant="primary" loading={busy}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-5">
          {problem && (
            <Callout tone="danger" live>
              {problem}
            </Callout>
          )}
          <Checkbox
            label={`Require sign-in with ${providerName}`}
            help="Passwords work for break-glass owners only. Everybody else who signed in with a password is signed out."
            checked={requiresIdentity}
            onCheckedChange={setRequiresIdentity}
          />
          {hasProvider && (
            <Checkbox
              label="Trust this provider’s email addresses"
              help={`For providers that do not say whether an address is verified, such as Microsoft Entra ID. When someone signs in with ${providerName} for the first time, they get the account here that has their address. Whoever can set an address there can take over that account: turn this on only if your own administrators manage all addresses of ${providerName}. An address that it calls unverified is never trusted.`}
              checked={trusts}
              onCheckedChange={setTrusts}
            />
          )}
          <fieldset>
            <legend className="text-sm font-medium">Break-glass owners</legend>
            <p className="mt-0.5 text-sm text-muted">
              They can use their password when {providerName} cannot be reached. The audit log records each
              time, and the other owners get an email.
            </p>
            <ul className="mt-2 flex flex-col gap-2">
              {owners.map(({ userId, email, hasPassword, hasIdentity }) => (
                <li key={userId}>
                  <Checkbox
                    label={
                      <span className="break-all">
                        {email} {hasIdentity && <Badge tone="info">has signed in with {providerName}</Badge>}
                      </span>
                    }
                    help={
                      hasPassword
                        ? undefined
                        : 'Has no password yet. They can set one in Settings → Your account.'
                    }
                    disabled={!hasPassword}
                    checked={named.includes(userId)}
                    onCheckedChange={(on) => toggle(userId, on)}
                  />
                </li>
              ))}
            </ul>
          </fieldset>
          <Field
            label="Contact for access"
            help="Shown to people whose account may not use Patchbay. An email address, a person or a team."
            className="max-w-md"
          >
            <Input
              value={accessContact}
              maxLength={200}
              placeholder="it-help@example.com"
              onChange={(event) => setAccessContact(event.target.value)}
            />
          </Field>
        </div>
      </Card>
    </form>
  );
}
