'use server';
import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import { createFromStarter as createStarter } from '#lib/editor/starters/create-from-starter.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import {
  activateWorkflow,
  pauseWorkflow,
  renameWorkflow,
  tagWorkflow,
  deleteWorkflow,
} from '#lib/workflows/lifecycle.ts';
import { createWorkflow, duplicateWorkflow, exportWorkflow } from '#lib/workflows/create-workflow.ts';
import { importSchema, importTextSchema } from '#lib/workflows/import-schema.ts';
import { checkImport, importWorkflow } from '#lib/workflows/import-workflow.ts';
import { restoreWorkflow } from '#lib/workflows/versions.ts';
import { listTrash, previewDeletion as previewDelete, purgeWorkflow } from '#lib/workflows/trash/trash.ts';
import { newWorkflowSchema, pauseSchema, tagsSchema } from '#lib/workflows/schema.ts';

const nameSchema = newWorkflowSchema.shape.name;

const LIST = '/workflows';
const TRASH_PAGE = 50;

const blankSchema = z.strictObject({ name: nameSchema, trigger: z.string().max(100) });

/** A workflow with a trigger of this type. */
export const createBlank = action('editor', blankSchema, async (ctx, { name, trigger: type }) => {
  const settings = { ...findTaskKind(type)?.newSettings };
  const trigger = { id: 1, type, settings, position: { x: 0, y: 0 } };
  const { id } = await createWorkflow(ctx, { name, tasks: [trigger], edges: [] });
  revalidatePath(LIST);
  return { id };
});

const senderSchema = z.strictObject({ connectionId: z.string(), phoneNumberId: z.string().max(100) });

export const createFromStarter = action(
  'editor',
  z.strictObject({ starterId: z.string(), sender: senderSchema.optional() }),
  async (ctx, input) => {
    const made = await createStarter(ctx, input);
    revalidatePath(LIST);
    return made;
  },
);

export const rename = action('editor', idSchema.extend({ name: nameSchema }), async (ctx, input) => {
  await renameWorkflow(ctx, input);
  revalidatePath(LIST);
});

export const setTags = action('editor', idSchema.extend({ tags: tagsSchema }), async (ctx, input) => {
  await tagWorkflow(ctx, input);
  revalidatePath(LIST);
});

export const setActive = action(
  'editor',
  idSchema.extend({ active: z.boolean(), ...pauseSchema.shape }),
  async (ctx, { active, ...input }) => {
    await (active ? activateWorkflow(ctx, input) : pauseWorkflow(ctx, input));
    revalidatePath(LIST);
  },
);

export const duplicate = action('editor', idSchema, async (ctx, input) => {
  const { id, name } = await duplicateWorkflow(ctx, input);
  revalidatePath(LIST);
  return { id, name };
});

export const previewDeletion = action('editor', idSchema, previewDelete);

export const remove = action('editor', idSchema.extend({ cancel_runs: z.boolean() }), async (ctx, input) => {
  await deleteWorkflow(ctx, input);
  revalidatePath(LIST, 'layout');
});

export const restore = action('editor', idSchema.extend({ activate: z.boolean() }), async (ctx, input) => {
  await restoreWorkflow(ctx, input);
  revalidatePath(LIST, 'layout');
});

export const moreTrash = action('viewer', z.strictObject({ cursor: z.string() }), (ctx, { cursor }) =>
  listTrash(ctx, { cursor, limit: TRASH_PAGE }),
);

export const deletePermanently = action('editor', idSchema, async (ctx, input) => {
  await purgeWorkflow(ctx, input);
  revalidatePath(LIST, 'layout');
});

export const exportJson = action('viewer', idSchema, async (ctx, input) => {
  const workflow = await exportWorkflow(ctx, input);
  return { name: workflow.name, json: JSON.stringify(workflow, null, 2) };
});

export const checkImportText = action('editor', importTextSchema, checkImport);

export const importText = action('editor', importSchema, async (ctx, input) => {
  const { id } = await importWorkflow(ctx, input);
  revalidatePath(LIST);
  return { id };
});
