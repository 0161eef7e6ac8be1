'use client';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { listNames } from '#lib/messaging/message-templates/schema/stored-template.ts';
import { SampleUpload } from './sample-upload.tsx';
import { Count, type PartProps } from './template-form-parts.tsx';

const FORMATS = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Picture' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
] as const;

/** The optional header: a line of text, or a file. */
export function TemplateHeader({
  draft,
  change,
  problemOf,
  connectionId,
}: PartProps & { connectionId: string }) {
  const { headerFormat, headerText, headerExample } = draft;
  const [placeholder] = listNames(headerText);
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
          help="At most one placeholder, {{1}} or a name such as {{order_id}}."
          aside={<Count text={headerText} limit={TEMPLATE_LIMITS.header} />}
          error={problemOf('HEADER.text')}
        >
          <Input value={headerText} onChange={({ target }) => change({ headerText: target.value })} />
        </Field>
      )}
      {headerFormat !== 'NONE' && headerFormat !== 'TEXT' && (
        <SampleUpload
          key={headerFormat}
          connectionId={connectionId}
          format={headerFormat}
          handle={headerExample}
          onUploaded={(handle) => change({ headerExample: handle })}
          error={problemOf('HEADER.example') && 'Upload a sample file.'}
        />
      )}
      {headerFormat === 'TEXT' && placeholder !== undefined && (
        <Field
          label={`Example for {{${placeholder}}} in the header`}
          error={problemOf('HEADER.example') && 'Enter a sample value for the placeholder.'}
        >
          <Input value={headerExample} onChange={({ target }) => change({ headerExample: target.value })} />
        </Field>
      )}
    </>
  );
}
