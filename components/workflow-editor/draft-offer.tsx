'use client';
import { Button } from '#components/ui/button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { useEditorState } from '#components/editor/editor-context.tsx';
import type { DraftKeeper } from './draft-keeper.ts';

/** Unsaved changes from before a reload, a crash or an expired session. */
export function DraftOffer({ keeper }: { keeper: DraftKeeper }) {
  const offered = useEditorState((state) => state.offered);
  const revision = useEditorState((state) => state.revision);
  if (!offered) return null;
  return (
    <section
      aria-label="Unsaved changes"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warning-soft px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-64">
        This browser has changes that were not saved (<RelativeTime at={offered.keptAt} />
        ).
        {offered.revision < revision &&
          ' The draft was saved elsewhere since then: after restoring, choose which version to keep.'}
      </p>
      <Button size="sm" onClick={() => keeper.discard()}>
        Discard changes
      </Button>
      <Button size="sm" variant="primary" onClick={() => keeper.restore()}>
        Restore changes
      </Button>
    </section>
  );
}
