'use client';
import { useDeferredValue, useMemo } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { renderPreview } from '#lib/editor/canvas/preview.ts';
import type { Escape } from '#lib/variables/escape.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { usePanel } from './panel-context.tsx';

/** A variable text rendered with the sample; nothing for a text without variables. */
export function Preview(props: {
  text: string;
  scope: VariableScope;
  escape: Escape;
  keepPlaceholders: boolean;
}) {
  const { scope, escape, keepPlaceholders } = props;
  const text = useDeferredValue(props.text);
  const { canEdit } = usePanel();
  const hasSample = useEditorState(({ sample }) => sample !== undefined);
  const preview = useMemo(
    () => (text.includes('{{') ? renderPreview(text, scope, { escape, keepPlaceholders }) : undefined),
    [text, scope, escape, keepPlaceholders],
  );
  // Viewers see no events.
  if (!preview || preview.kind === 'problem' || (!canEdit && !hasSample)) return null;
  return (
    <p data-preview className="mt-1 flex min-w-0 gap-1.5 text-sm text-muted">
      <span aria-hidden>→</span>
      <span className="sr-only">Preview with the sample: </span>
      {preview.kind === 'text' ? (
        <span className="line-clamp-4 min-w-0 break-words whitespace-pre-wrap text-ink">{preview.text}</span>
      ) : (
        <span className="italic">
          {hasSample ? 'empty with this sample' : 'empty until there is an event'}
        </span>
      )}
    </p>
  );
}
