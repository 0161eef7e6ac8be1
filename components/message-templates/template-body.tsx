'use client';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { bodyPlaceholders, formatOf } from './template-draft.ts';
import { Count, type PartProps } from './template-form-parts.tsx';

/** The text, and an example of each placeholder in it. */
export function TemplateBody({ draft, change, problemOf }: PartProps) {
  const placeholders = bodyPlaceholders(draft);
  const next = placeholders.length + 1;
  const exampleProblem = problemOf('BODY.example');
  const setExample = (index: number, value: string) =>
    change({
      bodyExamples: Array.from(
        { length: Math.max(placeholders.length, draft.bodyExamples.length) },
        (_each, place) => (place === index ? value : (draft.bodyExamples[place] ?? '')),
      ),
    });
  return (
    <>
      <Field
        label="Body"
        required
        help="Use {{1}}, {{2}} …, or names such as {{first_name}}, for values that change from message to message. *bold*, _italic_, ~strikethrough~."
        aside={<Count text={draft.body} limit={TEMPLATE_LIMITS.body} />}
        error={problemOf('BODY.text')}
      >
        <Textarea rows={5} value={draft.body} onChange={({ target }) => change({ body: target.value })} />
      </Field>
      {formatOf(draft) === 'POSITIONAL' && (
        <div>
          <Button
            size="sm"
            onClick={() =>
              change({ body: `${draft.body}${/\s$|^$/.test(draft.body) ? '' : ' '}{{${next}}}` })
            }
          >
            Add placeholder {`{{${next}}}`}
          </Button>
        </div>
      )}
      {placeholders.length > 0 && (
        <fieldset className="grid gap-3 rounded-md border border-line p-4 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">Sample values for the review</legend>
          {placeholders.map((placeholder, index) => (
            <Field key={index} label={`{{${placeholder}}}`}>
              <Input
                value={draft.bodyExamples[index] ?? ''}
                onChange={({ target }) => setExample(index, target.value)}
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
