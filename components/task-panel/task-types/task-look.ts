import type { ComponentType } from 'react';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';

/** The settings of the open task in their order, but for the hidden ones; with `only`, no others. */
export type SettingFields = ComponentType<{ hidden?: readonly string[]; only?: readonly string[] }>;

/** What a task type shows in its panel besides the form that follows from its schema. */
export interface TaskLook {
  /** Above the settings. */
  Intro?: ComponentType;
  /** In place of the plain form, which it is handed. */
  Form?: ComponentType<{ Fields: SettingFields }>;
  /** Settings that have a component of their own, by name. */
  fields?: Readonly<Record<string, ComponentType<SettingFieldProps>>>;
}
