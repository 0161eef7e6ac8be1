import { describe, expect, it } from 'vitest';
import { checkSettings, loadFurtherChecks } from './check-settings.ts';
import { findTaskDefinition, TASK_DEFINITIONS } from './registry.ts';
import type { TaskDefinition } from './task-definition.ts';

function definitionOf(type: string): TaskDefinition {
  const definition = findTaskDefinition(type);
  if (!definition) throw new Error(type);
  return definition;
}

const matches = { conditions: [{ operator: 'matches' }] };
const furtherChecks = await loadFurtherChecks([{ type: 'if_condition', settings: matches }]);

const problemsOf = (type: string, settings: unknown, mode: 'draft' | 'publish') =>
  checkSettings(definitionOf(type), settings, mode, furtherChecks).problems;

describe('settings of a draft', () => {
  it.each([...TASK_DEFINITIONS.keys()])('%s may be empty', (type) => {
    expect(problemsOf(type, {}, 'draft')).toEqual([]);
  });

  it.each([
    ['inbound_webhook', { response_type: 'redirect', redirect_url: ' ' }],
    ['if_condition', { conditions: [] }],
    ['if_condition', { conditions: [{ left: '', operator: 'contains', right: '' }, {}] }],
    ['delay', { mode: 'until' }],
    ['loop', { items: '' }],
    ['set_variables', { variables: [{ name: '', value: '' }] }],
    ['http_request', { url: '', body_type: 'json', method: 'POST', query: [{ name: '' }] }],
  ])('%s %j is incomplete only', (type, settings) => {
    expect(problemsOf(type, settings, 'draft')).toEqual([]);
    expect(problemsOf(type, settings, 'publish')).not.toEqual([]);
  });

  it.each([
    ['delay', { ammount: 5 }, 'settings.ammount', 'Unknown setting: remove it.'],
    ['delay', { unit: 'weeks' }, 'settings.unit', /must be one of "seconds"/],
    ['delay', { amount: true }, 'settings.amount', 'This must be a number or a text.'],
    ['delay', { amount: '{{a' }, 'settings.amount', /^Line 1, column 1: /],
    ['delay', [], 'settings', 'This must be an object.'],
    ['loop', { items: ['x', { y: 'a\n {{#if}}' }] }, 'settings.items[1].y', /^Line 2, column 2: /],
    ['loop', { pause_seconds: -1 }, 'settings.pause_seconds', 'A pause cannot be negative.'],
    ['set_variables', { variables: [{ name: 'a b' }] }, 'settings.variables[0].name', /letters, digits/],
    ['set_variables', { variables: [{ name: 'run' }] }, 'settings.variables[0].name', /reserved/],
    [
      'set_variables',
      { variables: [{ name: 'a' }, { name: 'a' }] },
      'settings.variables[1].name',
      /used twice/,
    ],
    ['http_request', { url: 'ftp://a/b' }, 'settings.url', /https/],
    ['http_request', { headers: [{ name: 'X Y' }] }, 'settings.headers[0].name', /without spaces/],
    ['http_request', { headers: [{ name: 'Host' }] }, 'settings.headers[0].name', /set by Patchbay itself/],
    ['http_request', { headers: [{ name: 'X', value: '{{> x}}' }] }, 'settings.headers[0].value', /^Line 1/],
  ])('%s %j is certainly wrong at %s', (type, settings, path, message) => {
    const expected = {
      path,
      message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
    };
    expect(problemsOf(type, settings, 'draft')).toEqual([expected]);
  });
});

describe('settings to be published', () => {
  it('are given back with their defaults', () => {
    const { settings, problems } = checkSettings(definitionOf('delay'), { amount: 5 }, 'publish');
    expect(problems).toEqual([]);
    expect(settings).toEqual({ mode: 'for', amount: 5, unit: 'minutes', until: '' });
  });

  it('name a pattern that no run could use', () => {
    const conditions = [{ left: '{{task_1_a}}', operator: 'matches', right: '(?=x)' }];
    const message = expect.stringMatching(/"\(\?=x\)" is not valid.*lookahead/) as string;
    expect(problemsOf('if_condition', { conditions }, 'publish')).toEqual([
      { path: 'settings.conditions[0].right', message },
    ]);
  });

  it('may compare with nothing only where that has a meaning', () => {
    const publish = (operator: string) =>
      problemsOf('if_condition', { conditions: [{ left: '{{task_1_a}}', operator }] }, 'publish');
    for (const operator of ['equals', 'not_equals', 'is_empty', 'is_true'])
      expect(publish(operator)).toEqual([]);
    for (const operator of ['contains', 'matches', 'in_list', 'greater_than'])
      expect(publish(operator)).toHaveLength(1);
  });

  it.each([
    ['loop', { items: '{{task_1_a}}', count: 3 }, 'settings.count'],
    ['loop', { count: 2.5 }, 'settings.count'],
    ['delay', { amount: '-1' }, 'settings.amount'],
    ['delay', { amount: 9000, unit: 'hours' }, 'settings.amount'],
    ['delay', { mode: 'until', until: 'tomorrow' }, 'settings.until'],
    ['http_request', { url: 'https://a', body_type: 'text', body: 'x' }, 'settings.body_type'],
  ])('%s %j is refused at %s', (type, settings, path) => {
    expect(problemsOf(type, settings, 'publish').map((problem) => problem.path)).toEqual([path]);
  });
});
