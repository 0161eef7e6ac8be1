import type { Account, Business, Phone } from '../model.ts';

/** Ids that tests and documents may rely on. */
export const IDS = {
  verifiedBusiness: '100000000000001',
  unverifiedBusiness: '100000000000002',
  clinicBusiness: '100000000000003',
  cafeBusiness: '100000000000004',
  books: '200000000000001',
  bookEvents: '200000000000002',
  clinic: '200000000000003',
  bakery: '200000000000004',
  cafe: '200000000000005',
  booksOrders: '300000000000001',
  booksSupport: '300000000000002',
  events: '300000000000003',
  clinicDesk: '300000000000004',
  bakeryCounter: '300000000000005',
  cafeBookings: '300000000000006',
  eventsOld: '300000000000007',
} as const;

/** No demo user belongs to the last two: they only share their accounts as clients. */
export const BUSINESSES: Business[] = [
  { kind: 'business', id: IDS.verifiedBusiness, name: 'Harbour Street Books', verified: true },
  { kind: 'business', id: IDS.unverifiedBusiness, name: 'Corner Bakery', verified: false },
  { kind: 'business', id: IDS.clinicBusiness, name: 'Lakeside Clinic', verified: true },
  { kind: 'business', id: IDS.cafeBusiness, name: 'Old Mill Café', verified: true },
];

const account = (
  id: string,
  name: string,
  ownerBusinessId: string,
  sharedWithBusinessIds: string[] = [],
): Account => ({
  kind: 'account',
  id,
  name,
  ownerBusinessId,
  sharedWithBusinessIds,
  hasPaymentMethod: true,
  restriction: null,
  otherApps: [],
});

export const ACCOUNTS: Account[] = [
  account(IDS.books, 'Harbour Street Books', IDS.verifiedBusiness),
  account(IDS.bookEvents, 'Harbour Street Events', IDS.verifiedBusiness),
  account(IDS.clinic, 'Lakeside Clinic', IDS.clinicBusiness, [IDS.verifiedBusiness]),
  account(IDS.bakery, 'Corner Bakery', IDS.unverifiedBusiness),
  account(IDS.cafe, 'Old Mill Café', IDS.cafeBusiness, [IDS.unverifiedBusiness]),
];

/** Two-step verification PIN of the disconnected number. */
export const OLD_PIN = '135790';

const phone = (
  id: string,
  accountId: string,
  displayPhoneNumber: string,
  verifiedName: string,
  qualityRating: Phone['qualityRating'],
  tier: Phone['tier'],
  status: Phone['status'] = 'CONNECTED',
): Phone => ({
  kind: 'phone',
  id,
  accountId,
  displayPhoneNumber,
  verifiedName,
  qualityRating,
  tier,
  throughput: 'STANDARD',
  status,
  pin: status === 'DISCONNECTED' ? OLD_PIN : null,
  registerCalls: [],
});

export const PHONES: Phone[] = [
  phone(IDS.booksOrders, IDS.books, '+1 212-555-0101', 'Harbour Street Books', 'GREEN', 'TIER_100K'),
  phone(IDS.booksSupport, IDS.books, '+1 212-555-0102', 'Harbour Street Support', 'YELLOW', 'TIER_10K'),
  phone(IDS.events, IDS.bookEvents, '+1 212-555-0103', 'Harbour Street Events', 'RED', 'TIER_1K'),
  phone(
    IDS.eventsOld,
    IDS.bookEvents,
    '+1 212-555-0107',
    'Harbour Street Tickets',
    'UNKNOWN',
    'TIER_250',
    'DISCONNECTED',
  ),
  phone(IDS.clinicDesk, IDS.clinic, '+1 415-555-0104', 'Lakeside Clinic', 'UNKNOWN', 'TIER_UNLIMITED'),
  phone(IDS.bakeryCounter, IDS.bakery, '+1 646-555-0105', 'Corner Bakery', 'GREEN', 'TIER_250'),
  phone(IDS.cafeBookings, IDS.cafe, '+1 503-555-0106', 'Old Mill Café', 'GREEN', 'TIER_1K'),
];
