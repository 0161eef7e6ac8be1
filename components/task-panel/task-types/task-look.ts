import type { ComponentType } from 'react';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';

/** The settings of the open task in order, without the hidden ones; with `only`, just these. */
export type SettingFields = ComponentType<{ hidden?: readonly string[]; only?: readonly string[] }>;

/** Custom parts of a task type's panel, besides the form of its schema. */
export interface TaskLook {
  /** Above the settings. */
  Intro?: ComponentType;
  /** Replaces the plain form, which it gets as a prop. */
  Form?: ComponentType<{ Fields: SettingFields }>;
  /** Custom components of settings, by name. */
  fields?: Readonly<Record<string, ComponentType<SettingFieldProps>>>;
}
