/** The platform's name in `messaging_product`, in paths and in notifications: only defined here. */
export const PRODUCT = 'whatsapp';

/** The two scopes that the messaging business task needs (spec, Authentication 2). */
export const MANAGEMENT_SCOPE = 'chat_business_management';
export const MESSAGING_SCOPE = 'chat_business_messaging';

/** The real platform's scope for listing businesses. */
export const BUSINESS_SCOPE = 'business_management';

/**
 * Scopes of the real platform that are equivalent to the spec's two. Tokens of embedded signup had the last in place of the
 * first.
 */
export const SCOPE_ALIASES: Record<string, string[]> = {
  [MANAGEMENT_SCOPE]: [`${PRODUCT}_business_management`, `${PRODUCT}_business_manage_events`],
  [MESSAGING_SCOPE]: [`${PRODUCT}_business_messaging`],
};

/** Path segment of a business's own accounts, of accounts shared with it, and of the account in subscriptions. */
export const OWNED_ACCOUNTS = `owned_${PRODUCT}_business_accounts`;
export const CLIENT_ACCOUNTS = `client_${PRODUCT}_business_accounts`;
export const ACCOUNT_OBJECT = `${PRODUCT}_business_account`;
export const API_DATA = `${PRODUCT}_business_api_data`;
