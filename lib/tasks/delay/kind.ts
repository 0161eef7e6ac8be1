import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Waits, however often the process starts again until then (docs/engine.md). */
export const delayKind = {
  type: 'delay',
  name: 'Delay',
  summary: 'Waits for a duration or until a date and time.',
  category: 'logic',
  icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 6v6l4 2',
  isTrigger: false,
  branches: [],
  isWait: true,
  waits: true,
  keywords: ['wait', 'sleep', 'pause', 'timer', 'schedule', 'later', 'until'],
  describe: ({ mode, amount, unit, until }) => {
    if (mode === 'until') return settingWords(until) && `until ${settingWords(until)}`;
    const [count, units] = [settingWords(amount), settingWords(unit) || 'minutes'];
    return count && `${count} ${count === '1' ? units.replace(/s$/, '') : units}`;
  },
} as const satisfies TaskKind;
