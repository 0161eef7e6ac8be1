// What is wrong with a task's connection, account, number and message templates, as far as the platform said (docs/
// messaging.md). What it did not say, and what is only known when the task runs, counts as fine.
import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { isRegistrable, SILENT_NUMBERS, statusWords } from '#lib/messaging/schema/number-words.ts';
import type {
  AccountFacts,
  ConnectionFacts,
  PlatformFacts,
  TemplateFacts,
} from '#lib/messaging/schema/fact-types.ts';
import { type PickedValue, type Picks, readPicks } from './read-picks.ts';
import { findTaskDefinition } from './registry.ts';

const APPROVED = 'APPROVED';

type Task = Pick<WorkflowTask, 'type' | 'settings'>;

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

/** Where a task picks no account, that of its number counts, else the connection's own. */
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

/** The template that would be sent; a text says why none is; undefined: not known. */
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
