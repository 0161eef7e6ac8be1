'use client';
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface TabsProps<Value extends string> {
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[];
  value?: Value;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
  /** For screen readers. */
  label: string;
  className?: string;
}

export function Tabs<Value extends string>({
  tabs,
  label,
  value,
  defaultValue,
  onValueChange,
  className,
}: TabsProps<Value>) {
  const first = defaultValue ?? tabs[0]?.value;
  return (
    <Radix.Root
      {...(value === undefined ? (first === undefined ? {} : { defaultValue: first }) : { value })}
      {...(onValueChange ? { onValueChange: (next) => onValueChange(next as Value) } : {})}
      className={cx('flex min-w-0 flex-col', className)}
    >
      <Radix.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-0.5 py-2 font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
