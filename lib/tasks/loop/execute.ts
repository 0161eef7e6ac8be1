import { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { testConditions } from '#lib/tasks/conditions/evaluate-condition.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { isMissing } from '#lib/tasks/setting-values.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { loop, type LoopSettings } from './definition.ts';
import { readCount, readItems } from './read-items.ts';

export const loopExecutor = executorOf(loop, {
  execute({ settings, scope }) {
    const { items, count, at_once: atOnce, pause_seconds: pauseSeconds } = settings;
    if (settings.repeat === 'until') {
      const { max_passes: count, on_item_failure: onItemFailure } = settings;
      return { kind: 'loop', items: null, count, pauseSeconds, onItemFailure, isUntil: true };
    }
    const rest = { atOnce, pauseSeconds, onItemFailure: settings.on_item_failure };
    if (!isMissing(count)) {
      const rounds = readCount(evaluateSetting(count, scope));
      if (rounds.problem !== undefined) throw new TaskError('invalid_count', rounds.problem);
      return { kind: 'loop', items: null, count: rounds.value, ...rest };
    }
    const list = readItems(evaluateItems(items, scope));
    if (list.problem !== undefined) throw new TaskError('not_a_list', list.problem);
    return { kind: 'loop', items: list.value, count: list.value.length, ...rest };
  },
  endsLoop: ({ settings: { until, until_match: match }, scope }) => testConditions(until, match, scope),
});

/** Variables inside a list written as JSON are written as JSON. */
function evaluateItems(items: LoopSettings['items'], scope: VariableScope): JsonValue | undefined {
  const isJsonText = typeof items === 'string' && items.trimStart().startsWith('[');
  return isJsonText ? renderSetting(items, scope, 'json') : evaluateSetting(items, scope);
}
