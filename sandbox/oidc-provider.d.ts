// oidc-provider has no types: these are for the part that the sandbox uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type StoredPayload = Record<string, unknown> & {
    exp?: number;
    iat?: number;
    grantId?: string;
    uid?: string;
    userCode?: string;
    accountId?: string;
    clientId?: string;
    scope?: string;
    consumed?: unknown;
  };

  export type Adapter = {
    upsert(id: string, payload: StoredPayload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<StoredPayload | undefined>;
    findByUid(uid: string): Promise<StoredPayload | undefined>;
    findByUserCode(userCode: string): Promise<StoredPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  };

  export type Client = { clientId: string };

  export type Grant = {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    save(): Promise<string>;
  };

  export type Session = { accountId?: string; destroy(): Promise<void> };

  export type Interaction = {
    uid: string;
    exp: number;
    prompt: { name: string; details: Record<string, unknown> };
    params: Record<string, string | undefined>;
    session?: { accountId: string; uid: string } | undefined;
    save(ttl: number): Promise<string>;
  };

  export type Context = {
    body: unknown;
    type: string;
    oidc: {
      client: Client;
      session: Session & { grantIdFor(clientId: string): string | undefined };
      result?: { login?: unknown; consent?: { grantId?: string } };
      params: Record<string, string | undefined>;
    };
  };

  export type Check = object;
  export type Prompt = { checks: { add(check: Check): void } };
  export const interactionPolicy: {
    Check: {
      new (reason: string, description: string, check: (context: Context) => boolean): Check;
      REQUEST_PROMPT: boolean;
      NO_NEED_TO_PROMPT: boolean;
    };
    base(): { get(name: 'login' | 'consent'): Prompt };
  };

  type TokenFields = {
    client: Client;
    accountId: string;
    grantId: string;
    scope: string;
    gty: string;
    expiresIn?: number;
    authTime?: number;
  };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    proxy: boolean;
    on(event: string, listener: (...values: unknown[]) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>;
    Client: { find(id: string): Promise<Client | undefined> };
    Session: { findByUid(uid: string): Promise<Session | undefined> };
    Grant: new (fields: { accountId: string; clientId: string }) => Grant;
    AccessToken: new (fields: TokenFields) => { save(): Promise<string> };
    RefreshToken: new (fields: TokenFields) => { save(): Promise<string> };
  }
}
