import type { Settings } from '#lib/core/env.ts';
import { GraphUsage } from './graph-usage.ts';
import { Route } from './route.ts';

/** How the platform is reached and what it allows; all of it comes from the app's settings (docs/reference/settings.md). */
export interface PlatformSettings {
  /** Base address of the graph API, without a version; undefined while the installation has none. */
  graphUrl: string | undefined;
  /** Such as `v18.0`, in the path of every call. */
  graphVersion: string;
  /** How calls of the graph API fare in this process. */
  graphRoute: Route;
  /** The used share of its limits, as far as this process knows. */
  graphUsage: GraphUsage;
  /** The platform's name in `messaging_product` and in path words. */
  product: string;
  authorizeUrl: string | undefined;
  tokenUrl: string | undefined;
  /** Of the identity login, which then says it in each answer (RFC 9207); undefined: it has none. */
  issuer: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** Signs notifications; the client secret where none is given, as on the real platform they are one. */
  appSecret: string | undefined;
  /** What a login asks for, where the platform keeps that as a configuration of the app. */
  loginConfigId: string | undefined;
  /** Asked for at the login; none where a configuration names them. */
  scopes: string[];
  redirectUri: string;
  timeoutMs: number;
  limits: SendLimits;
}

/** What the platform lets through; all processes together keep below it. */
export interface SendLimits {
  /** Of one number, over all customers. */
  messagesPerSecond: number;
  /** From one number to one customer: a burst … */
  pairBurst: number;
  /** … and then one in this time. */
  pairRefillSeconds: number;
}

/** One for each process, whose settings are one object. */
const states = new WeakMap<Settings, Pick<PlatformSettings, 'graphRoute' | 'graphUsage'>>();

function stateOf(settings: Settings): Pick<PlatformSettings, 'graphRoute' | 'graphUsage'> {
  const state = states.get(settings) ?? { graphRoute: new Route(), graphUsage: new GraphUsage() };
  states.set(settings, state);
  return state;
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The platform's part of the app's settings. */
export function platformSettingsOf(settings: Settings): PlatformSettings {
  return {
    graphUrl: settings.MESSAGING_GRAPH_URL?.replace(/\/+$/, ''),
    graphVersion: settings.MESSAGING_GRAPH_VERSION,
    ...stateOf(settings),
    product: settings.MESSAGING_PRODUCT,
    authorizeUrl: settings.MESSAGING_AUTHORIZE_URL,
    tokenUrl: settings.MESSAGING_TOKEN_URL,
    issuer: settings.MESSAGING_ISSUER,
    clientId: settings.MESSAGING_CLIENT_ID,
    clientSecret: settings.MESSAGING_CLIENT_SECRET,
    appSecret: settings.MESSAGING_APP_SECRET ?? settings.MESSAGING_CLIENT_SECRET,
    loginConfigId: settings.MESSAGING_LOGIN_CONFIG_ID,
    scopes: settings.MESSAGING_LOGIN_CONFIG_ID === undefined ? wordsOf(settings.MESSAGING_SCOPES) : [],
    redirectUri: new URL(`${settings.BASE_URL}/oauth/callback`).href,
    timeoutMs: settings.MESSAGING_TIMEOUT_SECONDS * 1000,
    limits: {
      messagesPerSecond: settings.MESSAGING_MESSAGES_PER_SECOND,
      pairBurst: settings.MESSAGING_PAIR_BURST,
      pairRefillSeconds: settings.MESSAGING_PAIR_REFILL_SECONDS,
    },
  };
}
