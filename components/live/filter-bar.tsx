'use client';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { cx } from '#components/ui/cx.ts';
import { Input, SearchInput } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
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

/** An instant, entered in the browser's time zone. */
function InstantFilter({ filters, name, label }: { filters: Filters; name: 'from' | 'to'; label: string }) {
  const value = filters.get(name);
  return (
    <Input
      type="datetime-local"
      aria-label={label}
      title={label}
      defaultValue={value ? toLocalInput(value) : ''}
      onChange={({ target }) => {
        const at = new Date(target.value);
        filters.set({ [name]: Number.isNaN(at.getTime()) ? undefined : at.toISOString() });
      }}
      className="sm:w-52"
    />
  );
}

/** The value of a date and time input for an instant, in the browser's time zone; empty for an invalid one. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
