// A connected company and its workflows of one task, for the steps of going live that send.
import { expect } from 'vitest';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import type { Run, RunSummary } from '#lib/runs/schema.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { GoingLiveWorld } from './going-live-world.ts';

export const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
export const CUSTOMER = '4915557010123';

export interface Outcome {
  runId: string;
  output: Record<string, unknown>;
  /** Empty where the task succeeded. */
  error: string;
}

/** A message in the sandbox. */
export interface Received {
  id: string;
  text: string;
  type: string;
  payload: Record<string, unknown>;
  rendered: { header: string | null; text: string; buttons: { target: string }[] };
}

interface Published {
  id: string;
  webhook: { production_url: string };
}

type Settings = Record<string, unknown>;

export class GoingLiveSender {
  readonly world: GoingLiveWorld;
  connectionId = '';

  constructor(world: GoingLiveWorld) {
    this.world = world;
  }

  /** Starts over with one connection, which is subscribed to notifications. */
  async reset(): Promise<void> {
    const { world } = this;
    await world.control('POST', 'reset');
    await world.pool.query('delete from connections; delete from alerts');
    const tokens = { scopes: SCOPES, expires_in: 'never' };
    const { access_token } = await world.control<{ access_token: string }>('POST', 'tokens', tokens);
    const input = { name: 'Books', access_token, business_account_id: IDS.books };
    this.connectionId = (await world.api<Connection>('POST', '/connections', input)).id;
    await world.api('POST', `/connections/${this.connectionId}/notifications`);
  }

  /** Publishes a workflow of one task. @returns a function that starts it by its webhook, and returns the id of the run */
  async start(settings: Settings, type = 'messaging_business'): Promise<(body?: object) => Promise<string>> {
    const { world, connectionId } = this;
    const sender = { app_connection_id: connectionId, phone_number_id: IDS.booksOrders, recipient: CUSTOMER };
    const { id, webhook } = await world.api<Published>('POST', '/workflows', {
      name: 'Sends',
      publish: true,
      tasks: [
        { id: 1, type: 'inbound_webhook', settings: {} },
        { id: 2, type, settings: { ...sender, ...settings } },
      ],
      edges: [{ from: 1, to: 2 }],
    });
    const headers = { 'content-type': 'application/json' };
    const newest = async () =>
      (await world.api<{ data: RunSummary[] }>('GET', `/runs?workflow_id=${id}`)).data[0]?.id;
    return async (body = {}) => {
      await fetch(webhook.production_url, { method: 'POST', headers, body: JSON.stringify(body) });
      await expect.poll(newest).toBeDefined();
      return (await newest()) ?? '';
    };
  }

  /** Publishes a workflow of one task. @returns a function that starts it by its webhook, and waits until it has ended */
  async publish(settings: Settings, type?: string): Promise<(body?: object) => Promise<Outcome>> {
    const start = await this.start(settings, type);
    return async (body) => this.outcomeOf(await start(body));
  }

  async run(settings: Settings, type?: string): Promise<Outcome> {
    return (await this.publish(settings, type))();
  }

  readRun(runId: string): Promise<Run> {
    return this.world.api('GET', `/runs/${runId}`);
  }

  /** Waits until a run has ended. */
  async outcomeOf(runId: string): Promise<Outcome> {
    await expect.poll(async () => (await this.readRun(runId)).finished_at).not.toBeNull();
    const sent = (await this.readRun(runId)).tasks.find((each) => each.task_id === 2);
    return { runId, output: (sent?.output ?? {}) as Outcome['output'], error: sent?.error?.message ?? '' };
  }

  async received(customer = CUSTOMER): Promise<Received[]> {
    const query = `messages?direction=out&to=${customer}`;
    return (await this.world.control<{ data: Received[] }>('GET', query)).data;
  }

  /** The customer writes. */
  write(more: object = { text: 'Hello!' }): Promise<Received> {
    return this.world.control('POST', 'customer-messages', {
      customer: CUSTOMER,
      phone_number_id: IDS.booksOrders,
      ...more,
    });
  }
}

export const text = (message_text = 'Hello!') => ({ action: 'send_text', message_text });

export const template = (template_name: string, ...template_parameters: string[]) => ({
  action: 'send_template',
  business_account_id: IDS.books,
  template_name,
  template_parameters,
});
