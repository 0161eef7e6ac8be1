'use client';
import { PickerField } from '#components/task-panel/picker-field.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { WindowCallout } from './window-callout.tsx';

/** The fallback template, below the state of the 24-hour window of the sample's customer. */
export const FallbackField = (props: SettingFieldProps) => (
  <div className="flex flex-col gap-3">
    <WindowCallout fallback={props.value} />
    <PickerField {...props} picks={{ from: 'message_template' }} />
  </div>
);
