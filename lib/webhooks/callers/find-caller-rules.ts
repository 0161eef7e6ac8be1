import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { loadNamedSecrets, loadSecrets } from '#lib/secrets/stored-secrets.ts';
import { readSecretVariable } from '#lib/secrets/named-secret.ts';
import { findPlaceholders } from '#lib/secrets/placeholder-format.ts';
import type { KnownToken, Tokens } from '#lib/webhooks/tokens.ts';
import type { WebhookAnswer, WebhookKind, WebhookRequest } from '#lib/webhooks/types.ts';
import { preflightHeaders } from './allowed-callers.ts';
import { type CallerRules, compileCallerRules, readCallerSettings } from './caller-rules.ts';

type Found = CallerRules | undefined;

/** Cached rules. */
interface Compiled {
  rules: Found;
  /** When they have to be compiled again, because a secret of the workspace may have changed; never for others. */
  staleAt: number;
}

/** Maximum time until a new value of a secret counts, after the first request that uses it. */
const FRESH_MS = 5000;

/** Finds a trigger's rules for callers; synchronously for a token whose version is cached. */
export type FindCallerRules = (known: KnownToken, kind: WebhookKind) => Found | Promise<Found>;

export interface CallerRulesDeps {
  pool: Pool;
  /** @throws Error when ENCRYPTION_KEYS is missing or invalid; only called for triggers with a secret */
  secrets: () => SecretBox;
  loadGraph: (workflowId: string, version: number) => Promise<CompiledGraph>;
}

const DRAFT = `
select (task->'settings')::text as settings
from workflows w cross join lateral json_array_elements(w.draft->'tasks') as task
where w.id = $1 and (task->>'id')::int = w.trigger_task_id`;

/** Uses the rules of the published version; those of the draft for the test URL, and while no version is published. */
export function createFindCallerRules({ pool, secrets, loadGraph }: CallerRulesDeps): FindCallerRules {
  const byToken = new WeakMap<KnownToken, Compiled>();
  const byGraph = new WeakMap<CompiledGraph, Compiled>();

  async function compile(settings: Readonly<Record<string, unknown>>, workspaceId: string): Promise<Found> {
    const read = readCallerSettings(settings);
    if (!read) return undefined;
    const name = readSecretVariable(read.caller_secret ?? '');
    if (name !== undefined) {
      const named = await loadNamedSecrets({ pool, secrets: secrets(), workspaceId }, [name]);
      return compileCallerRules({ ...read, caller_secret: named.get(name)?.value ?? '' }, new Map());
    }
    const ids = findPlaceholders(read.caller_secret ?? '').flatMap(({ id }) => id ?? []);
    const values =
      ids.length > 0 ? await loadSecrets({ pool, secrets: secrets(), workspaceId }, ids) : new Map();
    return compileCallerRules(read, values);
  }

  async function ofDraft({ workflowId, workspaceId }: KnownToken): Promise<Found> {
    const { rows } = await pool.query<{ settings: string | null }>({
      name: 'find_draft_trigger',
      text: DRAFT,
      values: [workflowId],
    });
    const [row] = rows;
    return row?.settings
      ? compile(JSON.parse(row.settings) as Record<string, unknown>, workspaceId)
      : undefined;
  }

  async function ofVersion(known: KnownToken, version: number): Promise<Found> {
    const graph = await loadGraph(known.workflowId, version);
    let compiled = byGraph.get(graph);
    if (!compiled) {
      const { settings } = graph.trigger.task;
      const { caller_secret: secret = '' } = readCallerSettings(settings) ?? {};
      const isNamed = readSecretVariable(secret) !== undefined;
      const rules = await compile(settings, known.workspaceId);
      compiled = { rules, staleAt: isNamed ? Date.now() + FRESH_MS : Infinity };
      byGraph.set(graph, compiled);
    }
    byToken.set(known, compiled);
    return rulesOf(compiled, known, version);
  }

  function rulesOf(compiled: Compiled, known: KnownToken, version: number): Found {
    if (compiled.staleAt !== Infinity && Date.now() > compiled.staleAt)
      void refresh(compiled, known, version);
    return compiled.rules;
  }

  /** Runs in the background: the request that finds the rules stale is checked by them and does not wait. */
  async function refresh(compiled: Compiled, known: KnownToken, version: number): Promise<void> {
    compiled.staleAt = Date.now() + FRESH_MS;
    try {
      const graph = await loadGraph(known.workflowId, version);
      compiled.rules = await compile(graph.trigger.task.settings, known.workspaceId);
    } catch {
      // The database is unavailable: the next request after FRESH_MS tries again.
    }
  }

  return (known, kind) => {
    const { publishedVersion: version } = known;
    if (kind === 'test' || version === null) return ofDraft(known);
    const asked = byToken.get(known);
    return asked ? rulesOf(asked, known, version) : ofVersion(known, version);
  };
}

/** Whether a request is a preflight (Fetch standard, "CORS-preflight request"). */
export const isPreflight = ({ method, headers }: WebhookRequest): boolean =>
  method === 'OPTIONS' &&
  headers['origin'] !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** @returns undefined where the trigger does not allow the website: OPTIONS is not accepted then */
export async function answerPreflight(
  { token, kind, headers }: WebhookRequest,
  { tokens, findCallerRules }: { tokens: Tokens; findCallerRules: FindCallerRules },
): Promise<WebhookAnswer | undefined> {
  const known = await tokens.find(token);
  const rules = known && (await findCallerRules(known, kind));
  const allowed = rules?.originHeaders?.(headers['origin']);
  if (!allowed?.['Access-Control-Allow-Origin']) return undefined;
  return { status: 204, headers: { ...ANSWER_HEADERS, ...allowed, ...preflightHeaders(headers) }, body: '' };
}
