// The fields of a task run: variables are replaced by their values, and invalid values fail the task with the field's name.
import { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { evaluateSetting, fillIn, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { isMissing } from '#lib/tasks/setting-values.ts';
import { evaluateText, renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { MessagingBusinessSettings } from './definition.ts';
import type { Reading } from '#lib/core/errors.ts';

const nameComponents = (): string => 'The template_components';

export class Fields<Settings extends object = MessagingBusinessSettings> {
  readonly #settings: Settings;
  readonly #scope: VariableScope;

  constructor(settings: Settings, scope: VariableScope) {
    this.#settings = settings;
    this.#scope = scope;
  }

  /** With its type where the setting is exactly one variable. */
  value(field: keyof Settings): JsonValue | undefined {
    return evaluateSetting(this.#settings[field], this.#scope);
  }

  /** Without surrounding spaces; empty when it is missing. */
  text(field: keyof Settings): string {
    return toText(this.value(field)).trim();
  }

  /** @throws TaskError `missing_field` */
  required(field: keyof Settings): string {
    const text = this.text(field);
    if (text === '')
      throw new TaskError(
        'missing_field',
        `The field ${String(field)} is empty: fill it in, or check the variable in it.`,
      );
    return text;
  }

  /** Unchanged, including spaces. @throws TaskError `missing_field` */
  message(field: keyof Settings): string {
    this.required(field);
    return toText(this.value(field));
  }

  /**
   * Elements of a list or object in the settings become texts, whatever the values of their variables are; a list or object
   * from a variable is unchanged.
   */
  parameters(field: keyof Settings): JsonValue | undefined {
    const setting: unknown = this.#settings[field];
    const fill = (each: unknown): JsonValue =>
      typeof each === 'string' ? renderSetting(each, this.#scope, 'none') : (each as JsonValue);
    if (Array.isArray(setting)) return setting.map(fill);
    if (typeof setting === 'object' && setting !== null)
      return Object.fromEntries(Object.entries(setting).map(([name, each]) => [name, fill(each)]));
    if (typeof setting !== 'string' || isMissing(setting)) return undefined;
    // `{` begins an object, `{{` a variable.
    const isJsonText = /^\s*(\[|\{(?!\{))/.test(setting);
    return isJsonText ? renderSetting(setting, this.#scope, 'json') : this.value(field);
  }

  /** Components with their variables filled in; `{{1}}`, `{{2}}` stay unchanged (docs/variables.md). */
  components(field: keyof Settings): JsonValue | undefined {
    const setting: unknown = this.#settings[field];
    if (typeof setting !== 'string') return this.#fillKeeping(setting as JsonValue | undefined);
    const isJsonText = setting.trimStart().startsWith('[');
    return fillIn(nameComponents, () => {
      const parsed = parseVariableText(setting, { keepPlaceholders: true });
      return isJsonText ? renderText(parsed, this.#scope, 'json') : evaluateText(parsed, this.#scope);
    });
  }

  #fillKeeping(value: JsonValue | undefined): JsonValue | undefined {
    if (typeof value === 'string') {
      if (!value.includes('{{')) return value;
      return fillIn(nameComponents, () =>
        renderText(parseVariableText(value, { keepPlaceholders: true }), this.#scope, 'none'),
      );
    }
    if (Array.isArray(value)) return value.map((each) => this.#fillKeeping(each) ?? null);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.#fillKeeping(each as JsonValue) ?? null]),
    );
  }
}

/** The value of a parse result. @throws TaskError with the given code */
export function accept<Value>(reading: Reading<Value>, code = 'invalid_field'): Value {
  if (reading.problem !== undefined) throw new TaskError(code, reading.problem);
  return reading.value;
}
