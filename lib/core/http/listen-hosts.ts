// The addresses to listen on (HOST), and the names that are loopback.
import ipaddr from 'ipaddr.js';

/** `localhost` is either, depending on the machine and the client. */
const LOOPBACK_HOSTS = ['127.0.0.1', '::1'];
const WILDCARDS = ['0.0.0.0', '::'];

export interface ListenAddress {
  /** IP addresses or names, at least one. */
  hosts: readonly string[];
  port: number;
}

/** The hosts to listen on: the loopback interface unless HOST says otherwise. */
export function listenHosts(host: string | null | undefined): readonly string[] {
  return !host || host === 'localhost' ? LOOPBACK_HOSTS : [host];
}

/** Whether a host name or IP address (IPv6 with or without brackets) is loopback. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

/** The URL to open in a browser on this machine when BASE_URL is not set. */
export function localUrl(host: string | null | undefined, port: number): string {
  if (!host || WILDCARDS.includes(host) || isLoopbackHost(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
