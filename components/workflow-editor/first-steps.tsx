'use client';
import { X } from 'lucide-react';
import { useState } from 'react';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { CopyButton } from '#components/ui/code-block.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';

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
  const kind = findTaskKind(trigger.type);
  const isByMessages = kind?.startsOnMessages?.(trigger.settings) === true;
  const open = (
    <Button size="sm" onClick={() => editor.openTask(trigger.id)}>
      Open the trigger
    </Button>
  );
  const starts = isByMessages
    ? [
        {
          text: 'Select in the trigger whose messages start the workflow.',
          isDone: kind.messageStart?.(trigger.settings) !== null,
          action: open,
        },
        {
          text: 'Write to that number from a phone. The message appears in the trigger with all its fields.',
          isDone: hasSample,
          action: <SandboxPhoneLink className={buttonClass({ size: 'sm' })} />,
        },
      ]
    : [
        {
          text: 'Copy the test URL into the application that will send the webhook.',
          isDone: hasSample,
          action: <CopyButton text={editor.urls.test} label="Copy test URL" />,
        },
        {
          text: 'Send a test request. It appears in the trigger with all its fields.',
          isDone: hasSample,
          action: open,
        },
      ];
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
      text: `Publish. ${isByMessages ? 'Messages then run' : 'The production URL then runs'} the workflow.`,
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
        <h2 className="font-semibold">Four steps to a running workflow</h2>
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
