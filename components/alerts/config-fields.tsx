import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { DestinationConfig } from '#lib/alerts/alert-types.ts';
import { ALERT_KINDS, type AlertKind, KIND_INFO } from '#lib/alerts/kinds.ts';

/** The members and workflows to choose from. */
export interface DestinationChoices {
  members: readonly { userId: string; email: string }[];
  workflows: readonly { id: string; name: string }[];
}

export interface ConfigFieldsProps extends DestinationChoices {
  config: DestinationConfig;
  onChange: (config: DestinationConfig) => void;
  /** By field. */
  problemOf: (field: string) => string | undefined;
}

/** Target of a destination, depending on its channel. */
export function ConfigFields({ config, onChange, problemOf, members, workflows }: ConfigFieldsProps) {
  switch (config.channel) {
    case 'email':
      return <EmailFields {...{ config, onChange, problemOf, members }} />;
    case 'webhook':
      return (
        <Field
          label="URL"
          error={problemOf('url')}
          help="Gets a POST with JSON, signed by Standard Webhooks. Its secret is shown once."
        >
          <Input
            type="url"
            value={config.url}
            placeholder="https://example.com/alerts"
            onChange={(event) => onChange({ ...config, url: event.target.value })}
          />
        </Field>
      );
    case 'workflow':
      return (
        <Field
          label="Workflow"
          error={problemOf('workflow_id')}
          help="Starts with the alert as its payload. Its own alerts never start a workflow."
        >
          <Select
            options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
            value={config.workflow_id}
            placeholder={workflows.length === 0 ? 'No workflows yet' : 'Select a workflow'}
            onValueChange={(id) => onChange({ ...config, workflow_id: id })}
          />
        </Field>
      );
  }
}

type EmailConfig = Extract<DestinationConfig, { channel: 'email' }>;

function EmailFields({
  config,
  onChange,
  problemOf,
  members,
}: Pick<ConfigFieldsProps, 'onChange' | 'problemOf' | 'members'> & { config: EmailConfig }) {
  const { owners, user_ids: userIds, addresses } = config;
  return (
    <>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">Members</legend>
        <Checkbox
          label="All owners"
          checked={owners}
          onCheckedChange={(isTold) => onChange({ ...config, owners: isTold })}
        />
        {members.map(({ userId, email }) => (
          <Checkbox
            key={userId}
            label={email}
            checked={userIds.includes(userId)}
            onCheckedChange={(isTold) =>
              onChange({
                ...config,
                user_ids: isTold ? [...userIds, userId] : userIds.filter((id) => id !== userId),
              })
            }
          />
        ))}
      </fieldset>
      <Field
        label="Other email addresses"
        error={problemOf('addresses')}
        help="One on each line. They need no account."
      >
        <Textarea
          rows={2}
          value={addresses.join('\n')}
          onChange={(event) => onChange({ ...config, addresses: event.target.value.split('\n') })}
        />
      </Field>
    </>
  );
}

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
