// The settings about the messages that start a workflow, separate from those about requests.
import * as z from 'zod';
import { subscriptionSchema } from '#lib/messaging/connections/schema.ts';

export const messageStartShape = {
  app_connection_id: z
    .string()
    .max(200)
    .default('')
    .meta({
      title: 'Connection',
      description: 'Whose messages start the workflow. Publishing applies it. The URLs work, too.',
      picks: { from: 'connection' },
    }),
  phone_number_id: z
    .string()
    .trim()
    .max(100)
    .default('')
    .meta({
      title: 'Number',
      description: 'Only messages to this number; empty: to any number of the connection.',
      picks: { from: 'phone_number', isOptional: true },
    }),
  message_kinds: subscriptionSchema.shape.message_kinds.meta({
    title: 'Kinds of messages',
    description: 'Only messages of these kinds; empty: messages of every kind.',
  }),
  words: subscriptionSchema.shape.words.meta({
    title: 'Words',
    description:
      'Only messages that contain one of these as a whole word, in upper or lower case; empty: any message.',
  }),
  in_conversations: z
    .enum(['not', 'also'])
    .default('not')
    .meta({
      title: 'While a conversation is open',
      description:
        'A conversation is open while a run of any workflow waits for the customer’s answer. A message that a run of this workflow takes as its answer never starts another one.',
      labels: { not: 'Do not start: the answer is only for that run', also: 'Start, too' },
    }),
  beside_others: z
    .enum(['also', 'not'])
    .default('also')
    .meta({
      title: 'If a more specific workflow starts',
      description:
        'Other active workflows that start on messages with certain words, or of certain kinds. For a general reply beside them, select “Do not start”: otherwise customers get two answers.',
      labels: { also: 'Start, too', not: 'Do not start: only messages that none of them starts on' },
    }),
};
