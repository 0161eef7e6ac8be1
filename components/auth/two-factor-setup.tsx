'use client';
import { Download } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock, CopyButton } from '#components/ui/code-block.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { problemAt, readForm } from '#components/ui/form/form-values.ts';
import { Input } from '#components/ui/form/input.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import { CodeInput } from './code-input.tsx';

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
        <AppStep {...made} problem={problemAt(error, 'code')} />
      ) : (
        <>
          <p className="text-muted">
            You need an authenticator app, such as Google Authenticator, Microsoft Authenticator or a password
            manager. You’ll be signed out in all other browsers.
          </p>
          {(asksForPassword || problemAt(error, 'password')) && (
            <Field label="Password" error={problemAt(error, 'password')}>
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

/** New recovery codes, which are shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warning" title="Save your recovery codes now. You won’t see them again.">
        Each code works once in place of a code of your app, for example when you lose your phone.
      </Callout>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md border border-line bg-canvas px-4 py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="patchbay-recovery-codes.txt"
          className={buttonClass({ size: 'sm' })}
        >
          <Download aria-hidden />
          Download codes
        </a>
      </div>
    </div>
  );
}

/** The setup, for users whose workspace requires it. */
export const TwoFactorFirst = (props: Omit<TwoFactorSetupProps, 'onDone'>) => (
  <TwoFactorSetup {...props} onDone={() => window.location.assign('/workflows')} />
);
