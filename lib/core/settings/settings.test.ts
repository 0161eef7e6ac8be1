import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findContradictions, findFolderProblems, findMisspelled, readSettingFiles } from './checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KNOWN = ['DATABASE_URL', 'BASE_URL', 'AUTH_SECRET', 'PORT', 'HOST', 'WORKER_CONCURRENCY'];
const meantBy = (given: Record<string, string>): (string | undefined)[] =>
  findMisspelled(given, KNOWN).map(({ message }) => /mean (\w+)/.exec(message)?.[1]);

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['AUTH_SECERT', 'AUTH_SECRET'],
  ['AUTH_SECRET_FLIE', 'AUTH_SECRET'],
  ['WORKERS_CONCURRENCY', 'WORKER_CONCURRENCY'],
])('%s is probably meant as %s', (name, meant) => {
  expect(meantBy({ [name]: 'x' })).toEqual([meant]);
});

test.each([
  'POST',
  'HOSTNAME',
  'SORT',
  'REDIS_URL',
  'DATABASE_PASSWORD',
  'AUTH_SECRET_FILE',
  'XDG_DATA_DIRS',
])('%s is nothing that was misspelled', (name) => expect(meantBy({ [name]: 'x' })).toEqual([]));

test('a variable of somebody else is left alone where the setting that it is near to is set', () => {
  expect(meantBy({ BASE_URI: '/app', BASE_URL: 'https://patchbay.example' })).toEqual([]);
  expect(meantBy({ DATABASE_URI: '', AUTH_SECRETS: 'x', AUTH_SECRET_FILE: '/run/secret' })).toEqual([]);
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM'],
  [{ MAIL_FROM: 'patchbay@example.com' }, 'SMTP_URL'],
  [{ MEDIA_S3_SECRET_ACCESS_KEY: 'x' }, 'MEDIA_S3_ACCESS_KEY_ID'],
  [{ AUTH_OIDC_ISSUER: 'https://id.example.com' }, 'AUTH_OIDC_CLIENT_ID'],
  [{ MEDIA_STORE: 's3' }, 'MEDIA_S3_BUCKET'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT'],
  [{ METRICS_PORT: '9464', PORT: '9464' }, 'METRICS_PORT'],
  [{ ENCRYPTION_KEYS: 'no key' }, 'ENCRYPTION_KEYS'],
  [{ ENCRYPTION_KEYS: `k1:${Buffer.alloc(31).toString('base64')}` }, 'ENCRYPTION_KEYS'],
])('%o lacks something or contradicts itself', (given, name) => {
  expect(findContradictions(given).map((problem) => problem.name)).toEqual([name]);
});

test('settings that go together are fine', () => {
  const keys = `k2:${Buffer.alloc(32, 2).toString('base64')},k1:${Buffer.alloc(32, 1).toString('base64')}`;
  expect(findContradictions({ ENCRYPTION_KEYS: keys, METRICS_PORT: '9464', SMTP_URL: '' })).toEqual([]);
});

test('a setting comes from its file, and every file that cannot be read is named', () => {
  const path = join(folder, 'secret');
  writeFileSync(path, 'of a file\n');
  const environment: Record<string, string | undefined> = {
    AUTH_SECRET_FILE: path,
    DATABASE_URL_FILE: join(folder, 'nothing'),
    BASE_URL_FILE: folder,
    OTHER_FILE: join(folder, 'nothing'),
  };
  const problems = readSettingFiles(environment, KNOWN);
  expect(problems.map(({ name }) => name)).toEqual(['DATABASE_URL_FILE', 'BASE_URL_FILE']);
  expect(environment['AUTH_SECRET']).toBe('of a file');
  expect(readSettingFiles({ ...environment, AUTH_SECRET: 'another' }, KNOWN)).toHaveLength(3);
  expect(readSettingFiles({ AUTH_SECRET_FILE: path, AUTH_SECRET: 'of a file' }, KNOWN)).toEqual([]);
});

test('a folder that is needed and cannot be made is named', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(findFolderProblems({ PATCHBAY_DATA_DIR: 'new/deeper', MEDIA_FOLDER: '' }, folder)).toEqual([]);
  const problems = findFolderProblems(
    { PATCHBAY_DATA_DIR: 'file', MEDIA_FOLDER: join(file, 'media') },
    folder,
  );
  expect(problems).toEqual([
    { name: 'PATCHBAY_DATA_DIR', message: `${file} is a file, not a folder` },
    { name: 'MEDIA_FOLDER', message: `${file} is a file, not a folder` },
  ]);
  const elsewhere = { DATABASE_URL: 'postgres://db/patchbay', MEDIA_STORE: 's3', PATCHBAY_DATA_DIR: 'file' };
  expect(findFolderProblems({ ...elsewhere, MEDIA_FOLDER: 'file' }, folder)).toEqual([]);
});
