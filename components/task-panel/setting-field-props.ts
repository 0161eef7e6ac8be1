import type { ReactNode } from 'react';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';

export interface SettingFieldProps {
  field: FormField;
  /** As in problems. */
  path: string;
  value: unknown;
  /** Undefined removes the setting. */
  onChange: (value: unknown) => void;
  hideLabel?: boolean;
  /** At the end of the label's line. */
  aside?: ReactNode;
}
