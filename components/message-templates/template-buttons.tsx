'use client';
import { Plus, Trash2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { type ButtonDraft, EMPTY_BUTTON } from './template-draft.ts';
import type { PartProps, ProblemOf } from './template-form-parts.tsx';

const TYPES = [
  { value: 'QUICK_REPLY', label: 'Quick reply' },
  { value: 'URL', label: 'Opens a URL' },
  { value: 'PHONE_NUMBER', label: 'Calls a number' },
] as const;

/** Up to three buttons below the message (spec, Limits). */
export function TemplateButtons({ draft, change, problemOf }: PartProps) {
  const { buttons } = draft;
  const changeButton = (index: number, part: Partial<ButtonDraft>) =>
    change({ buttons: buttons.map((button, place) => (place === index ? { ...button, ...part } : button)) });
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Buttons</legend>
      {buttons.map((button, index) => (
        <ButtonFields
          key={index}
          button={button}
          index={index}
          problemOf={problemOf}
          change={(part) => changeButton(index, part)}
          remove={() => change({ buttons: buttons.filter((_, place) => place !== index) })}
        />
      ))}
      {buttons.length < TEMPLATE_LIMITS.buttons ? (
        <div>
          <Button
            size="sm"
            icon={<Plus aria-hidden />}
            onClick={() => change({ buttons: [...buttons, EMPTY_BUTTON] })}
          >
            Add button
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">
          A message template has at most {TEMPLATE_LIMITS.buttons} buttons.
        </p>
      )}
    </fieldset>
  );
}

function ButtonFields({
  button,
  index,
  problemOf,
  change,
  remove,
}: {
  button: ButtonDraft;
  index: number;
  problemOf: ProblemOf;
  change: (part: Partial<ButtonDraft>) => void;
  remove: () => void;
}) {
  const at = (field: string) => problemOf(`BUTTONS.buttons[${index}].${field}`);
  return (
    <div className="grid gap-3 rounded-md border border-line p-4 sm:grid-cols-2">
      <div className="flex items-center justify-between sm:col-span-2">
        <span className="text-sm font-medium">Button {index + 1}</span>
        <IconButton label={`Remove button ${index + 1}`} size="sm" onClick={remove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <Field label="Type">
        <Select value={button.type} onValueChange={(type) => change({ type })} options={TYPES} />
      </Field>
      <Field label="Button text" error={at('text')}>
        <Input
          value={button.text}
          maxLength={TEMPLATE_LIMITS.buttonText}
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
      {button.type === 'URL' && (
        <Field label="Address" help="May end with {{1}}." error={at('url')} className="sm:col-span-2">
          <Input
            type="url"
            value={button.url}
            placeholder="e.g. https://example.com/orders/{{1}}"
            onChange={({ target }) => change({ url: target.value })}
          />
        </Field>
      )}
      {button.type === 'URL' && button.url.includes('{{') && (
        <Field label="Example of the full URL" error={at('example')} className="sm:col-span-2">
          <Input
            type="url"
            value={button.example}
            onChange={({ target }) => change({ example: target.value })}
          />
        </Field>
      )}
      {button.type === 'PHONE_NUMBER' && (
        <Field label="Number" help="Include the country code." error={at('phone_number')}>
          <Input
            type="tel"
            value={button.phoneNumber}
            placeholder="e.g. +1 212 555 0101"
            onChange={({ target }) => change({ phoneNumber: target.value })}
          />
        </Field>
      )}
    </div>
  );
}
