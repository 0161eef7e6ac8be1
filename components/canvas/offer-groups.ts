import { listOffers, searchOffers, type TaskOffer } from '#lib/tasks/offers.ts';
import type { TaskCategory } from '#lib/tasks/task-kind.ts';

/** In the order of the palette. */
const TITLES: Readonly<Record<Exclude<TaskCategory, 'trigger'>, string>> = {
  messaging: 'Messaging',
  logic: 'Logic',
  data: 'Data',
};

/** What can be added: by category; with a search what fits it, best first. */
export function groupOffers(search = ''): { title: string; offers: TaskOffer[] }[] {
  const groups =
    search.trim() === ''
      ? Object.entries(TITLES).map(([category, title]) => ({
          title,
          offers: listOffers().filter((offer) => offer.category === category),
        }))
      : [{ title: 'Results', offers: searchOffers(search) }];
  return groups.filter(({ offers }) => offers.length > 0);
}
