'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { FormDialog } from '#components/ui/form-dialog.tsx';
import { Input } from '#components/ui/input.tsx';
import { TextWithInstants } from '#components/ui/text-with-instants.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { PhoneNumberView } from '#lib/messaging/connections/schema.ts';
import type { ConnectionActions } from './connection-actions-types.ts';

export interface RegisterNumberProps {
  connectionId: string;
  phone: PhoneNumberView;
  register: ConnectionActions['registerPhoneNumber'];
}

/** Asks for the PIN of a number and registers it, so that it can send. */
export function RegisterNumber({ connectionId, phone, register }: RegisterNumberProps) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [pin, setPin] = useState('');
  const [error, setError] = useState<ActionError | null>(null);
  const [busy, startTransition] = useTransition();
  const change = (next: boolean) => {
    setOpen(next);
    setPin('');
    setError(null);
  };
  const pinProblem = error?.problems.find(({ path }) => path === 'pin')?.message;
  const submit = () =>
    startTransition(async () => {
      const result = await register({ id: connectionId, phoneNumberId: phone.id, pin });
      if (!result.ok) return setError(result.error);
      change(false);
      toast.success(`${phone.display_phone_number} is registered.`);
      await Promise.all(
        ['phone-numbers', 'checks'].map((key) =>
          queries.invalidateQueries({ queryKey: [key, connectionId] }),
        ),
      );
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={change}
      trigger={
        <Button size="sm" aria-label={`Register ${phone.display_phone_number}`}>
          Register
        </Button>
      }
      title={`Register ${phone.display_phone_number}`}
      description="A number sends only after it was registered with a PIN of six digits."
      submitLabel="Register number"
      busy={busy}
      noValidate
      onSubmit={submit}
      problem={error && error.message !== pinProblem && <TextWithInstants text={error.message} />}
    >
      <Field
        label="PIN"
        required
        error={pinProblem}
        help="The PIN of the number’s two-step verification. If it has none yet, choose one and note it: it becomes the number’s PIN. It is not stored here."
      >
        <Input
          value={pin}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          autoFocus
          className="max-w-32 font-mono tracking-widest"
          onChange={(event) => setPin(event.target.value.replace(/\D/g, ''))}
        />
      </Field>
    </FormDialog>
  );
}
