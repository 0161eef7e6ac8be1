'use client';
import { type FormEvent, useId, useState } from 'react';
import { readSignInError, signIn } from '#components/auth/sign-in.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { readForm } from '#components/ui/form/form-values.ts';

/** Signs in without leaving the workflow, and saves unsaved changes afterwards. */
export function SignInDialog() {
  const { editor, flush } = useEditorContext();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const form = useId();
  const close = () => editor.store.set({ dialog: null });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '' } = readForm(event.currentTarget);
    setBusy(true);
    setProblem('');
    const answer = await signIn('credentials', { redirect: false, email, password }).catch(() => undefined);
    if (answer?.ok && !answer.error) {
      close();
      return void flush();
    }
    setProblem(readSignInError(answer?.error));
    setBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      size="sm"
      title="Your session has expired"
      description="Sign in again to save your changes. They stay on this screen."
      footer={
        <Button type="submit" form={form} variant="primary" loading={busy}>
          Sign in
        </Button>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {problem && (
          <Callout tone="danger" live>
            {problem}
          </Callout>
        )}
        <Field label="Email address">
          <Input name="email" type="email" autoComplete="username" defaultValue={editor.userEmail} required />
        </Field>
        <Field label="Password">
          <Input name="password" type="password" autoComplete="current-password" required autoFocus />
        </Field>
        <p className="text-sm text-muted">
          Without a password,{' '}
          <a href="/sign-in?next=/workflows" target="_blank" className="text-accent underline">
            sign in in a new tab
          </a>{' '}
          and come back here.
        </p>
      </form>
    </Dialog>
  );
}
