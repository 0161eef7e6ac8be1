'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface WorkspaceFormProps {
  name: string;
  rename: (input: { name: string }) => Promise<ActionResult<void>>;
}

export function WorkspaceForm({ name, rename }: WorkspaceFormProps) {
  const [text, setText] = useState(name);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const renamed = await rename({ name: text });
      setProblem(renamed.ok ? undefined : renamed.error.message);
      if (renamed.ok) toast.success('Workspace renamed');
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title="Workspace"
        description="Contains workflows, connections and members."
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={text.trim() === name}>
            Save
          </Button>
        }
      >
        <Field label="Name" error={problem} className="max-w-md">
          <Input value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </Card>
    </form>
  );
}
