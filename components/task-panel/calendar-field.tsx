'use client';
import { Braces } from 'lucide-react';
import { useState } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Link } from '#components/ui/link.tsx';
import { ModeButton } from './choice-field.tsx';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { isVariableText } from './setting-text.ts';
import { TextInsteadOfList } from './text-field.tsx';

/** No calendar has this name: theirs have no space at the end. */
const ONLY = ' ';

/** Selects a calendar of opening hours of the workspace, or uses a variable. */
export function CalendarField(props: SettingFieldProps) {
  const { canEdit } = usePanel();
  const [isText, setText] = useState(isVariableText(props.value));
  return isText ? (
    <TextInsteadOfList {...props} showList={() => setText(false)} />
  ) : (
    <CalendarList
      {...props}
      aside={
        canEdit && (
          <ModeButton
            label="Use a variable instead"
            icon={<Braces aria-hidden />}
            onClick={() => setText(true)}
          />
        )
      }
    />
  );
}

function CalendarList({ field, path, value, onChange, aside }: SettingFieldProps) {
  const { canEdit } = usePanel();
  const { calendars } = useEditorState((state) => state.time);
  const chosen = typeof value === 'string' ? value.trim() : '';
  const isGone = chosen !== '' && !calendars.includes(chosen);
  const words = useFieldWords(path, <Help text={field.description} />, {
    error: problemOf(chosen, calendars),
  });
  const names = [...(isGone ? [chosen] : []), ...calendars];
  const only = calendars.length === 1 ? `The only one: ${calendars[0]}` : 'Choose…';
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        {...words}
        error={words.error}
        aside={<span className="flex items-center gap-1">{aside}</span>}
      >
        <Select
          aria-label={field.title}
          value={chosen === '' ? ONLY : chosen}
          disabled={!canEdit}
          onValueChange={(name) => onChange(name === ONLY ? undefined : name)}
          options={[{ value: ONLY, label: only }, ...names.map((name) => ({ value: name, label: name }))]}
        />
      </Field>
      {words.error !== undefined && (
        <p className="mt-1 text-sm">
          <SettingsLink />
        </p>
      )}
    </div>
  );
}

/** Why a run could not use the calendar. */
function problemOf(chosen: string, calendars: readonly string[]): string | undefined {
  if (calendars.length === 0) return 'The workspace has no opening hours yet.';
  if (chosen === '') return calendars.length === 1 ? undefined : 'Select a calendar: there are several.';
  return calendars.includes(chosen)
    ? undefined
    : `The calendar “${chosen}” was deleted or has another name now. Select another one.`;
}

const Help = ({ text }: { text: string | undefined }) => (
  <>
    {text} <SettingsLink />
  </>
);

const SettingsLink = () => (
  <Link href="/settings/time" className="underline underline-offset-2 hover:text-ink">
    Edit opening hours
  </Link>
);
