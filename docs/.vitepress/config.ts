// VitePress reads its configuration from here; the content is in docs/site.
export { default } from '../site/config.ts';
