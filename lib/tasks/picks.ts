import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type {
  AccountFacts,
  ConnectionFacts,
  PlatformFacts,
  TemplateFacts,
} from '#lib/messaging/schema/fact-types.ts';
import { isRegistrable, SILENT_NUMBERS, statusWords } from '#lib/messaging/schema/number-words.ts';
import { findSharedMessages } from '#lib/messaging/schema/shared-messages.ts';
import { findTaskKind } from './kinds.ts';
import { findTaskDefinition } from './registry.ts';
import { hasVariables } from './setting-values.ts';
import type { FieldMeta, PickSource } from './task-definition.ts';

interface PickedValue {
  field: string;
  value: string;
}

/** The picks of a task with its current settings, where they are the same in every run. */
interface Picks {
  connection: PickedValue | undefined;
  businessAccount: PickedValue | undefined;
  phoneNumber: PickedValue | undefined;
  /** `language` undefined: only known when it runs. */
  templates: (PickedValue & { language: string | undefined })[];
}

type Task = Pick<WorkflowTask, 'type' | 'settings'>;

/** Reads a task's picks; hidden fields are ignored. */
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

/** The visible fields of a task that are picked from a source, with or without a value. */
export function listShownPickFields(task: Task): { field: string; from: PickSource; isOptional: boolean }[] {
  const shape = shapeOf(task);
  return Object.keys(shape).flatMap((field) => {
    const { picks, visibleWhen } = metaOf(shape[field]);
    if (!picks || !matches(task, visibleWhen) || (picks.unless && matches(task, picks.unless))) return [];
    return [{ field, from: picks.from, isOptional: picks.isOptional === true }];
  });
}

/** Whether a form shows a field: its setting counts. */
export const isShownField = (task: Task, field: string): boolean =>
  matches(task, metaOf(shapeOf(task)[field]).visibleWhen);

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

/** A setting of a task that is picked from a list. */
export interface PickedSetting {
  name: string;
  from: PickSource;
  value: unknown;
}

/** The settings of a task that its type picks from lists, with or without a value. */
export function listPicked({ type, settings }: Pick<WorkflowTask, 'type' | 'settings'>): PickedSetting[] {
  const shape = findTaskDefinition(type)?.settings.shape ?? {};
  return Object.entries(shape).flatMap(([name, schema]) => {
    const picks = z.globalRegistry.get(schema)?.picks;
    return picks ? [{ name, from: picks.from, value: settings[name] }] : [];
  });
}

/** Ids of the connections that a task names; variables are ignored. */
export const listConnectionIds = (task: Pick<WorkflowTask, 'type' | 'settings'>): string[] =>
  listPicked(task).flatMap(({ from, value }) =>
    from === 'connection' && typeof value === 'string' && value !== '' ? [value] : [],
  );

// Problems of a task's connection, account, number and message templates, according to the platform's data (docs/messaging.md).
// Unknown values, and those that are only known in a run, count as valid.

const APPROVED = 'APPROVED';

/** Problems of one task; paths start with `settings`. */
export function checkPicks(task: Task, facts: PlatformFacts): Problem[] {
  const picks = readPicks(task);
  if (!picks.connection) return [];
  const connection = facts[picks.connection.value];
  if (connection === undefined) return [];
  const broken = findConnectionProblem(connection);
  if (connection === null || broken !== undefined) return [at(picks.connection, broken ?? '')];
  const account = findAccount(connection, picks);
  if (!account) return [];
  if (account.problem !== null) {
    const message = `“${connection.name}” cannot access the business account ${account.id}. Select another one, or request the Admin or Editor role on it and reconnect.`;
    return [at(picks.businessAccount ?? picks.connection, message)];
  }
  const found = new Map<string, TemplateFacts>();
  const problems = picks.phoneNumber ? checkNumber(picks.phoneNumber, account) : [];
  for (const { language, ...template } of picks.templates) {
    const result = findTemplate(template, language, account);
    if (typeof result === 'string') problems.push(at(template, result));
    else if (result) found.set(template.field, result);
  }
  const filled = findTaskDefinition(task.type)?.templateProblems?.(task.settings, (field) =>
    found.get(field),
  );
  return [...problems, ...(filled ?? []).map(({ path, message }) => ({ path: `settings.${path}`, message }))];
}

/** Without a selected account, that of the number counts, else the connection's own. */
function findAccount(
  { accountId, accounts }: ConnectionFacts,
  { businessAccount, phoneNumber }: Picks,
): AccountFacts | undefined {
  const ofNumber = accounts.find(({ phones }) => phones.some(({ id }) => id === phoneNumber?.value));
  const id = businessAccount ? businessAccount.value : (ofNumber?.id ?? accountId);
  return accounts.find((account) => account.id === id);
}

const at = ({ field }: PickedValue, message: string): Problem => ({ path: `settings.${field}`, message });

function findConnectionProblem(connection: ConnectionFacts | null): string | undefined {
  if (!connection) return 'This connection was deleted. Select another one, or connect the account again.';
  const { name, problem } = connection;
  if (problem === null) return undefined;
  return `The connection “${name}” needs reconnecting. ${problem}`;
}

function checkNumber(picked: PickedValue, { phones }: AccountFacts): Problem[] {
  const phone = phones.find(({ id }) => id === picked.value);
  if (!phone)
    return [at(picked, 'The business account no longer has this phone number. Select another one.')];
  if (phone.status === null || !SILENT_NUMBERS.includes(phone.status)) return [];
  return [
    at(
      picked,
      `The number ${phone.label} cannot send: it is ${statusWords(phone.status)}. ${
        isRegistrable(phone.status)
          ? 'Register it on the page of its connection, or select another one.'
          : 'Select another one.'
      }`,
    ),
  ];
}

/** The template that would be sent, or a text with the reason why none is; undefined: unknown. */
function findTemplate(
  { value: name }: PickedValue,
  language: string | undefined,
  { templates, narrowedTo }: AccountFacts,
): TemplateFacts | string | undefined {
  if (narrowedTo && !narrowedTo.includes(name)) return undefined;
  const named = templates.filter((template) => template.name === name);
  if (named.length === 0)
    return `The business account has no message template “${name}”. Names are case-sensitive: select another one, or create it.`;
  if (language === undefined) return undefined;
  const template = named.find((each) => each.language === language);
  if (!template) {
    const languages = [...new Set(named.map((each) => each.language))].sort().join(', ');
    return `The message template “${name}” does not exist in ${language}. Select its language: ${languages}.`;
  }
  if (template.status === APPROVED) return template;
  const state = template.status.toLowerCase().replaceAll('_', ' ');
  return `The message template “${name}” (${language}) is ${state}: only approved ones can be sent. ${
    template.status === 'PENDING' ? 'Wait for its review, or select another one.' : 'Select another one.'
  }`;
}

/**
 * Other workflows that the messages start which start this one: a customer gets the messages of both.
 * @returns paths start with `settings`
 */
export function listSharedStarts({ type, settings }: Task, facts: PlatformFacts): Problem[] {
  const start = findTaskKind(type)?.messageStart?.(settings);
  if (!start) return [];
  return (facts[start.connectionId]?.starts ?? []).flatMap(({ name, filter }) => {
    const shared = findSharedMessages(start, filter);
    if (!shared) return [];
    const words = shared.map((word) => `“${word}”`).join(', ');
    const messages = shared.length > 0 ? `messages with ${words}` : 'the same messages';
    return [
      {
        path: 'settings.words',
        message: `“${name}” also starts on ${messages}: a customer who writes one gets the messages of both workflows. Select other words, or let one of them start only on messages that start no other one.`,
      },
    ];
  });
}
