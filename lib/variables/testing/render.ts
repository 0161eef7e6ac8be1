// Shortcuts for tests that render a text.
import type { JsonValue } from '#lib/core/json/value.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { evaluateText, renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { createScope, type TaskView, type VariableScope } from '#lib/variables/scope.ts';

/** A scope with task 5, whose output is also the body, at a fixed time. */
export function scopeOf(output: JsonValue, view: Partial<TaskView> = {}): VariableScope {
  return createScope({
    tasks: (taskId) => (taskId === 5 ? { output, run: true, run_text: 'Done', ...view } : undefined),
    body: output,
    now: () => new Date('2026-11-20T09:15:27.412Z'),
  });
}

export function render(text: string, output: JsonValue = {}, escape: Escape = 'none'): string {
  return renderText(parseVariableText(text), scopeOf(output), escape);
}

export function evaluate(text: string, output: JsonValue = {}): JsonValue | undefined {
  return evaluateText(parseVariableText(text), scopeOf(output));
}
