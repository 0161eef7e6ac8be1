import type { GraphNode } from '../model.ts';
import type { World } from '../world.ts';

/** The object with this id, whatever it is, or null. */
export function findNode(world: World, id: string): GraphNode | null {
  return (
    world.phones.get(id) ??
    world.accounts.get(id) ??
    world.messages.get(id) ??
    world.businesses.get(id) ??
    world.templates.get(id) ??
    world.media.get(id) ??
    null
  );
}
