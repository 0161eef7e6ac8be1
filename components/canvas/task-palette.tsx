'use client';
import { PanelLeftClose, StickyNote } from 'lucide-react';
import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { SearchInput } from '#components/ui/search-input.tsx';
import type { TaskOffer } from '#lib/tasks/offers.ts';
import { useEditor } from '#components/editor/editor-context.tsx';
import { groupOffers } from './offer-groups.ts';
import { OfferIcon } from './task-icon.tsx';
import { useSpot } from './use-spot.ts';

/** Of what is dragged onto the canvas: the id of an offer. */
export const DRAGGED_OFFER = 'application/x-patchbay-task';

/** What can be added, beside the canvas: dragged onto it, or clicked to follow what is selected. */
export function TaskPalette({ close }: { close: () => void }) {
  const editor = useEditor();
  const flow = useReactFlow();
  const findSpot = useSpot();
  const [search, setSearch] = useState('');
  const groups = groupOffers(search);
  const addNote = () =>
    editor.addNote(flow.screenToFlowPosition({ x: window.innerWidth / 2, y: window.innerHeight / 3 }));
  return (
    <aside aria-label="Tasks" className="flex size-full flex-col border-r border-line bg-surface">
      <div className="flex items-center gap-1 p-2">
        <SearchInput
          label="Search tasks"
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => {
            const [first] = groups.flatMap(({ offers }) => offers);
            if (event.key === 'Enter' && first) editor.addTask(first.id, findSpot());
          }}
        />
        <IconButton label="Hide tasks" size="sm" onClick={close}>
          <PanelLeftClose aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 overflow-y-auto px-2 pb-2">
        {groups.length === 0 && <p className="px-2 py-3 text-sm text-muted">No task matches.</p>}
        {groups.map(({ title, offers }) => (
          <section key={title} aria-label={title}>
            <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{title}</h2>
            {offers.map((offer) => (
              <PaletteItem key={offer.id} offer={offer} add={() => editor.addTask(offer.id, findSpot())} />
            ))}
          </section>
        ))}
        <div className="mt-2 border-t border-line pt-2">
          <button
            type="button"
            onClick={addNote}
            className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
          >
            <StickyNote aria-hidden className="mx-1 size-4 text-muted" />
            Note
          </button>
        </div>
      </div>
    </aside>
  );
}

function PaletteItem({ offer, add }: { offer: TaskOffer; add: () => void }) {
  return (
    <button
      type="button"
      draggable
      title={offer.summary}
      data-offer={offer.id}
      onClick={add}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED_OFFER, offer.id);
        event.dataTransfer.effectAllowed = 'copy';
      }}
      className="flex w-full cursor-grab items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <OfferIcon offer={offer} size="sm" />
      <span className="truncate">{offer.name}</span>
    </button>
  );
}
