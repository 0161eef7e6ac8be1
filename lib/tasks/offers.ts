// The offers for adding tasks: most task types have one, some have one per action.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { TASK_KINDS } from './kinds.ts';
import type { TaskCategory, TaskKind } from './task-kind.ts';

export interface TaskOffer {
  /** The task type, or `<type>:<position>` where the type is offered several times. */
  id: string;
  type: string;
  name: string;
  summary: string;
  category: TaskCategory;
  /** The title of its group, which replaces its category's. */
  group?: string;
  icon: string;
  keywords: readonly string[];
  /** Initial settings of a new task. */
  settings: Readonly<Record<string, unknown>>;
}

/** Everything that can be added, in the order of the task types. */
export const listOffers = (): TaskOffer[] =>
  [...TASK_KINDS.values()].filter(({ isTrigger }) => !isTrigger).flatMap(offersOf);

/** The triggers, one of which starts each workflow, under the names by which they are selected. */
export const listTriggerOffers = (): TaskOffer[] =>
  [...TASK_KINDS.values()].flatMap((kind) => {
    const label = kind.trigger?.label;
    return label === undefined ? [] : offersOf(kind).map((offer) => ({ ...offer, name: label }));
  });

/** Undefined for an unknown id. */
export const findOffer = (id: string): TaskOffer | undefined => listOffers().find((offer) => offer.id === id);

/** The offer of a task, by its settings; also for triggers, which are never added. */
export function offerOf({ type, settings }: Pick<WorkflowTask, 'type' | 'settings'>): TaskOffer | undefined {
  const kind = TASK_KINDS.get(type);
  const [first, ...others] = kind ? offersOf(kind) : [];
  if (!kind?.offers) return first;
  const fits = (offer: TaskOffer) =>
    Object.entries(offer.settings).every(([name, value]) => settings[name] === value);
  return others.find(fits) ?? first;
}

function offersOf(kind: TaskKind): TaskOffer[] {
  const { type, category, group, icon, name, summary, keywords = [], newSettings = {} } = kind;
  const own = { type, category, ...(group === undefined ? {} : { group }) };
  return (
    kind.offers?.map((offer, position) => ({
      ...own,
      ...offer,
      id: `${type}:${position}`,
      settings: { ...newSettings, ...offer.settings },
    })) ?? [{ ...own, id: type, icon, name, summary, keywords, settings: newSettings }]
  );
}

/** How well an offer matches a word, best first. */
const FITS: ((offer: TaskOffer, word: string) => boolean)[] = [
  ({ name }, word) => name.toLowerCase() === word,
  ({ name }, word) => name.toLowerCase().startsWith(word),
  ({ name }, word) =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((part) => part.startsWith(word)),
  ({ keywords }, word) => keywords.includes(word),
  ({ keywords }, word) => keywords.some((keyword) => keyword.startsWith(word)),
  ({ name }, word) => name.toLowerCase().includes(word),
  ({ summary, category, type }, word) => `${summary} ${category} ${type}`.toLowerCase().includes(word),
];

/** The offers that have every word of a search in name, synonyms or summary, those whose name begins with it first. */
export function searchOffers(search: string): TaskOffer[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return listOffers()
    .map((offer) => ({ offer, fit: Math.max(0, ...words.map((word) => fitOf(offer, word))) }))
    .filter(({ fit }) => fit < FITS.length)
    .sort((a, b) => a.fit - b.fit)
    .map(({ offer }) => offer);
}

function fitOf(offer: TaskOffer, word: string): number {
  const found = FITS.findIndex((fits) => fits(offer, word));
  return found === -1 ? FITS.length : found;
}
