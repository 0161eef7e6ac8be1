// Preloaded into the product's processes: removes a protection (sabotages.ts) from the worker's bundle while it is loaded.
import { registerHooks } from 'node:module';

const { of, text, instead } = JSON.parse(process.env.CHAOS_SABOTAGE ?? '{}');

registerHooks({
  load(url, context, load) {
    const loaded = load(url, context);
    if (!url.endsWith('/worker.mjs')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(text)) throw new Error(`The worker has no "${text}": ${of} cannot be taken out.`);
    return { ...loaded, source: source.replaceAll(text, instead) };
  },
});
