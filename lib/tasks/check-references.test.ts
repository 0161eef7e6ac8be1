import { describe, expect, it } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import { checkReferences } from './check-references.ts';

const task = (
  id: number,
  type: string,
  settings: Record<string, unknown> = {},
  more: Partial<WorkflowTask> = {},
) => ({
  id,
  type,
  name: `Task ${id}`,
  settings,
  ...more,
});

/** 1 trigger → 2 variables → 3 loop → (each) 4 HTTP; (done) 5 reads. 1 → 6 beside them; 1 → 7 is disabled → 8 reads. */
function warningsOf(text: string, readBy = 5): string[] {
  const reads = (id: number) =>
    task(id, 'set_variables', { variables: id === readBy ? [{ name: 'a', value: text }] : [] });
  const graph = compileGraph({
    tasks: [
      task(1, 'inbound_webhook', readBy === 1 ? { response_body: text } : {}),
      task(2, 'set_variables', { variables: [{ name: 'known', value: 'x' }] }),
      task(3, 'loop', { items: '[]' }),
      task(4, 'http_request', readBy === 4 ? { url: text } : {}),
      reads(5),
      task(6, 'delay'),
      task(7, 'delay', {}, { disabled: true }),
      reads(8),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4, branch: 'each' },
      { from: 3, to: 5, branch: 'done' },
      { from: 1, to: 6 },
      { from: 1, to: 7 },
      { from: 7, to: 8 },
    ],
  });
  const problems = checkReferences(graph, readBy);
  for (const { path } of problems)
    expect(path).toMatch(/^settings\.(variables\[0\]\.value|url|response_body)$/);
  return problems.map(({ message }) => message);
}

describe('variables that nothing provides', () => {
  it.each([
    [
      '{{task_1_anything_at_all}} {{task_1.JSON.items[0]}} {{task_1.HEADERS.host}} {{task_1.WEBHOOKS[0].id}} {{task_1_run}} {{$now}} {{$date}}',
    ],
    ['{{task_2_known}} {{task_2.JSON.known}} {{task_2_known_inside}} {{task_2_run_text}}'],
    ['{{task_3_count}} {{task_3.JSON.failed_count}}'],
    ['{{#each task_2_known}}{{name}} {{this.x}}{{/each}}'],
    ['no variables, {{! only a comment }}'],
    ['{{not closed'],
  ])('%s: all is there', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  it.each([
    ['{{task_9_x}}', '{{task_9_x}}: no task has the ID 9.'],
    ['{{name}}', /no variable with this name\. .* is written \{\{task_1_name\}\}/],
    ['{{$today}}', '{{$today}}: the only built-in variables are {{$now}} and {{$date}}.'],
    ['{{task_6_until}}', '{{task_6_until}}: "Task 6" (task 6) does not come before this task.'],
    ['{{task_5_a}}', '{{task_5_a}}: a task cannot use its own output.'],
    ['{{task_4_status}}', /"Task 4" \(task 4\) is inside a loop/],
    ['{{task_2_unknown}}', '{{task_2_unknown}}: Set variables has no output "unknown": it has known.'],
    ['{{task_2.JSON.unknown}}', /Set variables has no output "unknown"/],
    ['{{task_2.known}}', '{{task_2.known}}: write .JSON after the task.'],
    ['{{task_2.HEADERS.x}}', /write \.JSON/],
    ['{{task_2.WEBHOOKS}}', /write \.JSON/],
    [
      '{{task_3_item}}',
      '{{task_3_item}}: Loop has no output "item" after the loop: it has count, failed_count.',
    ],
    ['{{task_3_count_x}}', /Loop has no output "count_x"/],
    ['{{#if task_9_x}}{{task_9_x}}{{/if}}', '{{task_9_x}}: no task has the ID 9.'],
  ])('%s is warned of', (text, message) => {
    expect(warningsOf(text)).toEqual([
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });

  it('knows what is seen inside a loop only', () => {
    expect(warningsOf('{{task_3_item}} {{task_3_item_sku}} {{task_3_index}} {{task_2_known}}', 4)).toEqual(
      [],
    );
    expect(warningsOf('{{task_3_count}}', 4)).toEqual([
      expect.stringMatching(/no output "count" inside the loop: it has item, index/),
    ]);
  });

  it('knows that a disabled task has no output', () => {
    expect(warningsOf('{{task_7_until}}', 8)).toEqual([
      expect.stringMatching(/"Task 7" \(task 7\) is disabled/),
    ]);
  });

  it("lets the trigger's answer name the body's own fields and later tasks", () => {
    expect(warningsOf('{{name}} {{task_99_x}} {{task_2_known}} {{task_3_count}}', 1)).toEqual([]);
    expect(warningsOf('{{task_2_unknown}}', 1)).toEqual([expect.stringMatching(/no output "unknown"/)]);
  });
});

describe('conditions of a loop that is repeated until they hold', () => {
  const warnings = (left: string, setting: 'until' | 'items' = 'until') => {
    const conditions = { until: [{ left, operator: 'equals', right: 'x' }] };
    const graph = compileGraph({
      tasks: [
        task(1, 'inbound_webhook'),
        task(2, 'loop', setting === 'until' ? { repeat: 'until', ...conditions } : { items: left }),
        task(3, 'http_request'),
        task(4, 'loop', { count: 2 }),
        task(5, 'http_request'),
        task(6, 'delay'),
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
        { from: 3, to: 4 },
        { from: 4, to: 5, branch: 'each' },
        { from: 2, to: 6, branch: 'done' },
      ],
    });
    return checkReferences(graph, 2).map(({ message }) => message);
  };

  it('may use what the tasks of the pass gave, and its number', () => {
    expect(
      warnings('{{task_3_status}} {{task_2_round}} {{task_2_index}} {{task_1_phone}} {{task_4_count}}'),
    ).toEqual([]);
    expect(warnings('{{task_5_status}}')).toEqual([expect.stringContaining('inside a loop')]);
    expect(warnings('{{task_6_run}}')).toEqual([expect.stringContaining('does not come before')]);
    expect(warnings('{{task_2_count}}')).toEqual([expect.stringContaining('inside the loop: it has')]);
    expect(warnings('{{task_3_status}}', 'items')).toEqual([expect.stringContaining('inside a loop')]);
    expect(warnings('{{task_2_round}}', 'items')).toEqual([expect.stringContaining('its own output')]);
  });

  it('may use the number of the pass before the loop has tasks', () => {
    const until = [{ left: '{{task_2_round}} {{task_2_count}}', operator: 'equals', right: '3' }];
    const graph = compileGraph({
      tasks: [task(1, 'inbound_webhook'), task(2, 'loop', { repeat: 'until', until })],
      edges: [{ from: 1, to: 2 }],
    });
    expect(checkReferences(graph, 2).map(({ message }) => message)).toEqual([
      expect.stringContaining('no output "count" inside the loop'),
    ]);
  });
});
