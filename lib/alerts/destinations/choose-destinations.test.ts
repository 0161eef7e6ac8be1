import { expect, test } from 'vitest';
import type { DestinationConfig } from '../alert-types.ts';
import { chooseDestinations, type Destination } from './load-destinations.ts';

const EMAIL: DestinationConfig = { channel: 'email', owners: true, user_ids: [], addresses: [] };
const starts = (workflowId: string): DestinationConfig => ({ channel: 'workflow', workflow_id: workflowId });
const destination = (id: string, more: Partial<Destination> = {}): Destination => ({
  id,
  name: id,
  config: EMAIL,
  kinds: ['run_failed'],
  enabled: true,
  ...more,
});
const told = (destinations: Destination[], subject: Partial<Parameters<typeof chooseDestinations>[1]> = {}) =>
  chooseDestinations(destinations, { kind: 'run_failed', workflowId: 'orders', own: null, ...subject }).map(
    ({ id }) => id,
  );

test('those are told whose kinds have it and that are enabled', () => {
  const all = [destination('a'), destination('b', { kinds: ['disk'] }), destination('c', { enabled: false })];
  expect(told(all)).toEqual(['a']);
  expect(told(all, { kind: 'disk', workflowId: null })).toEqual(['b']);
});

test('a workflow’s own choice replaces that of the workspace, but not what is switched off', () => {
  const all = [destination('a'), destination('b', { kinds: [] }), destination('c', { enabled: false })];
  expect(told(all, { own: { destination_ids: ['b', 'c'], kinds: ['run_failed'] } })).toEqual(['b']);
  expect(told(all, { own: { destination_ids: ['b'], kinds: ['silence'] } })).toEqual([]);
});

test('an alert about a workflow that alerts start never starts it, nor another one', () => {
  const all = [
    destination('mail'),
    destination('first', { config: starts('first') }),
    destination('second', { config: starts('second'), enabled: false }),
  ];
  expect(told(all, { workflowId: 'orders' })).toEqual(['mail', 'first']);
  expect(told(all, { workflowId: 'first' })).toEqual(['mail']);
  expect(told(all, { workflowId: 'second' })).toEqual(['mail']);
});
