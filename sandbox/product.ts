/** The platform's name in `messaging_product`, in path words and in notifications: this one constant. */
export const PRODUCT = 'whatsapp';

/** The two scopes that the messaging business task needs (spec, Authentication 2). */
export const MANAGEMENT_SCOPE = 'chat_business_management';
export const MESSAGING_SCOPE = 'chat_business_messaging';

/** Path word of a business's own accounts, of accounts shared with it, and of the account in subscriptions. */
export const OWNED_ACCOUNTS = `owned_${PRODUCT}_business_accounts`;
export const CLIENT_ACCOUNTS = `client_${PRODUCT}_business_accounts`;
export const ACCOUNT_OBJECT = `${PRODUCT}_business_account`;
export const API_DATA = `${PRODUCT}_business_api_data`;
