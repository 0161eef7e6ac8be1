// Drives the editor like a user: every step uses elements on the screen.
import type { Locator, Page } from '@playwright/test';
import { expect } from './expect.ts';
import type { Api } from './http-clients.ts';
import { openPage } from './open-page.ts';

export class CanvasDriver {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a new workflow that has only its trigger; it is created without the list of workflows and its dialog. */
  async createWorkflow(api: Api, name: string): Promise<void> {
    const position = { x: 0, y: 0 };
    const trigger = { id: 1, type: 'inbound_webhook', name: 'Inbound webhook', settings: {}, position };
    const { id } = await api.post<{ id: string }>('/workflows', { name, tasks: [trigger], edges: [] });
    await this.open(`/workflows/${id}`);
  }

  async open(url: string): Promise<void> {
    await openPage(this.page, url);
    await this.isReady();
  }

  async isReady(): Promise<void> {
    await expect(this.page.locator('[data-task-id]').first()).toBeVisible();
    await expect(this.page.locator('[data-save="saved"]')).toBeVisible();
  }

  get panel(): Locator {
    return this.page.getByRole('complementary', { name: /^Task "/ });
  }

  get taskCount(): Promise<number> {
    return this.page.locator('[data-task-id]').count();
  }

  /** The card of the task with exactly this name. */
  task(name: string): Locator {
    return this.page
      .locator('[data-task-id]')
      .filter({ has: this.page.locator('p').getByText(name, { exact: true }) });
  }

  edges(): Locator {
    return this.page.locator('.react-flow__edge');
  }

  /** Drags the offer with an id from the list to a point of the canvas, in pixels from its top left corner. */
  async dragTask(offerId: string, x: number, y: number): Promise<void> {
    const item = this.page.locator(`[data-offer="${offerId}"]`);
    await item.dragTo(this.page.locator('.react-flow__pane'), { targetPosition: { x, y } });
  }

  /** Adds a task with the + after a task's exit; empty: the only exit. */
  async addAfter(task: string, type: string, exit = ''): Promise<void> {
    const name = exit === '' ? 'Add a task after this one' : `Add a task after "${exit}"`;
    await this.rests();
    await this.task(task).getByRole('button', { name }).click();
    await this.pick(type);
  }

  /** Puts a task on the edge between two others. */
  async insertBetween(from: string, to: string, type: string): Promise<void> {
    const [fromId, toId] = [await this.idOf(from), await this.idOf(to)];
    await this.rests();
    const buttons = this.page.locator(`[data-insert-on^="${fromId}:"][data-insert-on$=">${toId}"]`);
    await buttons.first().click();
    await this.pick(type);
  }

  /** Selects an option in the open searchable list. */
  async pick(text: string): Promise<void> {
    // Another dialog may follow immediately, for example about an expired session.
    const combobox = this.page.getByRole('combobox');
    const list = this.page.getByRole('dialog').filter({ has: combobox });
    await list.getByRole('combobox').fill(text);
    await list.getByRole('option', { name: text }).first().click();
    await expect(list).toBeHidden();
  }

  /** Drags an edge from an exit to a task with the mouse. */
  async connect(from: string, to: string, exit = 'out'): Promise<void> {
    // Both ends have to be visible, beside the palette.
    await this.fit();
    const start = this.task(from).locator(`[data-exit="${exit}"]`);
    const end = this.task(to).locator('[data-handleid="in"]');
    await start.hover();
    await this.page.mouse.down();
    const box = await end.boundingBox();
    if (!box) throw new Error(`"${to}" cannot be led to.`);
    await this.page.mouse.move(box.x + box.width / 2 - 12, box.y + box.height / 2, { steps: 5 });
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await this.page.mouse.up();
  }

  /** Fits the whole workflow into view, beside the list of tasks. */
  async fit(): Promise<void> {
    await this.page.getByRole('button', { name: 'Fit View' }).click();
  }

  async openTask(name: string): Promise<void> {
    await this.#press(name);
    await expect(this.panel).toBeVisible();
  }

  /** On its name, at any zoom: the exits have their own buttons. Each press has the duration of a finger's. */
  async #press(name: string, clickCount = 1): Promise<void> {
    await this.rests();
    // The type is below the name and may have the same text.
    const words = this.task(name).locator('p').getByText(name, { exact: true }).first();
    await words.click({ clickCount, delay: 40 });
  }

  /** Waits until the canvas does not move: it moves to the opened task, and back when the panel closes. */
  async rests(): Promise<void> {
    await expect(this.page.locator('section[data-moving]')).toHaveCount(0);
  }

  async closeTask(): Promise<void> {
    await this.panel.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(this.panel).toBeHidden();
  }

  /**
   * Replaces the text of a field of the open task, by its label, with or without variables. As one change, as pasting does:
   * after a pause of a second, typing makes another step of the history.
   */
  async setField(label: string, text: string, nth = 0): Promise<void> {
    const field = this.panel.getByRole('textbox', { name: label, exact: true }).nth(nth);
    await field.click();
    await field.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  async choose(label: string, option: string): Promise<void> {
    await this.chosen(label).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** In the list of a setting, by its path: several may have one label. */
  async chooseIn(path: string, option: string): Promise<void> {
    await this.panel.locator(`[data-field="${path}"]`).getByRole('combobox').click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** The connection of the open task, unless it already has the workflow's, and its number. */
  async chooseSender(connection: string): Promise<void> {
    const list = this.chosen('App connection');
    await expect(list).not.toContainText('Loading');
    if ((await list.textContent())?.includes('Choose')) {
      await list.click();
      await this.page.getByRole('option', { name: connection }).first().click();
    }
    await expect(this.chosen('Sender')).not.toContainText('Choose');
  }

  /** The select with this label in the open task. */
  chosen(label: string): Locator {
    return this.panel.getByRole('combobox', { name: label });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#press(from, 2);
    const input = this.page.getByRole('textbox', { name: 'Task name' }).first();
    await input.fill(to);
    await input.press('Enter');
  }

  async undo(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1)
      await this.page.getByRole('button', { name: 'Undo', exact: true }).click();
  }

  async redo(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1)
      await this.page.getByRole('button', { name: 'Redo', exact: true }).click();
  }

  /** Saves as who does not wait for the autosave, wherever the focus is. */
  async save(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+s');
    await this.isSaved();
  }

  async isSaved(): Promise<void> {
    await expect(this.page.locator('[data-save="saved"]')).toBeVisible();
  }

  async publish(): Promise<void> {
    await this.page.getByRole('button', { name: /^Publish/ }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByRole('button', { name: 'Publish workflow' }).click();
    await expect(dialog).toBeHidden();
  }

  /** In the menu of the toolbar above the canvas. */
  async chooseFromMenu(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More', exact: true }).last().click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async fitView(): Promise<void> {
    await this.page.getByRole('button', { name: /fit view/i }).click();
  }

  /** In the trigger's panel: all messages to a connection start the workflow, once it is published. */
  async startOnMessages(connection: string): Promise<void> {
    await this.panel.getByRole('radio', { name: 'When a message arrives' }).click();
    await this.choose('Connection', connection);
  }

  /** The URLs that the trigger's panel shows. */
  async urls(): Promise<{ production: string; test: string }> {
    const codes = this.panel.getByRole('region', { name: 'URLs' }).locator('code[title]');
    await codes.first().waitFor();
    const [production = '', test = ''] = await codes.evaluateAll((all) =>
      all.map((code) => code.getAttribute('title') ?? ''),
    );
    return { production, test };
  }

  async idOf(name: string): Promise<string> {
    return (await this.task(name).getAttribute('data-task-id')) ?? '';
  }
}
