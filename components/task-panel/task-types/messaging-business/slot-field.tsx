'use client';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { VariableField } from '#components/task-panel/variable-field.tsx';
import type { SlotKind, TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import { settingOf } from '#lib/tasks/messaging-business/template-settings.ts';
import { MediaUpload } from './media-upload.tsx';
import { changeOf, valueInSettings } from './slot-settings.ts';

export interface SlotFieldProps {
  slot: TemplateSlot;
  /** All of the template. */
  slots: readonly TemplateSlot[];
  example: string | undefined;
  change: (settings: Record<string, unknown>) => void;
}

/** The field of one value of a message template. */
export function SlotField({ slot, slots, example, change }: SlotFieldProps) {
  const { task } = usePanel();
  const value = valueInSettings(task.settings, slot, slots);
  const set = (next: string): void => change(changeOf(task.settings, slot, slots, next));
  const file = FILE_KINDS.find((kind) => kind === slot.takes);
  return (
    <div>
      <VariableField
        path={`settings.${settingOf(slot, slots)}`}
        label={LABELS[slot.takes](slot)}
        help={HELP[slot.takes] ?? (example === undefined ? undefined : `For example: ${example}`)}
        value={value}
        onChange={set}
        isCode={slot.takes === 'flow_data'}
        isMultiline={slot.takes === 'flow_data'}
      />
      {file && <MediaUpload kind={file} mediaId={value} onUploaded={({ mediaId }) => set(mediaId)} />}
    </div>
  );
}

const FILE_KINDS = ['image', 'video', 'document'] as const;

const textLabel = ({ in: part, placeholder = '1', label = '' }: TemplateSlot): string => {
  if (part === 'button') return `Value for {{${placeholder}}} in the URL of "${label}"`;
  return part === 'header' ? `Header {{${placeholder}}}` : `{{${placeholder}}}`;
};

const LABELS: Readonly<Record<SlotKind, (slot: TemplateSlot) => string>> = {
  text: textLabel,
  image: () => 'Public URL of the image',
  video: () => 'Public URL of the video',
  document: () => 'Public URL of the document',
  latitude: () => 'Latitude',
  longitude: () => 'Longitude',
  place_name: () => 'Name of the place',
  place_address: () => 'Address of the place',
  coupon_code: ({ label = '' }) => `Coupon code of "${label}"`,
  flow_token: ({ label = '' }) => `Flow token of "${label}"`,
  flow_data: ({ label = '' }) => `Data for the first screen of "${label}"`,
  expires_at: () => 'Offer ends at',
};

const FILE_HELP = 'Or the media ID of an uploaded file.';
const HELP: Readonly<Partial<Record<SlotKind, string>>> = {
  image: FILE_HELP,
  video: FILE_HELP,
  document: FILE_HELP,
  flow_token: 'Optional. Comes back with the customer’s answer.',
  flow_data: 'Optional. A JSON object, such as {"name": "Guest"}.',
  expires_at: 'For example: 2030-01-31T09:00:00Z',
  latitude: 'For example: 52.52',
  longitude: 'For example: 13.405',
};
