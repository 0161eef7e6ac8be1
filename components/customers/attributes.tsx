'use client';
import { Pencil, Plus } from 'lucide-react';
import { useState, useTransition } from 'react';
import { useRouter } from 'next/navigation';
import { EVIDENCE_WORDS, writeAttribute } from '#components/live/customer-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import {
  ATTRIBUTE_TYPE_LABELS,
  ATTRIBUTE_TYPES,
  type AttributeType,
} from '#lib/messaging/schema/attribute-types.ts';
import type { Customer } from '#lib/screens/customer-schema.ts';

type Attribute = Customer['attributes'][number];

export interface AttributesProps {
  customerId: string;
  attributes: readonly Attribute[];
  canEdit: boolean;
  save: (input: {
    id: string;
    attributes: { name: string; type: AttributeType; value: string }[];
  }) => Promise<ActionResult<void>>;
}

/** What workflows and members remember of a customer; editors change it. */
export function Attributes({ attributes, canEdit, ...dialog }: AttributesProps) {
  if (attributes.length === 0 && !canEdit) return null;
  return (
    <div className="mb-6">
      <Card title="Attributes" actions={canEdit && <AttributeDialog {...dialog} attribute={null} />}>
        {attributes.length === 0 ? (
          <p className="text-muted">
            Nothing is remembered. Workflows remember values with the task <em>Remember</em>.
          </p>
        ) : (
          <div className="-mb-5">
            <Facts>
              {attributes.map((attribute) => (
                <Fact key={attribute.name} label={attribute.name}>
                  <span className="flex items-center gap-1">
                    <span className="break-words whitespace-pre-wrap">
                      {writeAttribute(attribute.type, attribute.value)}
                    </span>
                    {canEdit && <AttributeDialog key={attribute.at} {...dialog} attribute={attribute} />}
                  </span>
                  <WrittenBy attribute={attribute} />
                </Fact>
              ))}
            </Facts>
          </div>
        )}
      </Card>
    </div>
  );
}

const WrittenBy = ({ attribute: { at, evidence } }: { attribute: Attribute }) => (
  <span className="block text-sm text-muted">
    <RelativeTime at={at} />, {EVIDENCE_WORDS[evidence.kind]}
    {evidence.run_id !== undefined && (
      <>
        {' · '}
        <Link href={`/runs/${evidence.run_id}`} className="text-accent underline hover:no-underline">
          Run
        </Link>
      </>
    )}
  </span>
);

const TYPES = ATTRIBUTE_TYPES.map((value) => ({ value, label: ATTRIBUTE_TYPE_LABELS[value] }));

const HELP: Readonly<Record<AttributeType, string>> = {
  text: 'Any text.',
  number: 'For example 1250.5.',
  date: 'For example 2026-03-31, or with a time 2026-03-31T09:00.',
  yes_no: 'Enter yes or no.',
};

/** @param attribute null: a new one */
function AttributeDialog({
  customerId: id,
  attribute,
  save,
}: Pick<AttributesProps, 'customerId' | 'save'> & { attribute: Attribute | null }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(attribute?.name ?? '');
  const [type, setType] = useState<AttributeType>(attribute?.type ?? 'text');
  const [value, setValue] = useState(attribute ? writeAttribute(attribute.type, attribute.value) : '');
  const [problem, setProblem] = useState<{ name?: string; value?: string }>({});
  const [busy, startTransition] = useTransition();
  const submit = () =>
    startTransition(async () => {
      if (name.trim() === '') return setProblem({ name: 'Enter a name.' });
      if (attribute === null && value.trim() === '') return setProblem({ value: 'Enter a value.' });
      const result = await save({ id, attributes: [{ name: name.trim(), type, value }] });
      if (!result.ok) {
        const [first] = result.error.problems;
        const message = first?.message ?? result.error.message;
        return setProblem(first?.path.endsWith('name') ? { name: message } : { value: message });
      }
      setOpen(false);
      toast.success(value.trim() === '' ? 'Attribute removed.' : 'Attribute saved.');
      router.refresh();
      if (attribute === null) [setName, setValue].forEach((set) => set(''));
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setProblem({});
      }}
      trigger={
        attribute === null ? (
          <Button size="sm" icon={<Plus aria-hidden />}>
            Add attribute
          </Button>
        ) : (
          <IconButton size="sm" label={`Edit ${attribute.name}`}>
            <Pencil aria-hidden />
          </IconButton>
        )
      }
      title={attribute === null ? 'Add attribute' : `Edit ${attribute.name}`}
      submitLabel="Save"
      busy={busy}
      noValidate
      onSubmit={submit}
    >
      {attribute === null && (
        <Field label="Name" error={problem.name} help="Letters, digits and underscores.">
          <Input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
      <Field label="Type">
        <Select options={TYPES} value={type} onValueChange={setType} />
      </Field>
      <Field
        label="Value"
        error={problem.value}
        help={attribute === null ? HELP[type] : `${HELP[type]} Leave it empty to remove the attribute.`}
      >
        <Input value={value} maxLength={1000} onChange={({ target }) => setValue(target.value)} />
      </Field>
    </FormDialog>
  );
}
