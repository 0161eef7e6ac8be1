import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCurrentGraph } from './current-shape.ts';

const settings = fc.dictionary(
  fc.constantFrom('starts_on', 'words', 'app_connection_id', 'response_body', 'order_by', 'x'),
  fc.oneof(fc.constantFrom('messages', 'request', 'message'), fc.jsonValue()),
);
const task = fc.record({
  id: fc.nat(),
  type: fc.constantFrom('inbound_webhook', 'message_trigger', 'delay', 'gone'),
  name: fc.string(),
  settings,
});
const graph = fc.record({ tasks: fc.array(task), edges: fc.constant([{ from: 1, to: 2 }]) });

test('a graph in the shape of today stays as it is', () => {
  fc.assert(
    fc.property(graph, (older) => {
      const current = toCurrentGraph(older);
      expect(toCurrentGraph(current)).toBe(current);
    }),
  );
});

test('nothing that has an effect is lost: ids, names, edges, and the settings of what starts the workflow', () => {
  fc.assert(
    fc.property(graph, (older) => {
      const current = toCurrentGraph(older);
      expect(current.edges).toEqual(older.edges);
      expect(current.tasks.map(({ id, name }) => [id, name])).toEqual(
        older.tasks.map(({ id, name }) => [id, name]),
      );
      older.tasks.forEach((was, index) => {
        const now = current.tasks[index] ?? expect.unreachable();
        const { starts_on: startsOn, ...others } = was.settings;
        if (was.type === 'inbound_webhook' && startsOn === 'messages')
          expect(now).toEqual({ ...was, type: 'message_trigger', settings: others });
        else if (was.type === 'inbound_webhook' && (startsOn === undefined || startsOn === 'request')) {
          const { words: _, app_connection_id: __, ...ofRequests } = others;
          expect(now).toEqual({ ...was, settings: ofRequests });
        } else expect(now).toBe(was);
      });
    }),
  );
});
