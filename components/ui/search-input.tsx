'use client';
import { Search } from 'lucide-react';
import { Input, type InputProps } from './input.tsx';

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
