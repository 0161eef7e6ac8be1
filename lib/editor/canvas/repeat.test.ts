import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { describeForGraph, exitsOf } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { type CanvasDocument, findTask, toGraph } from './document.ts';
import { findRepeatOffer, repeat } from './repeat.ts';
import { drawing, task } from './testing/test-documents.ts';

const ask = (id: number, settings: Record<string, unknown> = {}) =>
  task(id, 'ask_and_wait', {
    settings: {
      answer_by: 'buttons',
      buttons: [{ title: 'Yes' }, { title: 'Later' }],
      question: 'When?',
      ...settings,
    },
  });

const problemsOf = (document: CanvasDocument) =>
  validateGraph(toGraph(document), ({ type, settings }) => describeForGraph(findTaskKind(type), settings));

/** Repeats what is offered for an edge, as task 90. */
function repeated(document: CanvasDocument, edge: WorkflowEdge): CanvasDocument {
  const offer = findRepeatOffer(document, edge);
  if (!offer) throw new Error('Nothing is offered.');
  return repeat(document, 90, offer);
}

const edgesOf = ({ edges }: CanvasDocument) =>
  edges.map(({ from, to, branch }) => `${from}${branch === undefined ? '' : `:${branch}`}>${to}`).toSorted();

describe('an edge back', () => {
  test('along a straight way: a loop around the tasks between, and what follows comes after it', () => {
    const straight = drawing(
      [
        task(1, 'inbound_webhook'),
        task(2, 'set_variables'),
        task(3, 'http_request'),
        task(4, 'if_condition'),
        task(5, 'delay'),
      ],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 3, to: 4 },
        { from: 4, to: 5, branch: 'true' },
      ],
    );
    const next = repeated(straight, { from: 4, to: 2, branch: 'false' });
    expect(edgesOf(next)).toEqual(['1>90', '2>3', '3>4', '90:done>5', '90:each>2']);
    const until = [{ left: '{{task_4_result}}', operator: 'not_equals', right: false }];
    expect(findTask(next, 90)).toMatchObject({
      type: 'loop',
      name: 'Loop',
      settings: { repeat: 'until', until },
    });
    expect(problemsOf(next)).toEqual([]);
  });

  test('where what follows reads what is repeated, or a pass may end elsewhere: it is repeated, too', () => {
    const asks = drawing(
      [
        task(1, 'inbound_webhook'),
        ask(2),
        task(3, 'if_condition'),
        task(4, 'set_variables'),
        task(5, 'delay'),
      ],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'choice_1' },
        { from: 2, to: 5, branch: 'no_answer' },
        { from: 3, to: 4, branch: 'true' },
      ],
    );
    const next = repeated(asks, { from: 3, to: 2, branch: 'false' });
    expect(edgesOf(next)).toEqual(['1>90', '2:choice_1>3', '2:no_answer>5', '3:true>4', '90:each>2']);
    expect(problemsOf(next)).toEqual([]);
  });

  test('from an exit of a button: until another one is tapped; from a plain exit the condition is left to fill in', () => {
    const chain = drawing(
      [task(1, 'inbound_webhook'), task(2, 'delay'), ask(3)],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
      ],
    );
    const settingsOf = (document: CanvasDocument) => findTask(document, 90)?.settings['until'];
    expect(settingsOf(repeated(chain, { from: 3, to: 2, branch: 'choice_2' }))).toEqual([
      { left: '{{task_3_choice}}', operator: 'not_equals', right: 'Later' },
    ]);
    expect(settingsOf(repeated(chain, { from: 2, to: 2 }))).toEqual([
      { left: '', operator: 'equals', right: '' },
    ]);
  });

  test('from a question’s other answer to itself: it asks again, with its question where there is no text yet', () => {
    const chain = drawing([task(1, 'inbound_webhook'), ask(2)], [{ from: 1, to: 2 }]);
    const next = repeated(chain, { from: 2, to: 2, branch: 'other' });
    expect(findTask(next, 2)?.settings).toMatchObject({ retry_text: 'When?', buttons: [{}, {}] });
    expect({ tasks: next.tasks.length, edges: next.edges }).toEqual({ tasks: 2, edges: chain.edges });
    const has = drawing([task(1, 'inbound_webhook'), ask(2, { retry_text: 'Sorry?' })], [{ from: 1, to: 2 }]);
    expect(findTask(repeated(has, { from: 2, to: 2, branch: 'other' }), 2)?.settings['retry_text']).toBe(
      'Sorry?',
    );
    // Its other exits are repeated by a loop.
    expect(findRepeatOffer(chain, { from: 2, to: 2, branch: 'choice_1' })?.kind).toBe('around');
  });

  test('nothing is offered to the trigger, out of a loop, or into the middle of what another branch enters', () => {
    const loops = drawing(
      [
        task(1, 'inbound_webhook'),
        task(2, 'delay'),
        task(3, 'loop'),
        task(4, 'delay'),
        task(5, 'if_condition'),
      ],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 3, to: 4, branch: 'each' },
        { from: 3, to: 5, branch: 'done' },
      ],
    );
    expect(findRepeatOffer(loops, { from: 5, to: 1, branch: 'true' })).toBeUndefined();
    expect(findRepeatOffer(loops, { from: 4, to: 2 })).toBeUndefined();
    expect(findRepeatOffer(loops, { from: 4, to: 3 })).toBeUndefined();
    expect(findRepeatOffer(loops, { from: 3, to: 2, branch: 'each' })).toBeUndefined();
    expect(findRepeatOffer(loops, { from: 2, to: 4 })).toBeUndefined();
    expect(problemsOf(repeated(loops, { from: 5, to: 2, branch: 'true' }))).toEqual([]);
    const joined = drawing(
      [task(1, 'inbound_webhook'), task(2, 'delay'), task(3, 'delay'), task(4, 'delay')],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 1, to: 4 },
        { from: 4, to: 3 },
      ],
    );
    expect(findRepeatOffer(joined, { from: 3, to: 2 })).toBeUndefined();
  });

  test('whatever the workflow: what is offered for it gives a valid one, in which nothing is lost', () => {
    const types = ['delay', 'if_condition', 'ask_and_wait', 'set_variables', 'loop'];
    const plan = fc.array(
      fc.record({
        type: fc.constantFrom(...types),
        parent: fc.nat(20),
        exit: fc.nat(20),
        also: fc.option(fc.nat(20)),
      }),
      { minLength: 1, maxLength: 9 },
    );
    let offered = 0;
    fc.assert(
      fc.property(plan, fc.nat(20), fc.nat(20), fc.nat(20), (made, start, end, exit) => {
        const tasks: WorkflowTask[] = [task(1, 'inbound_webhook')];
        const edges: WorkflowEdge[] = [];
        for (const { type, parent, exit: out, also } of made) {
          const id = tasks.length + 1;
          for (const each of also === null ? [parent] : [parent, also]) {
            const from = tasks[each % tasks.length];
            const exits = from ? exitsOf(from) : [];
            const branch = exits[out % exits.length]?.branch;
            if (from)
              edges.push(
                branch === undefined ? { from: from.id, to: id } : { from: from.id, to: id, branch },
              );
          }
          tasks.push(type === 'ask_and_wait' ? ask(id) : task(id, type));
        }
        const before = drawing(tasks, [
          ...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values(),
        ]);
        fc.pre(problemsOf(before).length === 0);
        const from = tasks[end % tasks.length];
        const to = tasks[start % tasks.length];
        if (!from || !to) return;
        const exits = exitsOf(from);
        const branch = exits[exit % exits.length]?.branch;
        const offer = findRepeatOffer(before, { from: from.id, to: to.id, branch });
        if (!offer) return;
        offered += 1;
        const after = repeat(before, 90, offer);
        expect(problemsOf(after)).toEqual([]);
        if (offer.kind === 'itself') return;
        const { nodes } = compileGraph(toGraph(after));
        expect(nodes.size).toBe(tasks.length + 1);
        for (const id of offer.inside) expect(nodes.get(id)?.loops).toContain(90);
        expect(after.tasks.filter(({ id }) => id !== 90).map(({ settings }) => settings)).toEqual(
          before.tasks.map(({ settings }) => settings),
        );
      }),
      { numRuns: 1000 },
    );
    expect(offered).toBeGreaterThan(50);
  });
});
