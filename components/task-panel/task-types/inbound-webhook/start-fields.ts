// The trigger's settings that define what starts the workflow: they are above its other settings.
import { useChangeSettings } from '#components/task-panel/use-change-settings.ts';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { messageStartShape } from '#lib/tasks/inbound-webhook/message-start.ts';
import { startsOnMessages } from '#lib/tasks/inbound-webhook/read-message-start.ts';

export const START_FIELDS = Object.keys(messageStartShape);

/** What starts the workflow of the open trigger, and how to change it. */
export function useStart() {
  const { settings } = usePanel().task;
  const change = useChangeSettings();
  return {
    start: startsOnMessages(settings) ? ('messages' as const) : ('request' as const),
    setStart: (start: 'request' | 'messages') =>
      change({ starts_on: start === 'request' ? undefined : start }),
  };
}
