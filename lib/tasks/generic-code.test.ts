// Code for every task type names none of them: code about one type is in its own folder.
import { expect, test } from 'vitest';
import { findTaskNames, findTaskNamesIn } from './testing/find-task-names.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const GENERIC_CODE = [
  '{app,components,server}/**/*.{ts,tsx}',
  'lib/{api,editor,engine,events,runs,screens,variables,workflows}/**/*.ts',
  'lib/tasks/*.ts',
];
const TESTS_AND_TASK_TYPES = /\.test\.tsx?$|\/testing\/|^components\/task-panel\/task-types\/[^/]+\//;

const ALLOWED: { files: RegExp; names: RegExp; because: string }[] = [
  {
    files:
      /^lib\/tasks\/(kinds|registry|executors|examples|instant-tasks)\.ts$|^components\/task-panel\/task-types\/looks\.ts$/,
    names: /./,
    because: 'These are the registries.',
  },
  {
    files: /^lib\/api\/client\/schema\.ts$/,
    names: /./,
    because: 'It is generated from the definitions.',
  },
  {
    files: /^lib\/editor\/starters\//,
    names: /./,
    because: 'Starters are complete workflows.',
  },
  {
    files: /^lib\/engine\/(run-types|task-executor|transitions)\.ts$/,
    names: /^(loop|delay)$/,
    because: 'The engine knows loops and waits; any task type may ask for them (docs/engine.md).',
  },
  {
    files: /^lib\/(editor\/try-task|tasks\/with-secrets)\.ts$/,
    names: /^loop$/,
    because: 'A loop is one of the results that the engine knows.',
  },
  {
    files: /^lib\/variables\/(build-nodes|interpret|syntax)\.ts$/,
    names: /^loop$/,
    because: 'The variables of a block that repeats: @index, @first, @last.',
  },
  {
    files: /^lib\/workflows\/erasure\//,
    names: /^(phone_number_id|template_name|message_id)$/,
    because: 'Messages are stored and exported with these columns.',
  },
  {
    files: /^lib\/tasks\/conversation\.ts$/,
    names: /^message_id$/,
    because: 'It is a field of a customer’s message.',
  },
  {
    files: /^components\/ui\/form\/checkbox\.tsx$/,
    names: /^switch$/,
    because: 'It is a role of HTML.',
  },
  {
    files:
      /^app\/\(studio\)\/connections\/|^components\/(connections|customers)\/|^lib\/api\/operations\/|^server\/cli\/api\/|^lib\/screens\/(list-picker-options|customer-schema|read-customers|read-message)\.ts$/,
    names: /^(business_account_id|phone_number_id|message_kinds)$/,
    because:
      'A connection has an account, numbers and subscriptions of its own, and customers write to its numbers.',
  },
];

test('no generic code names a task type or a setting of one', () => {
  const found = findTaskNames(ROOT, GENERIC_CODE, TESTS_AND_TASK_TYPES);
  const allows = ({ files, names }: (typeof ALLOWED)[number]) =>
    found.filter(({ file, name }) => files.test(file) && names.test(name));
  const allowed = new Set(ALLOWED.flatMap(allows));
  expect(
    found.filter((each) => !allowed.has(each)).map(({ file, line, name }) => `${file}:${line} names ${name}`),
  ).toEqual([]);
  expect(ALLOWED.filter((each) => allows(each).length === 0)).toEqual([]);
});

test.each([
  [`if (task.type === 'if_condition') return;`, ['if_condition']],
  [`const STROKES = { http_request: 'blue', loop: 1 };`, ['http_request']],
  [`export const isWait = (type) => type === 'delay';`, ['delay']],
  [`const url = task.settings['url'] ?? settings.method;`, ['url', 'method']],
  [`const { conditions, rest: { url } } = task.settings ?? {};`, ['conditions']],
  [`const read = ({ settings: { items: list } }) => list;`, ['items']],
  [`const NAMES = ['media_id', 'url', 'items'];`, ['media_id']],
  [`fetch(options.url, { body: request.body_type }); // 'loop'`, ['body_type']],
  [`import { kind } from 'loop'; const each = row.count;`, []],
])('%s', (text, names) => {
  expect(findTaskNamesIn('file.ts', text).map(({ name }) => name)).toEqual(names);
});
