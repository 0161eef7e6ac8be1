import type { Page } from '@playwright/test';

/** Collects the violations of a page's Content-Security-Policy, from the next load on. */
export async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('tellViolation', (line: string) => void violations.push(line));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell = (globalThis as unknown as { tellViolation: (line: string) => void }).tellViolation;
      tell(`${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
    }),
  );
  return violations;
}
