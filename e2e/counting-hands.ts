import type { Locator, Page } from '@playwright/test';

/** Performs and counts user actions. */
export class CountingHands {
  readonly page: Page;
  clicks = 0;
  typedFields = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** Clicks and filled-in fields together. */
  get actions(): number {
    return this.clicks + this.typedFields;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.typedFields += 1;
  }

  /** A click into a field, then its text. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.click(field);
    await this.type(text);
  }

  /** An option of a list: two clicks. */
  async choose(list: Locator, option: string | RegExp): Promise<void> {
    await this.click(list);
    await this.click(this.page.getByRole('option', { name: option }).first());
  }
}
