import { Minus, Plus, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WorkflowNote } from '#lib/engine/graph-types.ts';
import { type GraphDiff, hasChanges } from '#lib/workflows/diff-graphs.ts';

/** The differences between two workflows. */
export function DiffList({ diff, none }: { diff: GraphDiff; none: string }) {
  if (!hasChanges(diff)) return <p className="text-muted">{none}</p>;
  return (
    <ul aria-label="Changes" className="flex flex-col gap-1">
      {diff.added.map((task) => (
        <Row key={`a${task.id}`} kind="added">
          Task "{task.name}" added
        </Row>
      ))}
      {diff.changed.map(({ task, fields }) => (
        <Row key={`c${task.id}`} kind="changed">
          Task "{task.name}" changed: {fields.join(', ')}
        </Row>
      ))}
      {diff.removed.map((task) => (
        <Row key={`r${task.id}`} kind="removed">
          Task "{task.name}" removed
        </Row>
      ))}
      {diff.connected.map((text) => (
        <Row key={`+${text}`} kind="added">
          {text}
        </Row>
      ))}
      {diff.disconnected.map((text) => (
        <Row key={`-${text}`} kind="removed">
          {text}
        </Row>
      ))}
      {diff.addedNotes.map((note) => (
        <Row key={`a${note.id}`} kind="added">
          {nameOf(note)} added
        </Row>
      ))}
      {diff.changedNotes.map((note) => (
        <Row key={`c${note.id}`} kind="changed">
          {nameOf(note)} changed
        </Row>
      ))}
      {diff.removedNotes.map((note) => (
        <Row key={`r${note.id}`} kind="removed">
          {nameOf(note)} removed
        </Row>
      ))}
    </ul>
  );
}

const MAX_NOTE_CHARACTERS = 60;

/** The beginning of a note's text. */
function nameOf({ text }: WorkflowNote): string {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return 'Empty note';
  const isLong = words.length > MAX_NOTE_CHARACTERS;
  return `Note "${isLong ? `${words.slice(0, MAX_NOTE_CHARACTERS).trimEnd()}…` : words}"`;
}

const ICONS = {
  added: <Plus aria-label="Added" className="text-success" />,
  removed: <Minus aria-label="Removed" className="text-danger" />,
  changed: <SquarePen aria-label="Changed" className="text-info" />,
};

const Row = ({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) => (
  <li className="flex items-baseline gap-2 [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:translate-y-0.5">
    {ICONS[kind]}
    <span className="min-w-0">{children}</span>
  </li>
);
