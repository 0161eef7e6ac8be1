'use client';
import { RadioGroup } from 'radix-ui';
import { type ReactNode, useId } from 'react';

export interface RadioCardsProps {
  label: string;
  options: readonly { value: string; label: string; description: string; icon: ReactNode }[];
  value: string;
  onValueChange: (value: string) => void;
}

/** Selects one of a few options that need a sentence each. */
export function RadioCards({ label, options, value, onValueChange }: RadioCardsProps) {
  const id = useId();
  return (
    <div>
      <p id={id} className="mb-1.5 text-sm font-medium">
        {label}
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={onValueChange}
        className="flex flex-col gap-2"
      >
        {options.map((option) => (
          <RadioGroup.Item
            key={option.value}
            value={option.value}
            aria-label={option.label}
            aria-describedby={`${id}-${option.value}`}
            className="flex items-center gap-3 rounded-md border border-line bg-raised px-3 py-2.5 text-left hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft"
          >
            {option.icon}
            <span className="min-w-0">
              <span className="block font-medium">{option.label}</span>
              <span id={`${id}-${option.value}`} className="block text-sm text-muted">
                {option.description}
              </span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
