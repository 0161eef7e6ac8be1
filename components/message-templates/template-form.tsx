'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { CreatedTemplate } from '#lib/messaging/message-templates/schema.ts';
import {
  CATEGORIES,
  type ParameterFormat,
  TEMPLATE_LIMITS,
} from '#lib/messaging/message-templates/schema/components.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { validateTemplate } from '#lib/messaging/message-templates/schema/validate-template.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import { TemplateBody } from './template-body.tsx';
import { TemplateButtons } from './template-buttons.tsx';
import { TemplateCode } from './template-code.tsx';
import {
  EMPTY_DRAFT,
  EMPTY_OTP,
  formatOf,
  problemAt,
  type TemplateDraft,
  toComponents,
} from './template-draft.ts';
import { type Change, Count, fieldOf, type PartProps, type ProblemOf } from './template-form-parts.tsx';
import { TemplateHeader } from './template-header.tsx';

export interface TemplateFormProps {
  connectionId: string;
  senderName: string;
  /** Initial content, from another template. */
  initial?: TemplateDraft | undefined;
  /** The template to edit; left out: a new one. */
  templateId?: string | undefined;
  create: (input: TemplateContent) => Promise<ActionResult<CreatedTemplate>>;
  update: (input: TemplateContent & { templateId: string }) => Promise<ActionResult<unknown>>;
}

interface TemplateContent {
  id: string;
  name: string;
  language: string;
  category: string;
  components: unknown[];
  parameter_format: ParameterFormat;
}

/** Creates or edits a message template; checked while typing, with a preview. */
export function TemplateForm({
  connectionId,
  senderName,
  initial,
  templateId,
  create,
  update,
}: TemplateFormProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<TemplateDraft>(initial ?? EMPTY_DRAFT);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const components = toComponents(draft);
  const { name, language, category } = draft;
  const parameter_format = formatOf(draft);
  const isFixed = templateId !== undefined;
  // Unchanged values are valid.
  const problems = validateTemplate({ name, language, category, components, parameter_format }).filter(
    ({ path }) => !isFixed || path.startsWith('components'),
  );
  const change: Change = (part) => {
    setDraft({ ...draft, ...part });
    const changed = (Object.keys(part) as (keyof TemplateDraft)[]).filter((key) => part[key] !== draft[key]);
    setTouched(new Set([...touched, ...changed]));
  };
  const isTouched = (place: string): boolean => isAsked || touched.has(fieldOf(place, draft.otp !== null));
  const problemOf: ProblemOf = (place) => (isTouched(place) ? problemAt(draft, problems, place) : undefined);
  const part = { draft, change, problemOf };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problems.length > 0) {
      flushSync(() => setAsked(true));
      return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
    setAsked(true);
    setBusy(true);
    const content = { id: connectionId, name, language, category, components, parameter_format };
    const result = await (templateId === undefined
      ? create(content)
      : update({ ...content, templateId }).then((done) =>
          done.ok ? { ok: true as const, data: null } : done,
        ));
    if (!result.ok) {
      setError(result.error);
      return setBusy(false);
    }
    await queryClient.invalidateQueries({ queryKey: ['message-templates', connectionId] });
    toast.success('Submitted for review.');
    const made = result.data?.category ?? category;
    const changed = new URLSearchParams({ made: name, asked: category, category: made });
    router.push(
      `/message-templates?connection=${connectionId}${made === category ? '' : `&${changed.toString()}`}`,
    );
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex min-w-0 flex-col gap-4"
      >
        {error && (
          <Callout tone="danger" title="The platform rejected the template" live>
            {error.message}
          </Callout>
        )}
        <TemplateBasics {...part} isFixed={isFixed} />
        {draft.otp ? (
          <TemplateCode {...part} otp={draft.otp} />
        ) : (
          <Card title="Message">
            <div className="flex flex-col gap-5">
              <TemplateHeader {...part} connectionId={connectionId} />
              <TemplateBody {...part} />
              <Field
                label="Footer"
                help="Optional, without placeholders."
                aside={<Count text={draft.footer} limit={TEMPLATE_LIMITS.footer} />}
                error={problemOf('FOOTER.text')}
              >
                <Input value={draft.footer} onChange={({ target }) => change({ footer: target.value })} />
              </Field>
              <TemplateButtons {...part} />
            </div>
          </Card>
        )}
        {isAsked && problems.length > 0 && (
          <Callout tone="warning" live>
            {problems.length === 1 ? 'One field needs' : 'Some fields need'} to be fixed. See the messages
            below.
          </Callout>
        )}
        <div>
          <Button type="submit" variant="primary" loading={busy}>
            Submit for review
          </Button>
        </div>
      </form>
      <div className="lg:sticky lg:top-6">
        <PhonePreview message={previewTemplate(components)} senderName={senderName} />
      </div>
    </div>
  );
}

const CATEGORY_HELP: Record<string, string> = {
  MARKETING: 'Offers, news, invitations',
  UTILITY: 'Updates customers expect: orders, appointments',
  AUTHENTICATION: 'Sign-in codes; the platform writes the text',
};

/** Name, category and language. @param isFixed for an existing template: they cannot change */
const TemplateBasics = ({ draft, change, problemOf, isFixed }: PartProps & { isFixed: boolean }) => (
  <Card title="Details">
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Name"
        help="Lowercase letters and underscores."
        error={problemOf('name')}
        className="sm:col-span-2"
      >
        <Input
          value={draft.name}
          placeholder="e.g. order_update"
          maxLength={TEMPLATE_LIMITS.name}
          autoCapitalize="none"
          disabled={isFixed}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label="Category" error={problemOf('category')}>
        <Select
          value={draft.category}
          disabled={isFixed}
          onValueChange={(category) =>
            change({ category, otp: category === 'AUTHENTICATION' ? (draft.otp ?? EMPTY_OTP) : null })
          }
          options={CATEGORIES.map((value) => ({
            value,
            label: codeTitle(value),
            description: CATEGORY_HELP[value],
          }))}
        />
      </Field>
      <Field label="Language" help="A code such as en_US or de." error={problemOf('language')}>
        <Input
          value={draft.language}
          disabled={isFixed}
          onChange={({ target }) => change({ language: target.value })}
        />
      </Field>
    </div>
  </Card>
);
