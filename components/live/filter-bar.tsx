'use client';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { cx } from '#components/ui/cx.ts';
import { Input, SearchInput } from '#components/ui/form/input.tsx';
import { readLocalInput, toLocalInput } from '#components/ui/form/local-time.ts';
import { Select } from '#components/ui/form/select.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { useZone } from '#components/ui/relative-time.tsx';
import type { NamedWorkflow } from '#lib/screens/list-types.ts';
import type { Filters } from './use-filters.ts';

const TYPING_PAUSE_MS = 350;
const ANY = 'any';

/** One filter; "any" removes it. */
export function FilterSelect({
  filters,
  name,
  label,
  any,
  options,
}: {
  filters: Filters;
  name: string;
  label: string;
  /** Label without a selection: "Any status". */
  any: string;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <Select
      aria-label={label}
      value={filters.get(name) ?? ANY}
      onValueChange={(value) => filters.set({ [name]: value === ANY ? undefined : value })}
      options={[{ value: ANY, label: any }, ...options]}
      className="sm:w-44"
    />
  );
}

const TIMES = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'custom', label: 'Between …' },
];

/** A list's filters for time, workflow, text and others; all of them are in the URL. */
export function FilterBar({
  filters,
  workflows,
  children,
}: {
  filters: Filters;
  workflows: readonly NamedWorkflow[];
  children: ReactNode;
}) {
  const [custom, setCustom] = useState(false);
  const zone = useZone();
  const isCustom = custom || Boolean(filters.get('from') ?? filters.get('to'));
  const workflowId = workflows.find(({ id }) => id === filters.get('workflow'))?.id;
  const chooseTime = (value: string) => {
    setCustom(value === 'custom');
    filters.set({
      from: undefined,
      to: undefined,
      since: value === ANY || value === 'custom' ? undefined : value,
    });
  };
  return (
    <div role="search" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <TextFilter filters={filters} label="Text in the event" />
      {children}
      <FilterSelect
        filters={filters}
        name="workflow"
        label="Workflow"
        any="Any workflow"
        options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Select
        aria-label="Time"
        value={isCustom ? 'custom' : (filters.get('since') ?? ANY)}
        onValueChange={chooseTime}
        options={[{ value: ANY, label: 'Any time' }, ...TIMES]}
        className="sm:w-40"
      />
      {isCustom && (
        <>
          <InstantFilter filters={filters} name="from" label="From" />
          <InstantFilter filters={filters} name="to" label="Until" />
          <p id={ZONE_ID} className="self-center text-sm text-muted max-sm:col-span-2">
            {zone}
          </p>
        </>
      )}
      {workflowId && (
        <Link href={`/workflows/${workflowId}`} className={buttonClass({ variant: 'ghost' })}>
          Open the workflow
        </Link>
      )}
      {filters.query && (
        <Button
          variant="ghost"
          onClick={() => {
            setCustom(false);
            filters.clear();
          }}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The text that a list is searched for, applied when typing pauses. */
export function TextFilter({
  filters,
  label,
  className = 'col-span-2 sm:w-64',
}: {
  filters: Filters;
  label: string;
  className?: string;
}) {
  const applied = filters.get('text') ?? '';
  const [text, setText] = useState(applied);
  const [lastApplied, setLastApplied] = useState(applied);
  if (applied !== lastApplied) {
    setLastApplied(applied);
    setText(applied);
  }
  const { set } = filters;
  useEffect(() => {
    if (text.trim() === applied) return;
    const timer = setTimeout(() => set({ text: text.trim() || undefined }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, applied, set]);
  return (
    <div className={cx('min-w-0', className)}>
      <SearchInput label={label} value={text} onChange={setText} />
    </div>
  );
}

const ZONE_ID = 'zone-of-times';

/** An instant, entered in the zone that times on screens have. */
function InstantFilter({ filters, name, label }: { filters: Filters; name: 'from' | 'to'; label: string }) {
  const zone = useZone();
  const value = filters.get(name);
  const change = (text: string) =>
    void readLocalInput(text, zone).then(
      (at) => filters.set({ [name]: at }),
      (error: Error) => toast.error(error.message),
    );
  return (
    <label className="flex items-center gap-2 max-sm:col-span-2">
      <span className="w-9 shrink-0 text-sm text-muted">{label}</span>
      <Input
        type="datetime-local"
        aria-label={label}
        aria-describedby={ZONE_ID}
        defaultValue={value ? toLocalInput(value, zone) : ''}
        onChange={({ target }) => change(target.value)}
        className="sm:w-56"
      />
    </label>
  );
}
