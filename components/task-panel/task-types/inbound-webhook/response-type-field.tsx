'use client';
import { ChoiceField } from '#components/task-panel/choice-field.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { ReplyTimes } from './reply-times.tsx';

/** The type of response; below it, for after-workflow responses, the waiting times. */
export function ResponseTypeField(props: SettingFieldProps) {
  const { type, settings } = usePanel().task;
  return (
    <div className="flex flex-col gap-2">
      <ChoiceField {...props} />
      {findTaskKind(type)?.answersAfterRun?.(settings) && <ReplyTimes />}
    </div>
  );
}
