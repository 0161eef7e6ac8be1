import type Provider from 'oidc-provider';
import type { World } from '../world.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from './provider.ts';

export type MintedTokens = {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
};

/** Tokens without a login: for tests, and for the long-lived tokens of system users. */
export async function mintTokens(
  provider: Provider,
  world: World,
  input: { accountId: string; scopes: string[]; expiresIn?: number },
): Promise<MintedTokens> {
  const client = await provider.Client.find(world.options.client.id);
  if (!client) throw new Error('The client of the connections is not registered.');
  const scope = input.scopes.join(' ');
  const expiresIn = input.expiresIn ?? ACCESS_TOKEN_SECONDS;
  const grant = new provider.Grant({ accountId: input.accountId, clientId: client.clientId });
  grant.addOIDCScope(scope);
  const fields = {
    client,
    accountId: input.accountId,
    grantId: await grant.save(),
    scope,
    gty: 'authorization_code',
  };
  return {
    access_token: await new provider.AccessToken({ ...fields, expiresIn }).save(),
    refresh_token: await new provider.RefreshToken({ ...fields, expiresIn: REFRESH_TOKEN_SECONDS }).save(),
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope,
  };
}
