// The hosts that a secret of the workspace may be sent to: `api.example.com`, `api.example.com:8443`.

const MAX_CHARACTERS = 255;

/** A host in comparable form, with its port unless that is 443; undefined: not a host. */
export function readAllowedHost(text: string): string | undefined {
  const entered = text.trim();
  if (entered.length > MAX_CHARACTERS || /[\s/?#\\@*]/.test(entered)) return undefined;
  return URL.parse(`https://${entered}`)?.host ?? undefined;
}

/** The list's host that matches a URL. */
export const findAllowedHost = (hosts: readonly string[], { host }: URL): string | undefined =>
  hosts.find((allowed) => allowed === host);
