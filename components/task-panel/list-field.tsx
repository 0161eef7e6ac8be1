'use client';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { Button } from '#components/ui/button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { isVisible, newElement } from '#lib/editor/canvas/form-fields.ts';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { withSetting } from './setting-text.ts';

type Element = Record<string, unknown>;

export interface ListFieldProps extends SettingFieldProps {
  /** Renders one field of a row; passed in, because it can be a list, too. */
  ItemField: ComponentType<SettingFieldProps>;
}

/** Rows with the same fields: conditions, variables, headers. */
export function ListField({ field, path, value, onChange, ItemField }: ListFieldProps) {
  const { canEdit, problems } = usePanel();
  const elements = Array.isArray(value) ? (value as Element[]) : [];
  const problem = problems.find((each) => each.field === path)?.message;
  const replace = (index: number, next: Element) =>
    onChange(elements.map((element, position) => (position === index ? next : element)));
  const move = (index: number, by: number) => {
    const moved = [...elements];
    const [element] = moved.splice(index, 1);
    if (element) moved.splice(index + by, 0, element);
    onChange(moved);
  };
  return (
    <fieldset data-field={path} className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{field.title}</legend>
      {field.description && <p className="mb-1.5 text-sm text-muted">{field.description}</p>}
      <ol className="flex flex-col gap-2">
        {elements.map((element, index) => {
          const shown = field.items.filter((item) => isVisible(item, element, field.items));
          const buttons = canEdit && (
            <RowButtons
              isFirst={index === 0}
              isLast={index === elements.length - 1}
              move={(by) => move(index, by)}
              remove={() => onChange(elements.filter((_element, position) => position !== index))}
            />
          );
          // A row with one text has its buttons beside the label.
          const isShort = shown.length === 1 && shown[0]?.kind === 'text';
          return (
            <li
              key={index}
              aria-label={`${field.title}, ${index + 1}`}
              className="flex flex-col gap-2 rounded-md border border-line bg-canvas/60 p-2.5"
            >
              {shown.map((item) => (
                <ItemField
                  key={item.name}
                  field={item}
                  path={`${path}[${index}].${item.name}`}
                  value={element[item.name]}
                  onChange={(next) => replace(index, withSetting(element, item.name, next))}
                  hideLabel={item.kind === 'enum'}
                  aside={isShort && buttons}
                />
              ))}
              {!isShort && buttons && <div className="-mb-1 flex justify-end">{buttons}</div>}
            </li>
          );
        })}
      </ol>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      {canEdit && elements.length < (field.maxItems ?? Infinity) && (
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          className="mt-2"
          onClick={() => onChange([...elements, newElement(field.items)])}
        >
          Add {singular(field.title)}
        </Button>
      )}
    </fieldset>
  );
}

function RowButtons({
  isFirst,
  isLast,
  move,
  remove,
}: {
  isFirst: boolean;
  isLast: boolean;
  move: (by: number) => void;
  remove: () => void;
}) {
  return (
    <>
      <RowButton label="Move up" disabled={isFirst} onClick={() => move(-1)}>
        <ArrowUp aria-hidden />
      </RowButton>
      <RowButton label="Move down" disabled={isLast} onClick={() => move(1)}>
        <ArrowDown aria-hidden />
      </RowButton>
      <RowButton label="Remove" onClick={remove}>
        <Trash2 aria-hidden />
      </RowButton>
    </>
  );
}

const RowButton = (props: {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) => <IconButton {...props} size="sm" className="size-7" />;

const singular = (title: string): string => title.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
