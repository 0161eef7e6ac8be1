'use client';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';
import { usePanel } from './panel-context.tsx';

interface FieldGroupProps {
  title: string;
  fields: readonly FormField[];
  children: ReactNode;
}

/** Rarely used settings: collapsed, unless some are set or have a problem. */
export function FieldGroup({ title, fields, children }: FieldGroupProps) {
  const { task, problems } = usePanel();
  const isUsed = fields.some(({ name, defaultValue }) => {
    const { [name]: value = defaultValue } = task.settings;
    return value !== defaultValue && value !== '';
  });
  const hasProblem = problems.some(({ field }) => fields.some(({ name }) => field === `settings.${name}`));
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      className="group rounded-lg border border-line"
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer items-center gap-2 rounded-lg px-3 py-2 font-medium">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        {title}
        {!isOpen && isUsed && <span className="text-sm font-normal text-muted">in use</span>}
      </summary>
      <div className="flex flex-col gap-4 px-3 pb-3 pt-1">{children}</div>
    </details>
  );
}
