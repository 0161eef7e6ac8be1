'use client';
import { Command } from 'cmdk';
import { Search, Wand } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { rankVariables } from '#lib/editor/canvas/rank-variables.ts';
import { toVariableTree, type VariableNode, withoutRepeats } from '#lib/editor/canvas/variable-tree.ts';
import { type Helper, HELPERS } from '#lib/variables/helpers.ts';
import { listRecentVariables, rememberVariable } from './recent-variables.ts';
import { PickerRow, VariableRow } from './variable-row.tsx';

export type Picked = { path: string } | { helper: string };

const MAX_FOUND = 80;
const HEADING_CLASS =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted';

export interface VariableListProps {
  groups: readonly VariableGroup[];
  sample: ReactNode;
  onPick: (picked: Picked) => void;
}

/** The variables of each task as a tree; with a search, the best matches first. */
export function VariableList({ groups, sample, onPick }: VariableListProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState('');
  const trees = useMemo(
    () => groups.map((group) => ({ group, nodes: toVariableTree(group.variables) })),
    [groups],
  );
  const [expanded, setExpanded] = useState(() => firstExpanded(trees.map(({ nodes }) => nodes)));
  const pick = (path: string) => {
    rememberVariable(path);
    onPick({ path });
  };
  const expand = (path: string, isExpanded: boolean) =>
    setExpanded((before) => {
      const next = new Set(before);
      if (isExpanded) next.add(path);
      else next.delete(path);
      return next;
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowRight' || event.key === 'ArrowLeft';
    if (search !== '' || !isArrow || chosen === '') return;
    event.preventDefault();
    expand(chosen, event.key === 'ArrowRight');
  };
  return (
    <Command
      label="Variables"
      loop
      shouldFilter={false}
      value={chosen}
      onValueChange={setChosen}
      onKeyDown={onKeyDown}
    >
      <div className="flex items-center gap-2.5 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Command.Input
          placeholder="Search variables, values and formatting"
          value={search}
          onValueChange={setSearch}
          className="h-10 w-full bg-transparent outline-none placeholder:text-muted"
        />
      </div>
      <div className="border-b border-line px-3 py-1.5 text-xs text-muted">{sample}</div>
      <Command.List className="max-h-96 overflow-y-auto p-1.5">
        {search.trim() === '' ? (
          <>
            <Recent groups={groups} onPick={pick} />
            {trees.map(({ group, nodes }) => (
              <Command.Group
                key={group.taskId ?? group.title}
                heading={group.title}
                className={HEADING_CLASS}
              >
                <Nodes nodes={nodes} expanded={expanded} expand={expand} onPick={pick} depth={0} />
              </Command.Group>
            ))}
            <Helpers helpers={HELPERS} onPick={onPick} />
          </>
        ) : (
          <Found groups={groups} search={search} pick={pick} onPick={onPick} />
        )}
      </Command.List>
    </Command>
  );
}

/** Small objects are expanded; lists and deep values expand on demand. */
function firstExpanded(trees: readonly (readonly VariableNode[])[]): ReadonlySet<string> {
  const open = trees.flat().filter(({ type, children }) => type === 'object' && children.length <= 12);
  return new Set(open.map(({ variable: { path } }) => path));
}

interface NodesProps {
  nodes: readonly VariableNode[];
  expanded: ReadonlySet<string>;
  expand: (path: string, isExpanded: boolean) => void;
  onPick: (path: string) => void;
  depth: number;
}

function Nodes({ nodes, ...rest }: NodesProps) {
  const { expanded, expand, onPick, depth } = rest;
  return nodes.map(({ variable, label, children }) => {
    const { path } = variable;
    const isExpanded = children.length > 0 ? expanded.has(path) : undefined;
    return (
      <div key={path} role="presentation">
        <VariableRow
          id={path}
          variable={variable}
          label={label}
          depth={depth}
          isExpanded={isExpanded}
          onToggle={() => expand(path, !isExpanded)}
          onPick={onPick}
        />
        {isExpanded && <Nodes nodes={children} {...rest} depth={depth + 1} />}
      </div>
    );
  });
}

function Recent({ groups, onPick }: { groups: readonly VariableGroup[]; onPick: (path: string) => void }) {
  const recent = useMemo(() => listRecentVariables(groups), [groups]);
  if (recent.length === 0) return null;
  return (
    <Command.Group heading="Recently used" className={HEADING_CLASS}>
      {recent.map(({ group, variable }) => (
        <VariableRow
          key={variable.path}
          id={`recent ${variable.path}`}
          variable={variable}
          label={variable.label}
          from={group.title}
          onPick={onPick}
        />
      ))}
    </Command.Group>
  );
}

function Found({
  groups,
  search,
  pick,
  onPick,
}: {
  groups: readonly VariableGroup[];
  search: string;
  pick: (path: string) => void;
  onPick: (picked: Picked) => void;
}) {
  const wanted = useDeferredValue(search);
  const found = useMemo(() => withoutRepeats(rankVariables(groups, wanted)), [groups, wanted]);
  const helpers = findHelpers(wanted);
  return (
    <>
      {found.length + helpers.length === 0 && (
        <p className="px-3 py-5 text-center text-muted">No variable matches.</p>
      )}
      {found.slice(0, MAX_FOUND).map(({ group, variable }) => (
        <VariableRow
          key={variable.path}
          id={variable.path}
          variable={variable}
          label={variable.label}
          from={group.title}
          onPick={pick}
        />
      ))}
      <Helpers helpers={helpers} onPick={onPick} />
    </>
  );
}

function findHelpers(search: string): Helper[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return HELPERS.filter(({ name, description }) =>
    words.every((word) => `${name} ${description} formatting`.toLowerCase().includes(word)),
  );
}

function Helpers({ helpers, onPick }: { helpers: readonly Helper[]; onPick: (picked: Picked) => void }) {
  if (helpers.length === 0) return null;
  return (
    <Command.Group heading="Formatting" className={HEADING_CLASS}>
      {helpers.map(({ name, signature, description, example }) => (
        <PickerRow
          key={name}
          id={`formatting ${name}`}
          icon={<Wand aria-hidden className="size-3.5 shrink-0 text-muted" />}
          label={signature}
          detail={description}
          title={`${description}\n${example.text} → ${example.result}`}
          onPick={() => onPick({ helper: name })}
        />
      ))}
    </Command.Group>
  );
}
