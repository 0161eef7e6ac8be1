'use client';
import { useId } from 'react';
import { Input } from './input.tsx';

interface ZoneInputProps {
  value: string;
  onChange: (zone: string) => void;
  placeholder?: string;
  readOnly?: boolean;
}

/** Enters a time zone; cities are offered while typing. */
export function ZoneInput({ value, onChange, placeholder, readOnly = false }: ZoneInputProps) {
  const listId = useId();
  return (
    <>
      <Input
        list={listId}
        className="max-w-80"
        value={value}
        placeholder={placeholder}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
