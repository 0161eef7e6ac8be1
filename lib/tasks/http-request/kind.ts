import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Calls an address on the public internet. */
export const httpRequestKind = {
  type: 'http_request',
  name: 'HTTP request',
  summary: 'Sends a request to another application and reads its response.',
  category: 'data',
  icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20',
  isTrigger: false,
  branches: [],
  keywords: ['api', 'fetch', 'call', 'rest', 'webhook', 'curl', 'get', 'post', 'url', 'json', 'integration'],
  describe: ({ method, url }) =>
    settingWords(url) && `${settingWords(method) || 'GET'} ${settingWords(url).replace(/^https?:\/\//, '')}`,
} as const satisfies TaskKind;
