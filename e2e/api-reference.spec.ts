import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { axeOn } from './settled.ts';
import { watchViolations } from './watch-violations.ts';

test('the API reference shows every operation, in both themes, from this server alone', async ({
  page,
  baseURL,
}, testInfo) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(baseURL ?? '').origin)
      elsewhere.push(request.url());
  });
  const violations = await watchViolations(page);
  /** Only some operations: the whole page has more than a thousand elements of each kind. */
  const listBarriers = async () =>
    (
      await (
        await axeOn(page)
      )
        .include('.auth-wrapper')
        .include('#operations-tag-Workflows')
        .include('#operations-Workflows-listWorkflows')
        .include('#operations-Workflows-publishWorkflow')
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
    ).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  await openPage(page, '/api-reference');
  const root = page.locator('html');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(
      page.getByRole('button', { name: 'GET /workflows List workflows, newest first.' }),
    ).toBeVisible();
    await expect(root).toHaveClass(scheme === 'dark' ? /dark-mode/ : /^(?!.*dark-mode)/);
    expect(await listBarriers()).toEqual([]);
    await page.screenshot({ path: testInfo.outputPath(`api-reference-${scheme}.png`) });
  }
  await page.getByText('Publish the draft as a new version', { exact: false }).first().click();
  await expect(page.getByText('invalid_workflow', { exact: false }).first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(root).toHaveClass(colorScheme === 'dark' ? /dark-mode/ : /^(?!.*dark-mode)/);
    expect(await listBarriers()).toEqual([]);
  }
  await page.screenshot({ path: testInfo.outputPath('api-reference-operation.png') });
  expect(violations).toEqual([]);
  expect(elsewhere).toEqual([]);
});
