import type { JsonValue } from '#lib/core/json/value.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { type DurationUnit, readDuration } from './durations.ts';
import { evaluateSetting } from './evaluate-setting.ts';

/** A duration of the settings in milliseconds. @throws TaskError `invalid_duration`, `invalid_text` */
export function evaluateDuration(setting: JsonValue, unit: DurationUnit, scope: VariableScope): number {
  const { value, problem } = readDuration(evaluateSetting(setting, scope), unit);
  if (problem !== undefined) throw new TaskError('invalid_duration', problem);
  return value;
}
