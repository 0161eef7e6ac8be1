'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { toast } from '#components/ui/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import {
  CATEGORIES,
  countPlaceholders,
  TEMPLATE_LIMITS,
} from '#lib/messaging/message-templates/schema/components.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { validateTemplate } from '#lib/messaging/message-templates/schema/validate-template.ts';
import { TemplateButtons } from './template-buttons.tsx';
import { EMPTY_DRAFT, problemAt, type TemplateDraft, toComponents } from './template-draft.ts';
import { type Change, Count, type PartProps, type ProblemOf } from './template-form-parts.tsx';
import { TemplateHeader } from './template-header.tsx';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';

export interface TemplateFormProps {
  connectionId: string;
  senderName: string;
  /** Initial content, from another template. */
  initial?: TemplateDraft | undefined;
  /** The template to edit; left out: a new one. */
  templateId?: string | undefined;
  create: (input: TemplateContent) => Promise<ActionResult<unknown>>;
  update: (input: TemplateContent & { templateId: string }) => Promise<ActionResult<unknown>>;
}

interface TemplateContent {
  id: string;
  name: string;
  language: string;
  category: string;
  components: unknown[];
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
  const isFixed = templateId !== undefined;
  // Fields that cannot be changed are not checked.
  const problems = validateTemplate({ name, language, category, components }).filter(
    ({ path }) => !isFixed || path.startsWith('components'),
  );
  const change: Change = (part) => {
    setDraft({ ...draft, ...part });
    const changed = (Object.keys(part) as (keyof TemplateDraft)[]).filter((key) => part[key] !== draft[key]);
    setTouched(new Set([...touched, ...changed]));
  };
  const isTouched = (place: string): boolean => isAsked || touched.has(fieldOf(place));
  const problemOf: ProblemOf = (place) => (isTouched(place) ? problemAt(draft, problems, place) : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problems.length > 0) {
      flushSync(() => setAsked(true));
      return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
    setAsked(true);
    setBusy(true);
    const content = { id: connectionId, name, language, category, components };
    const result = await (templateId === undefined ? create(content) : update({ ...content, templateId }));
    if (!result.ok) {
      setError(result.error);
      return setBusy(false);
    }
    await queryClient.invalidateQueries({ queryKey: ['message-templates', connectionId] });
    toast.success('Submitted for review.');
    router.push(`/message-templates?connection=${connectionId}`);
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
        <Basics draft={draft} change={change} problemOf={problemOf} isFixed={isFixed} />
        <Card title="Message">
          <div className="flex flex-col gap-5">
            <TemplateHeader draft={draft} change={change} problemOf={problemOf} connectionId={connectionId} />
            <Body draft={draft} change={change} problemOf={problemOf} />
            <Field
              label="Footer"
              help="Optional, without placeholders."
              aside={<Count text={draft.footer} limit={TEMPLATE_LIMITS.footer} />}
              error={problemOf('FOOTER.text')}
            >
              <Input value={draft.footer} onChange={({ target }) => change({ footer: target.value })} />
            </Field>
            <TemplateButtons draft={draft} change={change} problemOf={problemOf} />
          </div>
        </Card>
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

/** The draft's field of a problem's path. */
function fieldOf(place: string): string {
  if (place.startsWith('BODY.example')) return 'bodyExamples';
  if (place.startsWith('BODY')) return 'body';
  if (place.startsWith('HEADER.example')) return 'headerExample';
  if (place.startsWith('HEADER')) return 'headerText';
  if (place.startsWith('FOOTER')) return 'footer';
  if (place.startsWith('BUTTONS')) return 'buttons';
  return place;
}

const CATEGORY_HELP: Record<string, string> = {
  MARKETING: 'Offers, news, invitations',
  UTILITY: 'Updates customers expect: orders, appointments',
  AUTHENTICATION: 'Sign-in codes',
};

const Basics = ({ draft, change, problemOf, isFixed }: PartProps & { isFixed: boolean }) => (
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
          onValueChange={(category) => change({ category })}
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

function Body({ draft, change, problemOf }: PartProps) {
  const count = countPlaceholders(draft.body);
  const exampleProblem = problemOf('BODY.example');
  return (
    <>
      <Field
        label="Body"
        required
        help="Use {{1}}, {{2}} … for values that change from message to message. *bold*, _italic_, ~strikethrough~."
        aside={<Count text={draft.body} limit={TEMPLATE_LIMITS.body} />}
        error={problemOf('BODY.text')}
      >
        <Textarea rows={5} value={draft.body} onChange={({ target }) => change({ body: target.value })} />
      </Field>
      <div>
        <Button
          size="sm"
          onClick={() =>
            change({ body: `${draft.body}${/\s$|^$/.test(draft.body) ? '' : ' '}{{${count + 1}}}` })
          }
        >
          Add placeholder {`{{${count + 1}}}`}
        </Button>
      </div>
      {count > 0 && (
        <fieldset className="grid gap-3 rounded-md border border-line p-4 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">Sample values for the review</legend>
          {Array.from({ length: count }, (_, index) => (
            <Field key={index} label={`{{${index + 1}}}`}>
              <Input
                value={draft.bodyExamples[index] ?? ''}
                onChange={({ target }) => {
                  const bodyExamples = Array.from(
                    { length: Math.max(count, draft.bodyExamples.length) },
                    (_each, place) => draft.bodyExamples[place] ?? '',
                  );
                  bodyExamples[index] = target.value;
                  change({ bodyExamples });
                }}
              />
            </Field>
          ))}
          {exampleProblem && (
            <p role="alert" className="text-sm text-danger sm:col-span-2">
              Enter a sample value for each placeholder.
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}
