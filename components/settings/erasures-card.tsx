import { describeErased } from '#components/live/customer-words.ts';
import { Badge } from '#components/ui/badge.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { Erasure } from '#lib/workflows/erasure/erase-customer.ts';

interface ErasuresCardProps {
  erasures: readonly Erasure[];
  hasMore: boolean;
}

/** The receipts of erased customers. */
export const ErasuresCard = ({ erasures, hasMore }: ErasuresCardProps) => (
  <section className="flex flex-col gap-3">
    <div>
      <h2 className="text-lg font-semibold">Erased customers</h2>
      <p className="text-muted">Receipts name nobody. Owners erase a customer on the customer’s page.</p>
    </div>
    {erasures.length === 0 ? (
      <p className="text-muted">No customer was erased.</p>
    ) : (
      <Table label="Erased customers">
        <thead>
          <tr>
            <Th>Receipt</Th>
            <Th>By</Th>
            <Th>Erased</Th>
            <Th>State</Th>
          </tr>
        </thead>
        <tbody>
          {erasures.map((erasure) => (
            <Tr key={erasure.id}>
              <Td className="min-w-36 align-top">
                <span className="block font-mono text-sm break-all">{erasure.id}</span>
                <span className="block text-sm text-muted">
                  <RelativeTime at={erasure.requested_at} />
                </span>
              </Td>
              <Td className="align-top break-words">{erasure.requested_by}</Td>
              <Td className="align-top text-sm">{describeErased(erasure.counts).join(', ') || '–'}</Td>
              <Td className="align-top">
                <State erasure={erasure} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    )}
    {hasMore && <p className="text-sm text-muted">Earlier receipts: GET /api/v1/erasures.</p>}
  </section>
);

function State({ erasure: { finished_at: finishedAt, waiting_runs: waiting } }: { erasure: Erasure }) {
  if (finishedAt !== null) return <Badge tone="success">Done</Badge>;
  return (
    <>
      <Badge tone="warning">In progress</Badge>
      {waiting > 0 && (
        <span className="block text-sm text-muted">
          Waits for {waiting} {waiting === 1 ? 'run' : 'runs'} for others
        </span>
      )}
    </>
  );
}
