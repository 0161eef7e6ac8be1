// A network of containers on this machine, like that of an engine: a bridge, and a network namespace for each container.
// Requires root.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';

export interface ContainerNetwork {
  /** The address of this machine for containers. */
  gateway: string;
  /** A namespace with its own address. */
  join(): { path: string; address: string };
  close(): void;
}

const ip = (...parameters: string[]): void => {
  execFileSync('ip', parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
};

export function openNetwork(): ContainerNetwork {
  const name = `pb${randomBytes(3).toString('hex')}`;
  const prefix = `10.${randomInt(64, 128)}.${randomInt(0, 256)}`;
  const gateway = `${prefix}.1`;
  const joined: string[] = [];
  ip('link', 'add', name, 'type', 'bridge');
  ip('addr', 'add', `${gateway}/24`, 'dev', name);
  ip('link', 'set', name, 'up');
  return {
    gateway,
    join() {
      const number = joined.length + 2;
      const [namespace, address] = [`${name}-${number}`, `${prefix}.${number}`];
      ip('netns', 'add', namespace);
      joined.push(namespace);
      ip('link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      ip('link', 'set', namespace, 'master', name, 'up');
      ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
      return { path: `/run/netns/${namespace}`, address };
    },
    close() {
      for (const namespace of joined) ip('netns', 'delete', namespace);
      ip('link', 'delete', name);
    },
  };
}
