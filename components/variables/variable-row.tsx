'use client';
import { Command } from 'cmdk';
import { Braces, ChevronRight, CircleDashed, Hash, List, ToggleLeft, Type } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { PickerVariable } from '#lib/editor/canvas/available-variables.ts';
import { shortValue, typeOf, type ValueType } from '#lib/editor/canvas/variable-tree.ts';

const ICONS: Readonly<Record<ValueType, ComponentType<{ 'aria-label': string; className: string }>>> = {
  text: Type,
  number: Hash,
  boolean: ToggleLeft,
  list: List,
  object: Braces,
  nothing: CircleDashed,
};

const TYPE_WORDS: Readonly<Record<ValueType, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  list: 'List',
  object: 'Object',
  nothing: 'No value',
};

/** Icon of a value's type. */
function TypeIcon({ type }: { type: ValueType }) {
  const Icon = ICONS[type];
  return <Icon aria-label={TYPE_WORDS[type]} className="size-3.5 shrink-0 text-muted" />;
}

export interface PickerRowProps {
  /** Unique among all rows. */
  id: string;
  icon: ReactNode;
  label: string;
  detail: string;
  title?: string | undefined;
  depth?: number;
  /** For a row with children. */
  isExpanded?: boolean | undefined;
  onToggle?: () => void;
  onPick: () => void;
}

/** One line of the variable picker. */
export function PickerRow({
  id,
  icon,
  label,
  detail,
  title,
  depth = 0,
  isExpanded,
  onToggle,
  onPick,
}: PickerRowProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onPick}
      title={title}
      style={{ paddingLeft: `${0.25 + depth}rem` }}
      className="flex items-center gap-1.5 rounded-md py-1 pr-2 select-none data-[selected=true]:bg-hover"
    >
      {isExpanded === undefined ? (
        <span className="size-5 shrink-0" />
      ) : (
        // For the mouse: keyboard users have the arrow keys, and an option must not contain a button.
        <span
          aria-hidden
          data-expands={label}
          className="flex size-5 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-line hover:text-ink"
          onClick={(event) => {
            event.stopPropagation();
            onToggle?.();
          }}
        >
          <ChevronRight className={`size-3.5 transition-transform ${isExpanded ? 'rotate-90' : ''}`} />
        </span>
      )}
      {icon}
      <span className="max-w-[60%] shrink-0 truncate">{label}</span>
      <span className="min-w-0 flex-1 truncate text-right text-sm text-muted">{detail}</span>
    </Command.Item>
  );
}

export interface VariableRowProps extends Pick<PickerRowProps, 'depth' | 'isExpanded' | 'onToggle'> {
  id: string;
  variable: PickerVariable;
  label: string;
  /** The task of the variable, where the list does not show it. */
  from?: string;
  onPick: (path: string) => void;
}

/** A variable with its type and its value in the sample. */
export function VariableRow({ variable, from, onPick, ...row }: VariableRowProps) {
  const { path, value, description } = variable;
  const detail = describeValue(variable);
  return (
    <PickerRow
      {...row}
      icon={<TypeIcon type={typeOf(value)} />}
      detail={from === undefined ? detail : `${detail} · ${from}`}
      title={[`{{${path}}}`, description].filter(Boolean).join('\n')}
      onPick={() => onPick(path)}
    />
  );
}

function describeValue({ value, description }: PickerVariable): string {
  if (value === undefined) return description ?? 'no value yet';
  if (!Array.isArray(value)) return shortValue(value) || 'empty';
  const count = value.length === 1 ? '1 item' : `${value.length} items`;
  return value.length === 0 ? count : `${count}: ${shortValue(value)}`;
}
