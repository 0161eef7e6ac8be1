import type { Metadata } from 'next';
import { ApiReference } from '#components/api-reference/api-reference.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { toOpenApi } from '#lib/api/openapi.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { requireMember } from '#lib/identity/auth/session.ts';

export const metadata: Metadata = { title: 'API reference' };

export default async function ApiReferencePage() {
  const { baseUrl } = await requireMember('viewer');
  return (
    <Page>
      <PageHeader title="API reference" />
      <ApiReference document={toOpenApi(OPERATIONS, baseUrl)} />
    </Page>
  );
}
