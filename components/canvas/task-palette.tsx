'use client';
import { Check, PanelLeftClose, StickyNote } from 'lucide-react';
import { useReactFlow } from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { SearchInput } from '#components/ui/form/input.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import type { TaskOffer } from '#lib/tasks/offers.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { findTriggerOffers, groupOffers } from './offer-groups.ts';
import { OfferIcon } from './task-icon.tsx';
import { useSpot } from './use-spot.ts';

/** Type of dragged data: the id of an offer. */
export const DRAGGED_OFFER = 'application/x-patchbay-task';

const NOTE = 'note';

/** Available tasks beside the canvas: dragged onto it, or clicked to follow the selection. */
export function TaskPalette({ close }: { close: () => void }) {
  const editor = useEditor();
  const flow = useReactFlow();
  const findSpot = useSpot();
  const [search, setSearch] = useState('');
  const groups = groupOffers(search);
  const triggers = findTriggerOffers(search);
  const ids = [...[...groups.flatMap(({ offers }) => offers), ...triggers].map(({ id }) => id), NOTE];
  const { tabStop, ...list } = useTabStop(ids);
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
      <div {...list} className="min-h-0 overflow-y-auto px-2 pb-2">
        {groups.length + triggers.length === 0 && (
          <p className="px-2 py-3 text-sm text-muted">No task matches.</p>
        )}
        {groups.map(({ title, offers }) => (
          <section key={title} aria-label={title}>
            <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{title}</h2>
            {offers.map((offer) => (
              <PaletteItem
                key={offer.id}
                offer={offer}
                isTabStop={tabStop === offer.id}
                add={() => editor.addTask(offer.id, findSpot())}
              />
            ))}
          </section>
        ))}
        {triggers.length > 0 && (
          <section aria-label="Start with">
            <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">Start with</h2>
            {triggers.map((offer) => (
              <TriggerItem key={offer.id} offer={offer} isTabStop={tabStop === offer.id} />
            ))}
          </section>
        )}
        <div className="mt-2 border-t border-line pt-2">
          <button
            type="button"
            tabIndex={tabStop === NOTE ? 0 : -1}
            data-palette-item={NOTE}
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

/** The list is one tab stop; arrows, Home and End move inside it. */
function useTabStop(ids: readonly string[]) {
  const [last, setLast] = useState<string>();
  const tabStop = last !== undefined && ids.includes(last) ? last : ids[0];
  const itemOf = (target: EventTarget) =>
    (target as HTMLElement).closest<HTMLElement>('[data-palette-item]')?.dataset['paletteItem'];
  return {
    tabStop,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => setLast(itemOf(target)),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const index = ids.indexOf(itemOf(event.target) ?? '');
      const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: ids.length - 1 }[event.key];
      const id = next === undefined || index === -1 ? undefined : ids[next];
      if (id === undefined) return;
      event.preventDefault();
      event.currentTarget.querySelector<HTMLElement>(`[data-palette-item="${CSS.escape(id)}"]`)?.focus();
    },
  };
}

interface PaletteItemProps {
  offer: TaskOffer;
  isTabStop: boolean;
  add: () => void;
}

function PaletteItem({ offer, isTabStop, add }: PaletteItemProps) {
  return (
    <button
      type="button"
      draggable
      title={offer.summary}
      tabIndex={isTabStop ? 0 : -1}
      data-palette-item={offer.id}
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

/** A trigger, which replaces that of the workflow: it keeps its variables and what follows it. */
function TriggerItem({ offer, isTabStop }: Omit<PaletteItemProps, 'add'>) {
  const editor = useEditor();
  const trigger = useEditorState(({ history }) => findTrigger(history.present));
  const isUsed = trigger?.type === offer.type;
  const use = async () => {
    await editor.changeTrigger(offer.type);
    if (trigger) editor.openTask(trigger.id);
  };
  return (
    <button
      type="button"
      title={offer.summary}
      tabIndex={isTabStop ? 0 : -1}
      data-palette-item={offer.id}
      aria-pressed={isUsed}
      onClick={() => void use()}
      className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <OfferIcon offer={offer} size="sm" />
      <span className="min-w-0 flex-1 truncate">{offer.name}</span>
      {isUsed && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </button>
  );
}
