'use client';
import type { PickedTemplate } from '#lib/screens/editor-types.ts';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { renderPreview } from '#lib/editor/canvas/preview.ts';
import { readComponents } from '#lib/messaging/message-templates/schema/components.ts';
import {
  buttonOf,
  headerOf,
  highestPlaceholder,
} from '#lib/messaging/message-templates/schema/describe-template.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { MediaUpload } from './media-upload.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { findTemplate } from '#components/task-panel/picks.ts';
import { usePickerOptions } from '#components/task-panel/use-picker-options.ts';
import { VariableField } from '#components/task-panel/variable-field.tsx';

/** Settings that the form of a known template replaces. */
export const TEMPLATE_FIELDS = [
  'template_parameters',
  'header_type',
  'header_value',
  'button_parameter',
  'button_index',
];

/** The message template that the task sends, if known. @param isSending whether it sends one */
export function usePickedTemplate(isSending: boolean): PickedTemplate | undefined {
  const { task } = usePanel();
  const { template_name: name, template_language: language = 'en_US' } = task.settings;
  const { data } = usePickerOptions(isSending ? 'message_template' : undefined);
  if (!isSending || typeof name !== 'string' || name === '') return undefined;
  const { template_parameters: parameters } = task.settings;
  // Parameters from a single variable have no fields of their own.
  if (typeof parameters === 'string' && parameters.trim() !== '' && readParameters(parameters).length === 0)
    return undefined;
  return findTemplate(data ?? [], { name, language });
}

/** The fields of a template, and a preview of the message. */
export function TemplateForm({
  template,
  change,
}: {
  template: PickedTemplate;
  change: (settings: Record<string, unknown>) => void;
}) {
  const { task, values } = usePanel();
  const { settings } = task;
  const parts = readParts(template);
  const senderName = useSenderName();
  const parameters = readParameters(settings['template_parameters']);
  const text = (name: string): string => (typeof settings[name] === 'string' ? settings[name] : '');
  const hasSample = useEditorState(({ sample }) => sample !== undefined);
  // Without a sample every variable is empty: the template's own examples are more useful.
  const rendered = (variableText: string): string | undefined => {
    const preview = renderPreview(variableText, values.scope);
    return preview.kind === 'text' ? preview.text : hasSample ? '' : undefined;
  };
  const setParameter = (index: number, value: string) =>
    change({
      template_parameters: Array.from({ length: parts.bodyCount }, (_, position) =>
        position === index ? value : (parameters[position] ?? ''),
      ),
    });
  // The template defines the kind of header and the button.
  const setHeader = (value: string) =>
    change(
      value === ''
        ? { header_value: undefined, header_type: undefined }
        : { header_value: value, header_type: parts.headerType },
    );
  const setButton = (value: string) =>
    change(
      value === ''
        ? { button_parameter: undefined, button_index: undefined }
        : { button_parameter: value, button_index: parts.buttonIndex },
    );
  return (
    <section aria-label="Template content" className="flex flex-col gap-4 rounded-lg border border-line p-3">
      {parts.headerType !== undefined && (
        <div>
          <VariableField
            path="settings.header_value"
            label={parts.headerType === 'text' ? 'Header {{1}}' : `Public URL of the ${parts.headerType}`}
            help={parts.headerType === 'text' ? undefined : 'Or the media ID of an uploaded file.'}
            value={text('header_value')}
            onChange={setHeader}
          />
          {parts.headerType !== 'text' && (
            <MediaUpload
              kind={parts.headerType}
              mediaId={settings['header_value']}
              onUploaded={({ mediaId }) => setHeader(mediaId)}
            />
          )}
        </div>
      )}
      {Array.from({ length: parts.bodyCount }, (_, index) => (
        <VariableField
          key={index}
          path={`settings.template_parameters[${index}]`}
          label={`{{${index + 1}}}`}
          help={parts.examples[index] === undefined ? undefined : `For example: ${parts.examples[index]}`}
          value={parameters[index] ?? ''}
          onChange={(value) => setParameter(index, value)}
        />
      ))}
      {parts.buttonIndex !== undefined && (
        <VariableField
          path="settings.button_parameter"
          label={`Value for {{1}} in the URL of "${parts.buttonText}"`}
          value={text('button_parameter')}
          onChange={setButton}
        />
      )}
      <PhonePreview
        senderName={senderName}
        message={previewTemplate(template.components, {
          header: [text('header_value') === '' ? undefined : rendered(text('header_value'))],
          body: Array.from({ length: parts.bodyCount }, (_, index) =>
            parameters[index] ? rendered(parameters[index]) : `{{${index + 1}}}`,
          ),
          buttons:
            parts.buttonIndex === undefined
              ? []
              : buttonValues(parts.buttonIndex, rendered(text('button_parameter'))),
        })}
      />
    </section>
  );
}

/** The name of the sending number. */
function useSenderName(): string {
  const { task } = usePanel();
  const { data } = usePickerOptions('phone_number');
  return data?.find(({ value }) => value === task.settings['phone_number_id'])?.label ?? 'Your business';
}

const buttonValues = (index: number, value: string | undefined): (string | undefined)[] =>
  Array.from({ length: index + 1 }, (_, position) => (position === index ? value : undefined));

function readParts({ components }: PickedTemplate) {
  const find = readComponents(components);
  const body = find('BODY');
  const buttons = find('BUTTONS')?.buttons ?? [];
  const buttonIndex = buttonOf(buttons) ?? undefined;
  return {
    headerType: headerOf(find('HEADER')) ?? undefined,
    bodyCount: highestPlaceholder(body?.text),
    examples: body?.example?.body_text?.[0] ?? [],
    buttonIndex,
    buttonText: buttonIndex === undefined ? '' : (buttons[buttonIndex]?.text ?? ''),
  };
}

/** A JSON array, as a list or as its text. */
function readParameters(value: unknown): string[] {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return [];
  try {
    return readParameters(JSON.parse(value));
  } catch {
    return [];
  }
}
