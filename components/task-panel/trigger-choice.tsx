'use client';
import { useEditor } from '#components/editor/editor-context.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { listTriggerOffers } from '#lib/tasks/offers.ts';
import { usePanel } from './panel-context.tsx';

/** What starts the workflow of the open trigger. Another trigger keeps its variables and what follows it. */
export function TriggerChoice() {
  const editor = useEditor();
  const { task } = usePanel();
  return (
    <SegmentedControl
      label="Start with"
      options={listTriggerOffers().map(({ type, name }) => ({ value: type, label: name }))}
      value={task.type}
      onValueChange={(type) => void editor.changeTrigger(type)}
      className="max-w-full flex-wrap self-start [&>button]:px-2"
    />
  );
}
