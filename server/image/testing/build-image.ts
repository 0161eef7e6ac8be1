// Builds the Dockerfile without a container engine: with buildah, on a base created by debootstrap.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Image } from './container.ts';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Whether this machine has the required programs (Debian's packages buildah, crun, debootstrap, iproute2), and root. */
export const canRunContainers = (): boolean =>
  process.getuid?.() === 0 && ['buildah', 'crun', 'debootstrap', 'ip', 'unshare'].every(has);

export interface BuiltImage extends Image {
  stopSignal: string;
  /** Size of the files in MB: of the base, Node, packages and Patchbay. */
  megabytes: { base: number; node: number; modules: number; app: number };
  remove(): void;
}

/** Additional certificates for npm, where a mirror needs them. */
const certificates = process.env['NODE_EXTRA_CA_CERTS'];

const inspectedSchema = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      WorkingDir: z.string(),
      Volumes: z.record(z.string(), z.unknown()),
      StopSignal: z.string(),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});

const megabytesOf = (...places: string[]): number => {
  const lines = execFileSync('du', ['-smc', ...places], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return Number.parseInt(lines.at(-1) ?? '', 10);
};

export function buildImage(root: string): BuiltImage {
  const place = mkdtempSync(join(tmpdir(), 'patchbay-image-'));
  const storage = [
    '--root',
    join(place, 'storage'),
    '--runroot',
    join(place, 'run'),
    '--storage-driver',
    'vfs',
  ];
  const buildah = (...parameters: string[]): string =>
    execFileSync('buildah', [...storage, ...parameters], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

  /** An image of a folder. */
  function imageOf(name: string, folder: string): void {
    const working = buildah('from', 'scratch');
    buildah('add', '-q', working, folder, '/');
    buildah('commit', '-q', working, `localhost/${name}`);
    buildah('rm', working);
  }

  const [base, buildBase, npmrc] = [join(place, 'base'), join(place, 'build-base'), join(place, 'npmrc')];
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', base, debianMirror()], { stdio: 'ignore' });
  imageOf('base', base);
  execFileSync('cp', ['-a', base, buildBase]);
  addNpm(buildBase);
  imageOf('build-base', buildBase);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  writeFileSync(npmrc, `registry=${registry}\n${certificates ? `cafile=${certificates}\n` : ''}`, {
    mode: 0o600,
  });
  // Docker's format: the OCI format does not support HEALTHCHECK.
  buildah(
    ...['bud', '-q', '--format', 'docker', '--isolation', 'chroot', '--network', 'host'],
    ...['--secret', `id=npmrc,src=${npmrc}`],
    ...['--build-arg', 'BUILD_BASE=localhost/build-base', '--build-arg', 'BASE=localhost/base'],
    ...['-t', 'patchbay', root],
  );
  const { config } = inspectedSchema.parse(
    JSON.parse(buildah('inspect', '--type', 'image', 'patchbay')),
  ).Docker;
  const rootfs = buildah('mount', buildah('from', 'patchbay'));
  const app = join(rootfs, 'app');
  const [node, modules] = [megabytesOf(join(app, 'bin')), megabytesOf(join(app, 'node_modules'))];
  return {
    rootfs,
    env: config.Env,
    entrypoint: config.Entrypoint,
    cmd: config.Cmd,
    user: config.User,
    workdir: config.WorkingDir,
    volumes: Object.keys(config.Volumes),
    stopSignal: config.StopSignal,
    healthcheck: config.Healthcheck.Test.slice(1),
    megabytes: { base: megabytesOf(base), node, modules, app: megabytesOf(app) - node - modules },
    remove() {
      buildah('rm', '--all');
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Node and npm of this machine, and its npm's certificates. */
function addNpm(folder: string): void {
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  const [modules, programs] = [join(folder, 'usr/local/lib/node_modules'), join(folder, 'usr/local/bin')];
  mkdirSync(modules, { recursive: true });
  mkdirSync(programs, { recursive: true });
  cpSync(npm, join(modules, 'npm'), { recursive: true, verbatimSymlinks: true });
  cpSync(process.execPath, join(programs, 'node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(programs, 'npm'));
  if (certificates) {
    mkdirSync(join(folder, dirname(certificates)), { recursive: true });
    cpSync(certificates, join(folder, certificates));
  }
}

/** The one that this machine uses. */
function debianMirror(): string {
  const sources = execFileSync(
    'sh',
    ['-c', 'cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true'],
    { encoding: 'utf8' },
  );
  return /https?:\/\/\S+/.exec(sources.replace(/^\s*#.*$/gm, ''))?.[0] ?? 'http://deb.debian.org/debian';
}
