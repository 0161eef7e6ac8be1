import { Checkbox } from '#components/ui/checkbox.tsx';
import { ALERT_KINDS, type AlertKind, KIND_INFO } from '#lib/alerts/kinds.ts';

export interface KindCheckboxesProps {
  legend: string;
  value: readonly AlertKind[];
  onChange: (kinds: AlertKind[]) => void;
  /** Left out: all. */
  kinds?: readonly AlertKind[];
}

/** Selects kinds of alerts. */
export const KindCheckboxes = ({ legend, value, onChange, kinds = ALERT_KINDS }: KindCheckboxesProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 text-sm font-medium">{legend}</legend>
    {kinds.map((kind) => (
      <Checkbox
        key={kind}
        label={KIND_INFO[kind].label}
        help={KIND_INFO[kind].description}
        checked={value.includes(kind)}
        onCheckedChange={(isTold) =>
          onChange(ALERT_KINDS.filter((each) => (each === kind ? isTold : value.includes(each))))
        }
      />
    ))}
  </fieldset>
);
