import { listOffers, listTriggerOffers, searchOffers, type TaskOffer } from '#lib/tasks/offers.ts';
import type { TaskCategory } from '#lib/tasks/task-kind.ts';

/** In the order of the palette. */
const TITLES: Readonly<Record<Exclude<TaskCategory, 'trigger'>, string>> = {
  messaging: 'Messaging',
  logic: 'Logic',
  data: 'Data',
};

interface OfferGroup {
  title: string;
  offers: TaskOffer[];
}

/** Available tasks, in groups by category; with a search those that match, best first. */
export function groupOffers(search = ''): OfferGroup[] {
  const groups = search.trim() === '' ? listGroups() : [{ title: 'Results', offers: searchOffers(search) }];
  return groups.filter(({ offers }) => offers.length > 0);
}

/** The triggers whose name or summary has the searched text: one of them starts the workflow. */
export function findTriggerOffers(search = ''): TaskOffer[] {
  const text = search.trim().toLowerCase();
  return listTriggerOffers().filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(text));
}

function listGroups(): OfferGroup[] {
  const offers = listOffers();
  const categories = Object.entries(TITLES).map(([category, title]) => ({
    title,
    offers: offers.filter((offer) => offer.category === category && offer.group === undefined),
  }));
  const titles = new Set(offers.flatMap(({ group }) => group ?? []));
  const others = [...titles].map((title) => ({
    title,
    offers: offers.filter(({ group }) => group === title),
  }));
  return [...categories, ...others];
}
