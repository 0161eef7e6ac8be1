import { expect, test } from 'vitest';
import { listOffers } from '#lib/tasks/offers.ts';
import { groupOffers } from './offer-groups.ts';

test('each offer stands in one group: first the categories, then groups of their own', () => {
  const groups = groupOffers();
  expect(groups.map(({ title }) => title)).toEqual(['Messaging', 'Logic', 'Data', 'More messaging']);
  const ids = groups.flatMap(({ offers }) => offers.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(
    listOffers()
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('a search has one group with what fits', () => {
  expect(groupOffers('send buttons').map(({ title }) => title)).toEqual(['Results']);
  expect(groupOffers('zzqx')).toEqual([]);
});
