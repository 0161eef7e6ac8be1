'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { HOLD_DEADLINES_OPTIONS, HOLD_SENDS_OPTIONS } from '#components/live/customer-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ConsentSettings } from '#lib/messaging/consent/schema.ts';
import type { ConsentPurpose, HoldDeadlines, HoldSends } from '#lib/messaging/schema/consent-types.ts';

export interface ConsentFormProps {
  saved: ConsentSettings;
  defaults: ConsentSettings;
  save: (input: ConsentSettings) => Promise<ActionResult<ConsentSettings>>;
}

const PURPOSES: readonly { value: ConsentPurpose; label: string }[] = [
  { value: 'marketing', label: 'Marketing templates' },
  { value: 'all', label: 'All messages' },
];

const toText = (words: readonly string[]): string => words.join('\n');
const readWords = (text: string): string[] =>
  text
    .split('\n')
    .map((word) => word.trim())
    .filter(Boolean);

interface Draft {
  stop: string;
  resume: string;
  purpose: ConsentPurpose;
  holds: boolean;
  hours: string;
  sends: HoldSends;
  deadlines: HoldDeadlines;
  stopConfirmation: string;
  resumeConfirmation: string;
  isLimited: boolean;
  limit: string;
  limitDays: string;
}

const DEFAULT_LIMIT = { messages: 4, days: 7 };

const toDraft = (settings: ConsentSettings): Draft => ({
  stop: toText(settings.stop_words),
  resume: toText(settings.resume_words),
  purpose: settings.purpose,
  holds: settings.holds_on_echoes,
  hours: String(settings.echo_hold_hours),
  sends: settings.hold_sends,
  deadlines: settings.hold_deadlines,
  stopConfirmation: settings.stop_confirmation,
  resumeConfirmation: settings.resume_confirmation,
  isLimited: settings.marketing_limit !== null,
  limit: String((settings.marketing_limit ?? DEFAULT_LIMIT).messages),
  limitDays: String((settings.marketing_limit ?? DEFAULT_LIMIT).days),
});

const isWhole = (text: string): boolean => /^\d+$/.test(text.trim());

/** Of the numbers; the server checks how large they are. */
const findProblems = ({ hours, isLimited, limit, limitDays }: Draft): Record<string, string> => ({
  ...(isWhole(hours) ? {} : { echo_hold_hours: 'Enter a whole number of hours.' }),
  ...(!isLimited || isWhole(limit)
    ? {}
    : { 'marketing_limit.messages': 'Enter a whole number of messages.' }),
  ...(!isLimited || isWhole(limitDays) ? {} : { 'marketing_limit.days': 'Enter a whole number of days.' }),
});

