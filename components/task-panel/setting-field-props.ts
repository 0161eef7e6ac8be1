import type { ReactNode } from 'react';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';

export interface SettingFieldProps {
  field: FormField;
  /** As problems name it. */
  path: string;
  value: unknown;
  /** Undefined takes the setting away. */
  onChange: (value: unknown) => void;
  hideLabel?: boolean;
  /** More at the end of the label's line. */
  aside?: ReactNode;
}
