import * as z from 'zod';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskDefinition } from './registry.ts';
import { hasVariables } from './setting-values.ts';
import type { FieldMeta, PickSource } from './task-definition.ts';

export interface PickedValue {
  field: string;
  value: string;
}

/** What a task picks as it is set now, where that is the same for every run. */
export interface Picks {
  connection: PickedValue | undefined;
  businessAccount: PickedValue | undefined;
  phoneNumber: PickedValue | undefined;
  /** `language` undefined: only known when it runs. */
  templates: (PickedValue & { language: string | undefined })[];
}

type Task = Pick<WorkflowTask, 'type' | 'settings'>;

/** Reads a task's picks; fields that its other settings hide count for nothing. */
export function readPicks(task: Task): Picks {
  const picked = listShownPicks(task);
  const find = (source: PickSource): PickedValue | undefined => {
    const found = picked.find(({ from }) => from === source);
    return found && { field: found.field, value: found.value };
  };
  return {
    connection: find('connection'),
    businessAccount: find('business_account'),
    phoneNumber: find('phone_number'),
    templates: picked
      .filter(({ from }) => from === 'message_template')
      .map(({ field, value }) => ({ field, value, language: languageOf(task, field) })),
  };
}

/** The fields that a task shows now and that are picked from a source, whether something is picked or not. */
export function listShownPickFields(task: Task): { field: string; from: PickSource; isOptional: boolean }[] {
  const shape = shapeOf(task);
  return Object.keys(shape).flatMap((field) => {
    const { picks, visibleWhen } = metaOf(shape[field]);
    if (!picks || !matches(task, visibleWhen) || (picks.unless && matches(task, picks.unless))) return [];
    return [{ field, from: picks.from, isOptional: picks.isOptional === true }];
  });
}

const listShownPicks = (task: Task): (PickedValue & { from: PickSource })[] =>
  listShownPickFields(task).flatMap(({ field, from }) => {
    const value = task.settings[field];
    const isKnown = typeof value === 'string' && value.trim() !== '' && !hasVariables(value);
    return isKnown ? [{ field, value: value.trim(), from }] : [];
  });

function languageOf(task: Task, templateField: string): string | undefined {
  const shape = shapeOf(task);
  const name = Object.keys(shape).find((each) => metaOf(shape[each]).languageOf === templateField);
  const language = name === undefined ? undefined : valueOf(task, name);
  return typeof language === 'string' && !hasVariables(language) ? language.trim() : undefined;
}

const shapeOf = ({ type }: Task): Readonly<Record<string, z.core.$ZodType | undefined>> =>
  findTaskDefinition(type)?.settings.shape ?? {};

const metaOf = (schema: z.core.$ZodType | undefined): FieldMeta =>
  (schema && z.globalRegistry.get(schema)) ?? {};

const matches = (
  task: Task,
  condition: { field: string; is: readonly (string | boolean)[] } | undefined,
): boolean => !condition || condition.is.some((each) => each === valueOf(task, condition.field));

/** A setting, or its default. */
function valueOf(task: Task, name: string): unknown {
  const schema = shapeOf(task)[name];
  return task.settings[name] ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);
}
