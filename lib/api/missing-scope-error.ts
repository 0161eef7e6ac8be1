import { AppError } from '#lib/core/errors.ts';
import type { AuthenticatedKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import type { KeyScope } from '#lib/identity/api-keys/scopes.ts';

/** The key lacks a scope: `forbidden`, with the scope it would need (RFC 6750, section 3.1). */
export class MissingScopeError extends AppError {
  readonly needed: KeyScope;

  constructor({ scope, grantedScope }: Pick<AuthenticatedKey, 'scope' | 'grantedScope'>, needed: KeyScope) {
    const has =
      scope === grantedScope
        ? `This API key has the scope "${scope}"`
        : `This API key has the scope "${grantedScope}", but the role of the member who created it limits it to "${scope}"`;
    super('forbidden', `${has}; this needs "${needed}". An owner creates keys in Settings → API keys.`);
    this.name = 'MissingScopeError';
    this.needed = needed;
  }
}
