'use client';
import { Check } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { styleNonce } from '#components/ui/browser-state.ts';
import { SelectLook } from './select-look.tsx';

export interface SelectOption<Value extends string = string> {
  /** Not empty: use `placeholder` for "nothing selected". */
  value: Value;
  label: string;
  description?: ReactNode;
  disabled?: boolean;
}

export interface SelectListProps {
  options: readonly SelectOption[];
  value: string;
  onValueChange: (value: string) => void;
  placeholder: string;
  disabled: boolean;
  trigger: ComponentProps<'button'>;
}

/** The control with its list, initially open. */
export const SelectList = ({ options, placeholder, trigger, ...props }: SelectListProps) => (
  <Radix.Root {...props} defaultOpen>
    <Radix.Trigger {...trigger}>
      <SelectLook>
        <Radix.Value placeholder={placeholder} />
      </SelectLook>
    </Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        position="popper"
        sideOffset={4}
        className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[92vw] animate-appear overflow-hidden rounded-lg border border-line bg-raised p-1 shadow-overlay"
      >
        <Radix.Viewport nonce={styleNonce()}>
          {options.map((option) => (
            <Option key={option.value} {...option} />
          ))}
        </Radix.Viewport>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

const Option = ({ value, label, description, disabled = false }: SelectOption) => (
  <Radix.Item
    value={value}
    disabled={disabled}
    className="relative flex flex-col rounded-md py-1.5 pr-3 pl-8 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover"
  >
    <Radix.ItemIndicator className="absolute top-2 left-2">
      <Check aria-hidden className="size-4 text-accent" />
    </Radix.ItemIndicator>
    <Radix.ItemText>{label}</Radix.ItemText>
    {description && <span className="text-sm text-muted">{description}</span>}
  </Radix.Item>
);
