import {
  BadgeCheck,
  CalendarClock,
  CalendarSync,
  ChartNoAxesColumn,
  CornerUpRight,
  Handshake,
  Image,
  Megaphone,
  MessagesSquare,
  PackageCheck,
  PackageSearch,
  ShoppingCart,
  Star,
  UserPlus,
} from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Starter } from '#lib/editor/starters/starter-types.ts';
import { MiniGraph } from './mini-graph.tsx';

const ICONS = {
  BadgeCheck,
  CalendarClock,
  CalendarSync,
  ChartNoAxesColumn,
  CornerUpRight,
  Handshake,
  Image,
  Megaphone,
  MessagesSquare,
  PackageCheck,
  PackageSearch,
  ShoppingCart,
  Star,
  UserPlus,
};

/** One starter: its purpose, a picture, and details on demand. */
export function StarterCard({
  starter,
  busy,
  onUse,
}: {
  starter: Starter;
  busy: boolean;
  onUse: () => void;
}) {
  const Icon = ICONS[starter.icon];
  const use = (
    <Button variant="primary" size="sm" loading={busy} onClick={onUse} aria-label={`Use “${starter.name}”`}>
      Use this
    </Button>
  );
  return (
    <article className="flex min-w-0 flex-1 flex-col rounded-lg border border-line bg-surface shadow-raised">
      <div className="rounded-t-lg border-b border-line bg-canvas">
        <MiniGraph graph={starter.graph} />
      </div>
      <div className="flex flex-1 flex-col p-4">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          <Icon aria-hidden className="size-4.5 shrink-0 text-accent" />
          {starter.name}
        </h2>
        <p className="mt-1 mb-4 flex-1 text-muted">{starter.summary}</p>
        <div className="flex justify-between gap-2">
          <Dialog
            title={starter.name}
            description={starter.summary}
            trigger={
              <Button
                variant="ghost"
                size="sm"
                className="-ml-2.5"
                aria-label={`Details of “${starter.name}”`}
              >
                Details
              </Button>
            }
            footer={use}
          >
            <p className="mb-4">{starter.description}</p>
            <h3 className="mb-1.5 text-sm font-medium">
              {starter.startedBy === 'messages'
                ? 'A message as it receives it'
                : 'A request it could receive'}
            </h3>
            <CodeBlock label="sample request" code={JSON.stringify(starter.sample, null, 2)} />
          </Dialog>
          {use}
        </div>
      </div>
    </article>
  );
}
