'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { readForm } from '#components/ui/read-form.ts';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import { CodeInput } from './code-input.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface NewKey {
  /** Base32. */
  setupKey: string;
  /** SVG. */
  qr: string;
}

export interface TwoFactorSetupProps {
  start: (input: { password: string }) => Promise<ActionResult<NewKey>>;
  confirm: (input: { code: string }) => Promise<ActionResult<{ recoveryCodes: string[] }>>;
  /** False when the password was entered a moment ago. */
  asksForPassword: boolean;
  onDone: () => void;
}

/** Three steps: password, app, recovery codes. */
export function TwoFactorSetup({ start, confirm, asksForPassword, onDone }: TwoFactorSetupProps) {
  const [made, setMade] = useState<NewKey>();
  const [codes, setCodes] = useState<string[]>();
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const problemAt = (path: string) => error?.problems.find((problem) => problem.path === path)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '', code = '' } = readForm(event.currentTarget);
    startTransition(async () => {
      const answer = await (made ? confirm({ code }) : start({ password }));
      setError(answer.ok ? undefined : answer.error);
      if (!answer.ok) return;
      if ('setupKey' in answer.data) setMade(answer.data);
      else setCodes(answer.data.recoveryCodes);
    });
  };
  if (codes)
    return (
      <div className="flex flex-col gap-5">
        <RecoveryCodes codes={codes} />
        <Button variant="primary" size="lg" onClick={onDone}>
          I saved my codes
        </Button>
      </div>
    );
  return (
    // POST: if submitted before the page's scripts have loaded, GET would put the password into the URL.
    <form
      key={made ? 'app' : 'start'}
      method="post"
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-4"
    >
      {error && error.problems.length === 0 && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      {made ? (
        <AppStep {...made} problem={problemAt('code')} />
      ) : (
        <>
          <p className="text-muted">
            You need an authenticator app, such as Google Authenticator, Microsoft Authenticator or a password
            manager. You’ll be signed out in all other browsers.
          </p>
          {(asksForPassword || problemAt('password')) && (
            <Field label="Password" error={problemAt('password')}>
              <Input name="password" type="password" autoComplete="current-password" required autoFocus />
            </Field>
          )}
        </>
      )}
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        {made ? 'Turn on two-factor sign-in' : 'Continue'}
      </Button>
    </form>
  );
}

const AppStep = ({ setupKey, qr, problem }: NewKey & { problem: string | undefined }) => (
  <>
    <p>Scan the QR code with your app, or type the key into it.</p>
    <img
      src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
      alt="QR code for your authenticator app"
      className="size-48 self-center rounded-md border border-line"
    />
    <CodeBlock label="setup key" code={(setupKey.match(/.{1,4}/g) ?? []).join(' ')} wrap />
    <Field label="Code from your app" error={problem}>
      <CodeInput inputMode="numeric" maxLength={10} autoFocus />
    </Field>
  </>
);
