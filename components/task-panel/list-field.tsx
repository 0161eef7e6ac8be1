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
  /** Shows one field of a row; handed in, because it shows lists too. */
  ItemField: ComponentType<SettingFieldProps>;
}

/** Rows of the same fields: conditions, variables, headers. */
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
        {elements.map((element, index) => (
          <li
            key={index}
            aria-label={`${field.title}, ${index + 1}`}
            className="flex flex-col gap-2 rounded-md border border-line bg-canvas/60 p-2.5"
          >
            {field.items
              .filter((item) => isVisible(item, element, field.items))
              .map((item) => (
                <ItemField
                  key={item.name}
                  field={item}
                  path={`${path}[${index}].${item.name}`}
                  value={element[item.name]}
                  onChange={(next) => replace(index, withSetting(element, item.name, next))}
                  hideLabel={item.kind === 'enum'}
                />
              ))}
            {canEdit && (
              <div className="-mb-1 flex justify-end">
                <RowButton label="Move up" disabled={index === 0} onClick={() => move(index, -1)}>
                  <ArrowUp aria-hidden />
                </RowButton>
                <RowButton
                  label="Move down"
                  disabled={index === elements.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDown aria-hidden />
                </RowButton>
                <RowButton
                  label="Remove"
                  onClick={() => onChange(elements.filter((_element, position) => position !== index))}
                >
                  <Trash2 aria-hidden />
                </RowButton>
              </div>
            )}
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      {canEdit && (
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

const RowButton = (props: {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) => <IconButton {...props} size="sm" className="size-7" />;

const singular = (title: string): string => title.toLowerCase().replace(/s$/, '');
