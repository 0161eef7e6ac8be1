// A PostgreSQL and a network for containers, and the workflow that tests call.
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createEmptyDatabase } from '#lib/testing/test-database.ts';
import { openNetwork, type ContainerNetwork } from './network.ts';

export interface ContainerWorld {
  network: ContainerNetwork;
  /** The address for containers, with the name `postgres`. */
  databaseUrl: string;
  hosts: Record<string, string>;
  /** Available after the migration. */
  db(): Database;
  /** A workflow whose runs wait a second, so that workers have to resume them. @returns its URL's path */
  insertWaitingFlow(): Promise<{ path: string; workflowId: string }>;
  close(): Promise<void>;
}

const POSTGRES_PORT = 5432;

export async function openContainerWorld(): Promise<ContainerWorld> {
  const network = openNetwork();
  const database = await createEmptyDatabase();
  const url = new URL(database.url);
  const to = { host: url.hostname, port: Number(url.port) };
  const postgres = await startFaultProxy(to, { host: network.gateway, port: POSTGRES_PORT });
  const seen = new URL(url);
  seen.hostname = 'postgres';
  seen.port = String(POSTGRES_PORT);
  let opened: Database | undefined;
  const db = (): Database =>
    (opened ??= openDatabase(database.url, { maxConnections: 2, name: 'containers' }));
  return {
    network,
    databaseUrl: seen.href,
    hosts: { postgres: network.gateway },
    db,
    async insertWaitingFlow() {
      const { token, workflowId } = await insertWorkflow(db().$client, {
        tasks: [
          {
            id: 1,
            type: 'inbound_webhook',
            name: 'Trigger',
            settings: { response_body: 'Thank you, {{who}}!' },
          },
          { id: 2, type: 'delay', name: 'Wait', settings: { mode: 'for', amount: 1, unit: 'seconds' } },
          {
            id: 3,
            type: 'set_variables',
            name: 'Text',
            settings: { variables: [{ name: 'text', value: '{{task_1_who}}' }] },
          },
        ],
        edges: [
          { from: 1, to: 2 },
          { from: 2, to: 3 },
        ],
      });
      return { path: `/webhook/${token}`, workflowId };
    },
    async close() {
      await opened?.$client.end();
      await postgres.close();
      await database.drop();
      network.close();
    },
  };
}

/** Calls a webhook. @returns status and body */
export async function callWebhook(url: URL, who: string): Promise<[number, string]> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ who }),
  });
  return [answer.status, await answer.text()];
}

/** The sum of a counter of Prometheus' text format over its labels. */
export const sumOf = (metrics: string, name: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
