import type { JsonObject } from '#lib/core/json/value.ts';

/** A message of each type: its properties besides the common ones, and the fields that the workflow gets. */
export const MESSAGES: readonly [title: string, content: JsonObject, read: JsonObject][] = [
  ['text', { type: 'text', text: { body: 'Hi' } }, { text: 'Hi' }],
  [
    'text after an ad',
    {
      type: 'text',
      text: { body: 'Hi' },
      referral: {
        source_type: 'ad',
        source_id: '1',
        source_url: 'https://fb.me/1',
        headline: 'Sale',
        ctwa_clid: 'x',
      },
    },
    {
      text: 'Hi',
      referral: {
        source_type: 'ad',
        source_id: '1',
        source_url: 'https://fb.me/1',
        headline: 'Sale',
        ctwa_clid: 'x',
      },
    },
  ],
  [
    'reply',
    { type: 'text', text: { body: 'Yes' }, context: { from: '1', id: 'wamid.x' } },
    { reply_to: 'wamid.x' },
  ],
  [
    'question about a product',
    {
      type: 'text',
      text: { body: 'This?' },
      context: { referred_product: { catalog_id: '1', product_retailer_id: 'a' } },
    },
    { text: 'This?' },
  ],
  [
    'image',
    {
      type: 'image',
      image: { id: '7', mime_type: 'image/jpeg', sha256: 'a=', caption: 'Look', url: 'https://x.example/7' },
    },
    { media_id: '7', text: 'Look' },
  ],
  [
    'video',
    { type: 'video', video: { id: '8', mime_type: 'video/mp4', sha256: 'a=' } },
    { media_id: '8', text: '' },
  ],
  [
    'document',
    {
      type: 'document',
      document: { id: '9', mime_type: 'application/pdf', sha256: 'a=', filename: 'a.pdf' },
    },
    { media_id: '9', filename: 'a.pdf' },
  ],
  [
    'voice message',
    { type: 'audio', audio: { id: '10', mime_type: 'audio/ogg; codecs=opus', sha256: 'a=', voice: true } },
    { media_id: '10', voice: true },
  ],
  [
    'sticker',
    { type: 'sticker', sticker: { id: '11', mime_type: 'image/webp', sha256: 'a=', animated: false } },
    { media_id: '11' },
  ],
  [
    'location',
    { type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Shop', address: 'Street 1' } },
    { text: 'Shop, Street 1', location: { latitude: 1.5, longitude: 2, name: 'Shop', address: 'Street 1' } },
  ],
  [
    'contacts',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Kim' }, origin: 'contact_request' }] },
    { contacts: [{ name: { formatted_name: 'Kim' }, origin: 'contact_request' }] },
  ],
  [
    'quick reply of a template',
    { type: 'button', button: { text: 'Yes', payload: 'y' }, context: { from: '1', id: 'wamid.x' } },
    { text: 'Yes', button: { text: 'Yes', payload: 'y' } },
  ],
  [
    'button',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } } },
    { text: 'Yes', button: { text: 'Yes', payload: 'y' } },
  ],
  [
    'row of a list',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row', description: 'One' } },
    },
    { text: 'Row', button: { text: 'Row', payload: 'r', description: 'One' } },
  ],
  [
    'flow',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t","day":"Friday"}' },
      },
    },
    { flow_reply: { name: 'flow', response: { flow_token: 't', day: 'Friday' } } },
  ],
  [
    'flow whose answers are no JSON',
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{' } },
    },
    { flow_reply: { name: 'flow', response: '{' } },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
    { text: '👍', reaction: { message_id: 'wamid.x', emoji: '👍' } },
  ],
  [
    'removed reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.x' } },
    { text: '', reaction: { message_id: 'wamid.x' } },
  ],
  [
    'order',
    {
      type: 'order',
      order: {
        catalog_id: '1',
        text: 'Please',
        product_items: [{ product_retailer_id: 'a', quantity: 1, item_price: 2.5, currency: 'EUR' }],
      },
    },
    {
      text: 'Please',
      order: {
        catalog_id: '1',
        text: 'Please',
        product_items: [{ product_retailer_id: 'a', quantity: 1, item_price: 2.5, currency: 'EUR' }],
      },
    },
  ],
  [
    'changed number',
    { type: 'system', system: { type: 'user_changed_number', body: 'Kim changed', wa_id: '15550001112' } },
    {
      text: 'Kim changed',
      system: { type: 'user_changed_number', body: 'Kim changed', wa_id: '15550001112' },
    },
  ],
  [
    'changed user id',
    { type: 'system', system: { type: 'user_changed_user_id', body: 'Kim changed', user_id: 'US.2' } },
    { text: 'Kim changed' },
  ],
  [
    'unsupported',
    {
      type: 'unsupported',
      unsupported: { type: 'video_note' },
      errors: [{ code: 131051, title: 'Message type unknown' }],
    },
    {
      type: 'unsupported',
      unsupported: { type: 'video_note' },
      errors: [{ code: 131051, title: 'Message type unknown' }],
    },
  ],
  [
    'edit',
    {
      type: 'edit',
      edit: { original_message_id: 'wamid.x', message: { type: 'text', text: { body: 'Hello' } } },
    },
    { text: 'Hello' },
  ],
  [
    'revoke',
    { type: 'revoke', revoke: { original_message_id: 'wamid.x' } },
    { revoke: { original_message_id: 'wamid.x' } },
  ],
  [
    'type of a later version',
    { type: 'hologram', hologram: { size: 'large' } },
    { type: 'hologram', text: '' },
  ],
  ['no type', {}, { type: 'unknown', text: '' }],
];
