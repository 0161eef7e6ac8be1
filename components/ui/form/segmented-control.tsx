'use client';
import { RadioGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '#components/ui/cx.ts';

export interface SegmentedControlProps<Value extends string> {
  /** For screen readers. */
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onValueChange: (value: Value) => void;
  className?: string;
}

/** Selects one of two to five visible options. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
}: SegmentedControlProps<Value>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      className={cx('inline-flex rounded-md border border-line bg-canvas p-0.5', className)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className="inline-flex h-7.5 items-center justify-center gap-1.5 rounded-sm px-3 text-sm max-sm:px-2 font-medium whitespace-nowrap text-muted hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-raised [&_svg]:size-4"
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
