// Also for programs that are not run by Playwright, where the timeout of its configuration does not count and is five seconds.
import { expect as base } from '@playwright/test';
import config from '../playwright.config.ts';

export const expect = base.configure(
  config.expect?.timeout === undefined ? {} : { timeout: config.expect.timeout },
);
