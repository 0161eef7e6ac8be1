'use client';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { CopyButton } from '#components/ui/code-block.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { FirstStep } from '#lib/tasks/task-kind.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';

const STEP_COUNTS: Readonly<Record<number, string>> = { 3: 'Three', 4: 'Four', 5: 'Five' };

/** Next steps while a workflow has only a trigger. */
export function FirstSteps() {
  const editor = useEditor();
  const isBare = useEditorState(
    ({ history, live, openTaskId }) =>
      history.present.tasks.length === 1 && live.publishedVersion === null && openTaskId === undefined,
  );
  const hasSample = useEditorState((state) => state.sample !== undefined);
  const [isHidden, setHidden] = useState(false);
  const trigger = findTrigger(editor.document);
  if (!isBare || isHidden || !editor.canEdit || !trigger) return null;
  const words = findTaskKind(trigger.type)?.trigger;
  if (!words) return null;
  const actions: Record<FirstStep['action'], ReactNode> = {
    open_trigger: (
      <Button size="sm" onClick={() => editor.openTask(trigger.id)}>
        Open the trigger
      </Button>
    ),
    copy_test_url: <CopyButton text={editor.urls.test} label="Copy test URL" />,
    open_phone: <SandboxPhoneLink className={buttonClass({ size: 'sm' })} />,
  };
  const starts = words.firstSteps.map(({ text, action, isDone }) => ({
    text,
    isDone: isDone(trigger.settings, hasSample),
    action: actions[action],
  }));
  const steps = [
    ...starts,
    {
      text: 'Add a task that uses it.',
      isDone: false,
      action: (
        <Button
          size="sm"
          onClick={() =>
            editor.store.set({ pickingFor: { kind: 'after', from: trigger.id, branch: undefined } })
          }
        >
          Add a task
        </Button>
      ),
    },
    {
      text: `Publish. ${words.whenPublished}`,
      isDone: false,
      action: null,
    },
  ];
  return (
    <aside
      aria-label="First steps"
      className="absolute inset-x-3 bottom-3 z-10 mx-auto max-w-xl animate-rise rounded-lg border border-line bg-surface p-4 shadow-overlay sm:bottom-6"
    >
      <div className="mb-2 flex items-start justify-between">
        <h2 className="font-semibold">{STEP_COUNTS[steps.length]} steps to a running workflow</h2>
        <IconButton
          label="Hide first steps"
          size="sm"
          className="-mt-1 -mr-2"
          onClick={() => setHidden(true)}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      <ol className="flex flex-col gap-2">
        {steps.map(({ text, isDone, action }, index) => (
          <li key={text} className="flex items-center gap-3">
            <span
              aria-hidden
              className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${isDone ? 'bg-success-soft text-success' : 'bg-accent-soft text-accent'}`}
            >
              {isDone ? '✓' : index + 1}
            </span>
            <span className="min-w-0 flex-1">{text}</span>
            {action}
          </li>
        ))}
      </ol>
    </aside>
  );
}
