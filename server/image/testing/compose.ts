// The services of compose.yaml as options of containers. Only supports the used features.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { startForwardingProxy } from '../../testing/forwarding-proxy.ts';
import { type ContainerOptions, copyOwned, type Image } from './container.ts';

interface Service {
  command: string[];
  /** Without a value: that of the shell or of `.env`, where it has one. */
  environment?: Record<string, string | null>;
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  secrets?: string[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
  healthcheck?: { disable?: boolean };
}

export interface ComposeProject {
  services: Record<string, Service>;
  /** Options of a service's container; networks and hosts are the engine's part. */
  optionsOf(service: string, image: Image): Omit<ContainerOptions, 'network'>;
  graceSecondsOf(service: string): number;
  close(): void;
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?what is missing}` (Compose Specification, "Interpolation"). */
const interpolate = (text: string, variables: Record<string, string>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name}: ${String(rest)}`);
    return kind === '-' ? String(rest) : '';
  });

const resolve = (
  environment: Record<string, string | null>,
  variables: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, given]) => {
      const value = given ?? variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** @param secrets contents by name */
export function openCompose(
  path: string,
  { variables, secrets }: { variables: Record<string, string>; secrets: Record<string, string> },
): ComposeProject {
  const place = mkdtempSync(join(tmpdir(), 'patchbay-compose-'));
  const given: unknown = parse(readFileSync(path, 'utf8'), { merge: true });
  const { services } = JSON.parse(JSON.stringify(given), (_key, value: unknown) =>
    typeof value === 'string' ? interpolate(value, variables) : value,
  ) as { services: Record<string, Service> };
  for (const [name, content] of Object.entries(secrets)) writeFileSync(join(place, name), content);
  const volumes = new Map<string, string>();
  const find = (name: string): Service => {
    const service = services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}.`);
    return service;
  };
  return {
    services,
    optionsOf(name, image) {
      const service = find(name);
      const named = (service.volumes ?? []).map((text) => {
        const [volume = '', target = ''] = text.split(':');
        const folder =
          volumes.get(volume) ?? copyOwned(join(image.rootfs, target), join(place, `volume-${volume}`));
        volumes.set(volume, folder);
        return [target, folder] as const;
      });
      const given = (service.secrets ?? []).map(
        (secret) => [`/run/secrets/${secret}`, join(place, secret)] as const,
      );
      return {
        args: service.command,
        environment: resolve(service.environment ?? {}, variables),
        binds: Object.fromEntries([...named, ...given]),
        tmpfs: service.tmpfs ?? [],
        isReadOnly: service.read_only === true,
      };
    },
    graceSecondsOf: (name) => Number.parseInt(find(name).stop_grace_period ?? '10', 10),
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}

/**
 * The service `proxy`: Caddy with our Caddyfile, without certificates, where one is installed that is new enough
 * (ops/caddy/Caddyfile); otherwise a substitute proxy. @param addresses of the containers with the name `web`
 */
export async function startComposeProxy(
  root: string,
  addresses: string[],
  webPort: number,
): Promise<{ base: URL; close(): Promise<void> }> {
  if (!hasCaddy())
    return startForwardingProxy(...addresses.map((address) => new URL(`http://${address}:${webPort}`)));
  const place = mkdtempSync(join(tmpdir(), 'patchbay-caddy-'));
  const hosts = join(place, 'hosts');
  writeFileSync(
    hosts,
    ['127.0.0.1 localhost', ...addresses.map((address) => `${address} web`), ''].join('\n'),
  );
  const base = new URL(`http://127.0.0.1:${await findFreePort()}`);
  const run = 'mount --bind "$1" /etc/hosts && exec caddy run --config "$2" --adapter caddyfile';
  const caddy: ChildProcess = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', run, 'sh', hosts, join(root, 'ops/caddy/Caddyfile')],
    {
      env: { ...process.env, HOME: place, XDG_DATA_HOME: place, PATCHBAY_HOST: base.origin },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let log = '';
  caddy.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = new Promise((resolve) => caddy.once('exit', resolve));
  for (let isUp = false; !isUp;) {
    if (caddy.exitCode !== null) throw new Error(`Caddy did not start: ${log}`);
    isUp = await fetch(base).then(
      () => true,
      () => false,
    );
  }
  return {
    base,
    async close() {
      caddy.kill('SIGTERM');
      await ended;
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function hasCaddy(): boolean {
  const [major = 0, minor = 0, patch = 0] = (
    spawnSync('sh', ['-c', 'caddy version'], { encoding: 'utf8' }).stdout.match(/\d+/g) ?? []
  ).map(Number);
  return major * 1e6 + minor * 1e3 + patch > 2_011_001;
}