/** The words with which customers stop messages and allow them again, and what puts customers on hold. */
export function ConsentForm({ saved, defaults, save }: ConsentFormProps) {
  const [draft, setDraft] = useState(() => toDraft(saved));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [busy, startTransition] = useTransition();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = findProblems(draft);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return;
    startTransition(async () => {
      const result = await save({
        stop_words: readWords(draft.stop),
        resume_words: readWords(draft.resume),
        purpose: draft.purpose,
        holds_on_echoes: draft.holds,
        echo_hold_hours: Number(draft.hours),
        hold_sends: draft.sends,
        hold_deadlines: draft.deadlines,
        stop_confirmation: draft.stopConfirmation,
        resume_confirmation: draft.resumeConfirmation,
        marketing_limit: draft.isLimited
          ? { messages: Number(draft.limit), days: Number(draft.limitDays) }
          : null,
      });
      if (result.ok) return void toast.success('Consent settings saved');
      const { message, problems: found } = result.error;
      // A problem of one word is shown at its list.
      setProblems(Object.fromEntries(found.map((each) => [each.path.replace(/\[.*$/, ''), each.message])));
      if (found.length === 0) toast.error(message);
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title="Consent"
        description="When a customer’s whole message is one of these words, Patchbay records it as their wish. After a stop, it sends them no more messages of that kind."
        footer={
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" loading={busy}>
              Save
            </Button>
            <Button
              onClick={() =>
                change({ stop: toText(defaults.stop_words), resume: toText(defaults.resume_words) })
              }
            >
              Fill in the default words
            </Button>
          </div>
        }
      >
        <div className="flex flex-col gap-5">
          <Field
            label="Words that stop messages"
            help="One a line. Upper and lower case, spaces and punctuation around the word don’t matter."
            error={problems['stop_words']}
          >
            <Textarea rows={8} value={draft.stop} onChange={({ target }) => change({ stop: target.value })} />
          </Field>
          <Field
            label="Confirmation after a stop"
            help="For example “You will get no more offers. Reply START to get them again.” Sent once, when the customer’s message changes what they get, but not during a hold. Leave it empty to send nothing."
            error={problems['stop_confirmation']}
          >
            <Textarea
              rows={2}
              value={draft.stopConfirmation}
              onChange={({ target }) => change({ stopConfirmation: target.value })}
            />
          </Field>
          <Field
            label="Words that allow them again"
            help="One a line. A word in both lists stops messages."
            error={problems['resume_words']}
          >
            <Textarea
              rows={6}
              value={draft.resume}
              onChange={({ target }) => change({ resume: target.value })}
            />
          </Field>
          <Field
            label="Confirmation after they are allowed again"
            help="For example “You get our offers again. Reply STOP to end them.”"
            error={problems['resume_confirmation']}
          >
            <Textarea
              rows={2}
              value={draft.resumeConfirmation}
              onChange={({ target }) => change({ resumeConfirmation: target.value })}
            />
          </Field>
          <Field
            label="What these words stop"
            help="Marketing templates are those whose category is MARKETING. All messages includes answers to the customer."
          >
            <Select
              options={PURPOSES}
              value={draft.purpose}
              onValueChange={(purpose) => change({ purpose })}
            />
          </Field>
          <div className="flex flex-col gap-3">
            <Checkbox
              label="Limit how many marketing templates a customer gets"
              checked={draft.isLimited}
              onCheckedChange={(isLimited) => change({ isLimited })}
            />
            {draft.isLimited && (
              <>
                <div className="flex flex-wrap gap-x-6 gap-y-4">
                  <Field label="Maximum number of messages" error={problems['marketing_limit.messages']}>
                    <Input
                      inputMode="numeric"
                      value={draft.limit}
                      onChange={({ target }) => change({ limit: target.value })}
                      className="w-28!"
                    />
                  </Field>
                  <Field label="Number of days" error={problems['marketing_limit.days']}>
                    <Input
                      inputMode="numeric"
                      value={draft.limitDays}
                      onChange={({ target }) => change({ limitDays: target.value })}
                      className="w-28!"
                    />
                  </Field>
                </div>
                <p className="text-sm text-muted">
                  Over all workflows and numbers, from when you switch it on. A further one isn’t sent, as
                  after a stop. Messages that fail don’t count.
                </p>
              </>
            )}
          </div>
          <Field
            label="When a workflow sends to a customer on hold"
            help="Holds that are already set stay as they are."
          >
            <Select
              options={HOLD_SENDS_OPTIONS}
              value={draft.sends}
              onValueChange={(sends) => change({ sends })}
            />
          </Field>
          <Field label="Time limits of questions during a hold" help="For runs that wait for an answer.">
            <Select
              options={HOLD_DEADLINES_OPTIONS}
              value={draft.deadlines}
              onValueChange={(deadlines) => change({ deadlines })}
            />
          </Field>
          <div className="flex flex-col gap-3">
            <Checkbox
              label="Put customers on hold when staff write to them in the phone app"
              checked={draft.holds}
              onCheckedChange={(holds) => change({ holds })}
            />
            {draft.holds && (
              <Field
                label="Hours on hold after the last message of staff"
                help="During this time, workflows don’t send to the customer."
                error={problems['echo_hold_hours']}
              >
                <Input
                  inputMode="numeric"
                  value={draft.hours}
                  onChange={({ target }) => change({ hours: target.value })}
                  className="w-28!"
                />
              </Field>
            )}
          </div>
        </div>
      </Card>
    </form>
  );
}
