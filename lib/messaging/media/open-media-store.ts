import { createFolderStore } from './folder-store.ts';
import type { LinkSealer } from './media-link.ts';
import type { MediaSettings } from './media-settings.ts';
import type { MediaStore } from './store-types.ts';

/** @param links signs the links of files that Patchbay itself serves */
export async function openMediaStore({ store }: MediaSettings, links: LinkSealer): Promise<MediaStore> {
  if (store.kind === 'folder') return createFolderStore(store.folder, links);
  // The library is large: loaded only where it is used.
  const { createS3Store } = await import('./s3-store.ts');
  return createS3Store(store.s3);
}
