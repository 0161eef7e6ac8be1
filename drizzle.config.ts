import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './lib/identity/schema/*.ts',
    './lib/engine/schema/*.ts',
    './lib/messaging/schema/*.ts',
    './lib/secrets/schema.ts',
  ],
  out: './drizzle',
});
