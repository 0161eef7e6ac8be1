'use server';
import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import { setAlertSettings, setWorkflowAlertSettings } from '#lib/alerts/stored-settings.ts';
import { retryDelivery } from '#lib/alerts/deliveries/retry-delivery.ts';
import {
  createDestination,
  deleteDestination,
  updateDestination,
} from '#lib/alerts/destinations/save-destination.ts';
import { destinationInputSchema } from '#lib/alerts/destinations/schema.ts';
import { listAlerts } from '#lib/alerts/list-alerts.ts';
import { alertSettingsSchema, workflowAlertSettingsSchema } from '#lib/alerts/settings.ts';
import { testDestination } from '#lib/alerts/test-destination.ts';
import { env } from '#lib/core/env.ts';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';

const PAGE = 25;
const PATH = '/settings/alerts';
export const moreAlerts = action('viewer', z.strictObject({ cursor: z.string() }), (ctx, { cursor }) =>
  listAlerts(ctx, { limit: PAGE, cursor }),
);

export const addDestination = action('owner', destinationInputSchema, async (ctx, input) => {
  const made = await createDestination(ctx, input);
  revalidatePath(PATH);
  return made;
});

export const changeDestination = action(
  'owner',
  destinationInputSchema.extend({ id: z.string() }),
  async (ctx, input) => {
    await updateDestination(ctx, input);
    revalidatePath(PATH);
  },
);

export const removeDestination = action('owner', idSchema, async (ctx, input) => {
  await deleteDestination(ctx, input);
  revalidatePath(PATH);
});

export const sendTestAlert = action('owner', idSchema, async (ctx, input) => {
  await testDestination({ ...ctx, settings: env() }, input);
  revalidatePath(PATH);
});

export const tryAgain = action('editor', idSchema, async (ctx, input) => {
  await retryDelivery({ ...ctx, settings: env() }, input);
  revalidatePath(PATH);
});

export const saveThresholds = action('owner', alertSettingsSchema, async (ctx, input) => {
  const saved = await setAlertSettings(ctx, input);
  revalidatePath(PATH);
  return saved;
});

export const saveWorkflowAlerts = action(
  'editor',
  workflowAlertSettingsSchema.extend({ id: z.string() }),
  async (ctx, input) => {
    const saved = await setWorkflowAlertSettings(ctx, input);
    revalidatePath(`${PATH}/${input.id}`);
    return saved;
  },
);
