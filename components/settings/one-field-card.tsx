'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface OneFieldCardProps {
  title: string;
  description: string;
  label: string;
  help?: string;
  inputMode?: 'numeric';
  /** The saved value. */
  saved: string;
  save: (text: string) => Promise<ActionResult<unknown>>;
  /** Shown after saving. */
  success: string;
}

/** A setting with one line of text and its own save button. */
export function OneFieldCard(props: OneFieldCardProps) {
  const { title, description, label, help, inputMode, saved, save, success } = props;
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const result = await save(text);
      setProblem(result.ok ? undefined : result.error.message);
      if (result.ok) toast.success(success);
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title={title}
        description={description}
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={text.trim() === saved}>
            Save
          </Button>
        }
      >
        <Field label={label} help={help} error={problem} className="max-w-md">
          <Input inputMode={inputMode} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </Card>
    </form>
  );
}
