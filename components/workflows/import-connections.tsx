import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ImportCheck } from '#lib/workflows/import-schema.ts';

const LATER = 'later';

export interface ImportConnectionsProps {
  check: ImportCheck;
  /** By the id in the file; empty: to be selected later. */
  chosen: Record<string, string>;
  onChange: (chosen: Record<string, string>) => void;
}

/** Selects replacements for connections that do not exist in this workspace. */
export const ImportConnections = ({ check, chosen, onChange }: ImportConnectionsProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 font-medium">Connections not in this workspace</legend>
    {check.unknownConnections.map(({ id, taskNames }) => (
      <Field key={id} label={`Used by ${taskNames.map((name) => `“${name}”`).join(', ')}`}>
        <Select
          options={[
            { value: LATER, label: 'Select later, in the tasks' },
            ...check.connections.map((connection) => ({ value: connection.id, label: connection.name })),
          ]}
          value={chosen[id] || LATER}
          onValueChange={(value) => onChange({ ...chosen, [id]: value === LATER ? '' : value })}
        />
      </Field>
    ))}
  </fieldset>
);
