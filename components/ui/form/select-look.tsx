import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';
import { CONTROL_CLASS } from './input.tsx';

export const selectClass = (className: string | undefined): string =>
  cx(
    CONTROL_CLASS,
    'flex h-9 items-center justify-between gap-2 px-3 text-left data-placeholder:text-muted',
    className,
  );

/** Content of the closed control. */
export const SelectLook = ({ children }: { children: ReactNode }) => (
  <>
    <span className="truncate">{children}</span>
    <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
  </>
);
