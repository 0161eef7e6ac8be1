// The sandbox's data. Ids are strings of digits, except message ids (`wamid.…`). Instants in milliseconds.

/** Only a CONNECTED number sends: PENDING was never registered, DISCONNECTED was deregistered. */
export type PhoneStatus = 'CONNECTED' | 'PENDING' | 'DISCONNECTED';

export type QualityRating = 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
export type MessagingTier = 'TIER_250' | 'TIER_1K' | 'TIER_10K' | 'TIER_100K' | 'TIER_UNLIMITED';
export type TemplateStatus = 'APPROVED' | 'PENDING' | 'REJECTED' | 'DISABLED' | 'PAUSED';
export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed';
export type MediaKind = 'image' | 'video' | 'audio' | 'document';
/** Kinds of messages with a file; a sticker looks like a picture. */
export type SentMediaKind = MediaKind | 'sticker';

export type Business = { kind: 'business'; id: string; name: string; verified: boolean };

/** A business account (WABA): owned by one business, shared with others as a client account. */
export type Account = {
  kind: 'account';
  id: string;
  name: string;
  ownerBusinessId: string;
  sharedWithBusinessIds: string[];
  /** Without a payment method the platform sends no templates. */
  hasPaymentMethod: boolean;
  /** The error code for its messages, such as 131031; null: none. */
  restriction: number | null;
  /** Other apps that are subscribed to the account. */
  otherApps: { id: string; name: string; callbackUrl: string | null }[];
};

export type Phone = {
  kind: 'phone';
  id: string;
  accountId: string;
  displayPhoneNumber: string;
  verifiedName: string;
  qualityRating: QualityRating;
  tier: MessagingTier;
  /** STANDARD: the setting `messages_per_second`; HIGH: 1,000 a second. */
  throughput: 'STANDARD' | 'HIGH';
  status: PhoneStatus;
  /** Of two-step verification: registering needs it; null: the next registration sets it. */
  pin: string | null;
  /** Instants of calls to register it. */
  registerCalls: number[];
};

export type TemplateButton = {
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE' | 'FLOW';
  text: string;
  flow_id?: string;
  flow_action?: 'navigate' | 'data_exchange';
  navigate_screen?: string;
  url?: string;
  phone_number?: string;
  example?: string[] | string;
};

export type TemplateComponent =
  | {
      type: 'HEADER';
      format: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT';
      text?: string;
      example?: {
        header_text?: string[];
        header_text_named_params?: NamedExample[];
        header_handle?: string[];
      };
    }
  | {
      type: 'BODY';
      text: string;
      example?: { body_text?: string[][]; body_text_named_params?: NamedExample[] };
      /** Of authentication templates, whose text is the platform's. */
      add_security_recommendation?: boolean;
    }
  | { type: 'FOOTER'; text: string; code_expiration_minutes?: number }
  | { type: 'BUTTONS'; buttons: TemplateButton[] }
  | { type: 'CAROUSEL'; cards: { components: TemplateComponent[] }[] };

/** Placeholders are numbers, {{1}}, or names, {{first_name}}. */
export type ParameterFormat = 'POSITIONAL' | 'NAMED';
export type NamedExample = { param_name: string; example: string };

export type Template = {
  kind: 'template';
  id: string;
  accountId: string;
  name: string;
  language: string;
  category: TemplateCategory;
  /** Before the platform changed it. */
  previousCategory?: TemplateCategory;
  /** The platform will change it to this one. */
  correctCategory?: TemplateCategory;
  status: TemplateStatus;
  rejectedReason: string;
  components: TemplateComponent[];
  /** Without it POSITIONAL. */
  parameterFormat?: ParameterFormat;
  /** The `message_status` of its messages, in place of `accepted`. */
  pacing?: 'held_for_quality_assessment' | 'paused';
  updatedAt: number;
};

/** Bytes that were uploaded by a business, fetched from its link, or sent by a customer. */
export type Media = {
  kind: 'media';
  id: string;
  phoneId: string;
  mimeType: string;
  filename: string | null;
  sha256: string;
  sizeBytes: number;
  /** When a customer sent it; null: a business uploaded it or its link. */
  receivedAt: number | null;
  bytes: Buffer;
};

export type PlatformFault = { code: number; title: string; message: string; error_data: { details: string } };

export type StatusStep = {
  status: Exclude<MessageStatus, 'accepted'>;
  timestampSeconds: number;
  errors?: PlatformFault[];
};

/** The content of a message on the phone, for all types. */
export type RenderedButton = {
  /** `REPLY` is a button of an interactive message, `ASK` one that asks for a location, a contact or a form. */
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE' | 'REPLY' | 'ASK';
  text: string;
  target: string;
  payload: string;
};
export type Rendered = {
  header: string | null;
  media: { kind: MediaKind; mediaId: string; filename: string | null } | null;
  text: string;
  footer: string | null;
  buttons: RenderedButton[];
  list: RenderedList | null;
  linkPreview: string | null;
};

/** A message that shows nothing yet. */
export const EMPTY_MESSAGE: Rendered = {
  header: null,
  media: null,
  text: '',
  footer: null,
  buttons: [],
  list: null,
  linkPreview: null,
};

export type RenderedList = {
  button: string;
  sections: { title: string; rows: { id: string; title: string; description: string }[] }[];
};

/** One message: `out` from the business to the customer, `in` from the customer. */
export type Message = {
  kind: 'message';
  id: string;
  direction: 'in' | 'out';
  phoneId: string;
  customer: string;
  type: string;
  /** The posted message (out) or the one in the notification (in). */
  payload: Record<string, unknown>;
  rendered: Rendered;
  templateName: string | null;
  /** The template whose assessment it waits for. */
  heldFor?: string;
  status: MessageStatus;
  steps: StatusStep[];
  /** For incoming ones: the business marked it as read. */
  seenByBusiness: boolean;
  acceptedAt: number;
};

export type Subscription = {
  id: string;
  callbackUrl: string;
  verifyToken: string;
  /** null: every account. */
  accountId: string | null;
  /** `override`: of one account; `app`: the app's one URL; `control`: of the control API, which gets everything. */
  source: 'override' | 'app' | 'control';
  /** Subscribed fields; null: all. */
  fields: string[] | null;
};

export type GraphNode = Business | Account | Phone | Template | Media | Message;

/** One pending change for a subscription. */
export type Change = { accountId: string; field: string; value: object };
