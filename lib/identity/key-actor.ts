const PREFIX = 'api-key:';

/**
 * The actor of requests with an API key, as `Context.actor`.
 * @param keyId `environment` for `PATCHBAY_API_KEY`
 */
export const keyActor = (keyId: string): string => PREFIX + keyId;

/** The id of the key that an actor is; undefined for people. */
export const keyIdOf = (actor: string): string | undefined =>
  actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
