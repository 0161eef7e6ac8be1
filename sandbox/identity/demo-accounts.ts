import { IDS } from '../data/businesses.ts';

/** Somebody who can sign in at the identity login. `businessIds`: where the role is Admin. */
export type DemoAccount = { id: string; name: string; email: string; about: string; businessIds: string[] };

export const DEMO_ACCOUNTS: DemoAccount[] = [
  {
    id: 'admin',
    name: 'Admin',
    email: 'admin@sandbox.example',
    about: 'Runs Harbour Street Books (verified) and Corner Bakery (unverified), with their client accounts.',
    businessIds: [IDS.verifiedBusiness, IDS.unverifiedBusiness],
  },
  {
    id: 'visitor',
    name: 'Visitor without rights',
    email: 'visitor@sandbox.example',
    about: 'Can sign in, but has no role in any business: every call is refused.',
    businessIds: [],
  },
];

/** The demo account with this id, or null. */
export function findDemoAccount(id: string): DemoAccount | null {
  return DEMO_ACCOUNTS.find((account) => account.id === id) ?? null;
}
