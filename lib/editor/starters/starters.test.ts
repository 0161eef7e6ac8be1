import { describe, expect, test } from 'vitest';
import { exampleBody, listWantedValues } from '#lib/editor/canvas/example-body.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { quickRepliesOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { describeForGraph } from '#lib/tasks/exits.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { newWorkflowSchema } from '#lib/workflows/schema.ts';
import { ACCOUNTS } from '../../../sandbox/data/businesses.ts';
import { seedTemplates } from '../../../sandbox/data/templates.ts';
import { fitTemplate } from '../../../sandbox/graph/fit-template.ts';
import { findStarter, STARTERS } from './starters.ts';

test('ids are unique and found again', () => {
  expect(new Set(STARTERS.map(({ id }) => id)).size).toBe(STARTERS.length);
  for (const starter of STARTERS) expect(findStarter(starter.id)).toBe(starter);
});

describe.each(STARTERS.map((starter) => [starter.id, starter] as const))(
  '%s',
  (_id, { name, graph, sample, otherSamples = [] }) => {
    const samples = [sample, ...otherSamples];

    test('is a workflow that the API would take (docs/api.md)', () => {
      expect(newWorkflowSchema.safeParse({ name, ...graph }).error).toBeUndefined();
    });

    test('its graph has no problem', () => {
      expect(
        validateGraph(graph, ({ type, settings }) => describeForGraph(findTaskDefinition(type), settings)),
      ).toEqual([]);
    });

    test('its settings can be saved as a draft, and lack nothing but account and number', () => {
      for (const task of graph.tasks) {
        const definition = findTaskDefinition(task.type);
        if (!definition) throw new Error(`There is no task type "${task.type}".`);
        expect(checkSettings(definition, task.settings, 'draft').problems).toEqual([]);
        const missing = checkSettings(definition, task.settings, 'publish').problems.map(({ path }) => path);
        const chosenByUser = ['app_connection_id', 'business_account_id', 'phone_number_id'];
        expect(missing.filter((path) => !chosenByUser.includes(path.replace('settings.', '')))).toEqual([]);
      }
    });

    test('every account of the sandbox has the message templates it names, and takes its parameters', () => {
      const sends = graph.tasks.flatMap(({ settings }) =>
        settings['template_name'] === undefined ? [] : [settings],
      );
      for (const { template_name, template_language, template_parameters, quick_replies } of sends) {
        const found = seedTemplates(0).filter(
          (template) =>
            template.name === template_name &&
            template.language === template_language &&
            template.status === 'APPROVED',
        );
        expect(found.map(({ accountId }) => accountId)).toEqual(ACCOUNTS.map(({ id }) => id));
        const parameters = (template_parameters as string[]).map((text) => ({ type: 'text' as const, text }));
        const send = {
          name: template_name as string,
          language: { code: template_language as string },
          components: [{ type: 'body' as const, parameters }],
        };
        for (const template of found) {
          expect(fitTemplate(template, send).text).not.toMatch(/\{\{\d+\}\}/);
          if (quick_replies) expect(quickRepliesOf(template.components)).toEqual(quick_replies);
        }
      }
    });

    test('the example request of its trigger takes the way of its sample through the first condition', () => {
      const body = exampleBody(graph) ?? {};
      for (const [variable, value] of listWantedValues(graph.tasks)) {
        const field = /^task_1_(.+)$/.exec(variable)?.[1];
        if (field === undefined) continue;
        expect(body[field]).toBe(value);
        expect(samples.map((each) => each[field])).toContain(value);
      }
    });

    test('every variable of the trigger is in the sample payload', () => {
      const text = JSON.stringify(graph.tasks.map(({ settings }) => settings));
      const flat = samples.flatMap((each) => flatNames(each));
      for (const [, field = ''] of text.matchAll(/\{\{task_1_([a-z0-9_]+)\}\}/g))
        expect(flat).toContain(field);
    });
  },
);

/** Names as the spec flattens them. */
function flatNames(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [prefix];
  const names = Object.entries(value).flatMap(([key, item]) =>
    flatNames(item, prefix ? `${prefix}_${key}` : key),
  );
  return prefix ? [prefix, ...names] : names;
}
