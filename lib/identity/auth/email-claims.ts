// A provider's claims about an email address. ID token and userinfo endpoint may differ.

type Claims = Readonly<Record<string, unknown>>;

/** Whether the provider has verified the address; null: it does not say (OpenID Connect Core 5.1 does not require it to). */
export function readEmailVerified({ email_verified: said }: Claims): boolean | null {
  if (said === undefined || said === null) return null;
  return said === true || said === 'true';
}

/**
 * Merges the claims of both; those of the ID token win. A verification only counts for the address it was stated for, and an
 * explicit "not verified" in either of them wins.
 */
export function joinClaims(idToken: Claims, userinfo: Claims): Record<string, unknown> {
  const { email_verified: _, ...joined } = { ...userinfo, ...idToken };
  const said = [idToken, userinfo].filter(({ email }) => isSameAddress(email, joined['email']));
  const verified = said.map(readEmailVerified).filter((answer) => answer !== null);
  return verified.length === 0 ? joined : { ...joined, email_verified: verified.every(Boolean) };
}

/** Claims without an address refer to the other one's. */
const isSameAddress = (email: unknown, other: unknown): boolean =>
  email === undefined || email === null || lowerCase(email) === lowerCase(other);

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
