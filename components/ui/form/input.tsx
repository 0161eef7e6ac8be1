'use client';
import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';
import { useFieldProps } from './field.tsx';

/** The common look of inputs; 16 px on phones, so that they do not zoom in. */
export const CONTROL_CLASS =
  'control min-w-0 rounded-md border border-line-strong bg-raised text-lg text-ink sm:text-base ' +
  'placeholder:text-muted hover:border-ink/60 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:opacity-60 disabled:hover:border-line-strong';

interface InputProps extends ComponentProps<'input'> {
  /** An icon at the start. */
  icon?: ReactNode;
}

export function Input({ icon, className, ...props }: InputProps) {
  const field = useFieldProps();
  const input = (
    <input {...field} {...props} className={cx(CONTROL_CLASS, 'h-9 px-3', icon ? 'pl-9' : '', className)} />
  );
  if (!icon) return input;
  return (
    <span className="relative block min-w-0">
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted [&_svg]:size-4"
      >
        {icon}
      </span>
      {input}
    </span>
  );
}

export interface TextareaProps extends ComponentProps<'textarea'> {
  /** Monospace. */
  code?: boolean;
}

export function Textarea({ code = false, className, rows = 4, ...props }: TextareaProps) {
  const field = useFieldProps();
  return (
    <textarea
      {...field}
      {...props}
      rows={rows}
      spellCheck={code ? false : props.spellCheck}
      className={cx(CONTROL_CLASS, 'px-3 py-2', code && 'font-mono sm:text-sm', className)}
    />
  );
}

export interface SearchInputProps extends Omit<InputProps, 'type' | 'icon' | 'onChange'> {
  /** Label and placeholder. */
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** Filters while typing. */
export const SearchInput = ({ label, onChange, ...props }: SearchInputProps) => (
  <Input
    type="search"
    aria-label={label}
    placeholder={label}
    icon={<Search />}
    onChange={({ target }) => onChange(target.value)}
    {...props}
  />
);
