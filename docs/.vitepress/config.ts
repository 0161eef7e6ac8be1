// VitePress looks for its configuration here; what it says is in docs/site.
export { default } from '../site/config.ts';
