import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintDockerfile, RULE_NAMES } from './dockerfile-rules.ts';

const dockerfile = readFileSync(join(import.meta.dirname, '..', '..', 'Dockerfile'), 'utf8');

test('the Dockerfile keeps the rules of hadolint', () => {
  expect(lintDockerfile(dockerfile)).toEqual([]);
});

/** One mistake for each rule, planted into our own Dockerfile. */
const MISTAKES: Record<string, [from: string | RegExp, to: string]> = {
  syntax: ['EXPOSE 3000', 'EXPOS 3000'],
  DL3000: ['WORKDIR /app', 'WORKDIR app'],
  DL3002: ['USER 10001:10001', 'USER patchbay'],
  DL3003: ['RUN groupadd', 'RUN cd /tmp && groupadd'],
  DL3004: ['RUN groupadd', 'RUN sudo groupadd'],
  DL3006: ['BASE=debian:bookworm-slim', 'BASE=debian'],
  DL3007: ['BASE=debian:bookworm-slim', 'BASE=debian:latest'],
  DL3009: ['RUN groupadd', 'RUN apt-get install -y --no-install-recommends tini && groupadd'],
  DL3011: ['EXPOSE 3000', 'EXPOSE 70000'],
  DL3012: ['STOPSIGNAL SIGTERM', 'HEALTHCHECK NONE'],
  DL3014: [
    'RUN groupadd',
    'RUN apt-get install --no-install-recommends tini && rm -rf /var/lib/apt/lists/* && groupadd',
  ],
  DL3015: ['RUN groupadd', 'RUN apt-get install -y tini && rm -rf /var/lib/apt/lists/* && groupadd'],
  DL3016: ['RUN groupadd', 'RUN npm install -g pm2 && groupadd'],
  DL3020: ['COPY . .', 'ADD . .'],
  DL3021: ['COPY . .', 'COPY app lib /src/all'],
  DL3022: [/--from=build/, '--from=other'],
  DL3024: ['FROM ${BASE}', 'FROM ${BASE} AS build'],
  DL3025: ['CMD ["web"]', 'CMD web'],
  DL3027: ['RUN groupadd', 'RUN apt update && groupadd'],
  DL3045: ['WORKDIR /src\n', ''],
  DL3046: ['--uid 10001', '--uid 1000100'],
  DL3057: [/^HEALTHCHECK[^]*?\n(?=ENTRYPOINT)/m, ''],
  DL3061: [/^/, 'RUN true\n'],
  DL4000: ['STOPSIGNAL SIGTERM', 'MAINTAINER us'],
  DL4003: ['CMD ["web"]', 'CMD ["web"]\nCMD ["worker"]'],
  DL4004: ['CMD ["web"]', 'ENTRYPOINT ["/app/bin/node"]\nCMD ["web"]'],
  DL4006: ['RUN groupadd', 'RUN true | true && groupadd'],
};

test.each(Object.entries(MISTAKES))('a mistake against %s is found', (rule, [from, to]) => {
  const planted = dockerfile.replace(from, to);
  expect(planted).not.toBe(dockerfile);
  expect(lintDockerfile(planted).map((finding) => finding.rule)).toContain(rule);
});

test('every rule has a mistake that shows it', () => {
  expect(Object.keys(MISTAKES).filter((rule) => rule !== 'syntax')).toEqual(RULE_NAMES);
});
