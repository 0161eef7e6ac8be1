'use client';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { findTask } from '#lib/editor/canvas/document.ts';

const MOST_NAMES = 6;

/** Offered where an edge leads back to an earlier task: cancelled, it leaves everything as it was. */
export function RepeatDialog() {
  const editor = useEditor();
  const offer = useEditorState((state) => state.repeatOffer);
  const document = useEditorState((state) => state.history.present);
  if (!offer) return null;
  const nameOf = (id: number) => findTask(document, id)?.name ?? `Task ${id}`;
  const close = () => editor.store.set({ repeatOffer: undefined });
  const { from, to } = offer.edge;
  const common = { open: true, onOpenChange: close, onConfirm: () => editor.acceptRepeat(offer) };
  if (offer.kind === 'itself')
    return (
      <ConfirmDialog
        {...common}
        title={`${offer.label}?`}
        description={offer.summary}
        confirmLabel={offer.label}
      />
    );
  const names = offer.inside.map(nameOf);
  const more = names.length - MOST_NAMES;
  return (
    <ConfirmDialog
      {...common}
      title="Repeat until a condition is met?"
      confirmLabel="Add the loop"
      description={
        <>
          <span className="block">
            {from === to
              ? `An edge cannot lead from “${nameOf(from)}” back to itself.`
              : `“${nameOf(to)}” comes before “${nameOf(from)}”, and an edge cannot lead back.`}{' '}
            A loop can repeat {names.length === 1 ? 'this task' : 'these tasks'} until a condition is met, at
            most so many times:
          </span>
          <span className="mt-2 block text-ink">
            {names.slice(0, MOST_NAMES).join(', ')}
            {more > 0 ? ` and ${more} more` : ''}
          </span>
        </>
      }
    />
  );
}
