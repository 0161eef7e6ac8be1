import { IDS } from '../data/businesses.ts';

/**
 * A demo user of the identity login. `businessIds`: businesses with the role Admin. `groups`: in the ID token, scope `profile`.
 * `forSignIn`: only offered for signing in to the app itself.
 */
export type DemoAccount = {
  id: string;
  name: string;
  email: string;
  about: string;
  businessIds: string[];
  groups: string[];
  forSignIn?: true;
};

export const DEMO_ACCOUNTS: DemoAccount[] = [
  {
    id: 'admin',
    name: 'Admin',
    email: 'admin@sandbox.example',
    about: 'Runs Harbour Street Books (verified) and Corner Bakery (unverified), with their client accounts.',
    businessIds: [IDS.verifiedBusiness, IDS.unverifiedBusiness],
    groups: ['patchbay-owners', 'everyone'],
  },
  {
    id: 'visitor',
    name: 'Visitor without rights',
    email: 'visitor@sandbox.example',
    about: 'Can sign in, but has no role in any business: every call is refused.',
    businessIds: [],
    groups: ['everyone'],
  },
  {
    id: 'builder',
    name: 'Builder',
    email: 'builder@sandbox.example',
    about: 'In the group patchbay-editors.',
    businessIds: [],
    groups: ['patchbay-editors', 'everyone'],
    forSignIn: true,
  },
  {
    id: 'outsider',
    name: 'Outsider',
    email: 'outsider@sandbox.example',
    about: 'In no group at all.',
    businessIds: [],
    groups: [],
    forSignIn: true,
  },
];

/** The demo account with this id, or null. */
export function findDemoAccount(id: string): DemoAccount | null {
  return DEMO_ACCOUNTS.find((account) => account.id === id) ?? null;
}
