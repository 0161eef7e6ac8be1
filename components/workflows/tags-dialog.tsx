'use client';
import { X } from 'lucide-react';
import { type FormEvent, useId, useState, useTransition } from 'react';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';

export interface TagsDialogProps {
  row: WorkflowRow;
  /** Tags that other workflows have. */
  known: readonly string[];
  save: (tags: string[]) => Promise<ActionResult<void>>;
  close: () => void;
}

/** Edits the tags of a workflow: typed, or selected from existing ones. */
export function TagsDialog({ row, known, save, close }: TagsDialogProps) {
  const [tags, setTags] = useState(row.tags);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const form = useId();
  const add = (added: readonly string[]) => {
    setTags((before) => [
      ...before,
      ...added.filter((tag) => !before.some((each) => each.toLowerCase() === tag.toLowerCase())),
    ]);
    setText('');
  };
  const typed = () =>
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      // The server removes duplicates.
      const saved = await save([...tags, ...typed()]);
      if (saved.ok) close();
      else setProblem(saved.error.problems[0]?.message ?? saved.error.message);
    });
  };
  const others = known.filter((tag) => !tags.includes(tag));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      size="sm"
      title="Edit tags"
      description={`Tags group workflows in the list. They change nothing in “${row.name}”.`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" loading={busy}>
            Save tags
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-3">
        <ul aria-label="Tags" className="flex flex-wrap gap-1.5 empty:hidden">
          {tags.map((tag) => (
            <li
              key={tag}
              className="flex items-center gap-1 rounded-md bg-accent-soft py-0.5 pr-1 pl-2 text-accent"
            >
              {tag}
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                className="rounded-sm p-0.5 hover:bg-hover"
                onClick={() => setTags(tags.filter((each) => each !== tag))}
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
        <Field label="Add a tag" help="Press Enter to add it." error={problem}>
          <Input
            value={text}
            maxLength={200}
            placeholder="e.g. Shop"
            onKeyDown={(event) => {
              // Enter adds a typed tag; with empty input it saves.
              if (event.key !== 'Enter' || typed().length === 0) return;
              event.preventDefault();
              add(typed());
            }}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
          />
        </Field>
        {others.length > 0 && (
          <div role="group" aria-label="Tags of other workflows" className="flex flex-wrap gap-1.5">
            {others.map((tag) => (
              <Button key={tag} size="sm" onClick={() => add([tag])}>
                {tag}
              </Button>
            ))}
          </div>
        )}
      </form>
    </Dialog>
  );
}
