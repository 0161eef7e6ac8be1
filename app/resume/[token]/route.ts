// Receives decisions for waiting runs from people and other systems; implemented in lib/approvals.
import { handleResumeRequest } from '#lib/approvals/resume-route.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

const handle = async (
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> => handleResumeRequest(await processRuntime(), (await params).token, request);

export { handle as GET, handle as POST };
