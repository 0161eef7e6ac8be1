import type { World } from '../world.ts';
import { isStrict } from '../strict.ts';

/**
 * Login for Business: the connections' client names a configuration instead of scopes. Puts the scopes of the configuration
 * into the authorize request.
 * @returns why the login page refuses to open; null: it opens
 */
export function applyLoginConfiguration(world: World, url: URL): string | null {
  const { options, settings } = world;
  const query = url.searchParams;
  if (query.get('client_id') !== options.client.id) return null;
  const id = query.get('config_id');
  if (id === null) return isStrict(world) ? 'This app isn’t available: the login needs a config_id.' : null;
  if (id !== settings.login_config_id) return `There is no login configuration with the id ${id}.`;
  if (isStrict(world) && query.has('scope'))
    return 'The scopes are those of the login configuration: a login with config_id takes no scope.';
  query.delete('config_id');
  query.set('scope', settings.login_scopes.join(' '));
  return null;
}
