'use client';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { countPlaceholders, TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { Count, type PartProps } from './template-form-parts.tsx';

const FORMATS = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Picture' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
] as const;

/** The optional header: a line of text, or a file. */
export function TemplateHeader({ draft, change, problemOf }: PartProps) {
  const { headerFormat, headerText, headerExample } = draft;
  const isMedia = headerFormat !== 'NONE' && headerFormat !== 'TEXT';
  const needsExample = isMedia || (headerFormat === 'TEXT' && countPlaceholders(headerText) > 0);
  return (
    <>
      <Field label="Header" className="sm:w-56">
        <Select
          value={headerFormat}
          onValueChange={(value) => change({ headerFormat: value, headerExample: '' })}
          options={FORMATS}
        />
      </Field>
      {headerFormat === 'TEXT' && (
        <Field
          label="Header text"
          help="At most one placeholder, {{1}}."
          aside={<Count text={headerText} limit={TEMPLATE_LIMITS.header} />}
          error={problemOf('HEADER.text')}
        >
          <Input value={headerText} onChange={({ target }) => change({ headerText: target.value })} />
        </Field>
      )}
      {needsExample && (
        <Field
          label={isMedia ? 'Sample file' : 'Example for {{1}} in the header'}
          help={isMedia ? 'The handle the platform returned for an uploaded sample file.' : undefined}
          error={
            problemOf('HEADER.example') &&
            (isMedia ? 'Enter the handle of a sample file.' : 'Enter a sample value for the placeholder.')
          }
        >
          <Input value={headerExample} onChange={({ target }) => change({ headerExample: target.value })} />
        </Field>
      )}
    </>
  );
}
