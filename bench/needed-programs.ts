// System programs that measurements require, and how to install missing ones.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages, by program. */
const PACKAGES = {
  patroni: 'patroni postgresql',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  ip: 'iproute2',
  setpriv: 'util-linux',
  unshare: 'util-linux',
  buildah: 'buildah',
  crun: 'crun',
  debootstrap: 'debootstrap',
} as const;

export type Program = keyof typeof PACKAGES;

/** The message for missing programs, with the command that installs them; undefined without any. */
export function describeMissing(
  programs: readonly Program[],
  isInstalled: (program: string) => boolean = isOnPath,
): string | undefined {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  const packages = [...new Set(missing.flatMap((program) => PACKAGES[program].split(' ')))];
  return `Not installed: ${missing.join(', ')}. Install: apt-get install -y ${packages.join(' ')}`;
}

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders, '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
