import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { toOpenApi } from '../openapi.ts';
import { OPERATIONS } from '../operations/operations.ts';

const document = JSON.stringify(toOpenApi(OPERATIONS, 'https://patchbay.local'));

test("the client's types are those of the OpenAPI document: `npm run generate` writes them", async () => {
  const types = astToString(await openapiTS(JSON.parse(document) as OpenAPI3));
  await expect(`${COMMENT_HEADER}${types}`).toMatchFileSnapshot('schema.ts');
});

test("the OpenAPI document has none of the problems that Redocly's recommended rules find", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: document, config });
  const found = problems.map(
    ({ ruleId, message, location: [place] }) => `${place?.pointer ?? ''}: ${message} (${ruleId})`,
  );
  expect(found).toEqual([]);
});
