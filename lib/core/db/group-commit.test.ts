import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GroupCommit, type GroupCommitOptions, WaitedTooLong } from './group-commit.ts';

/** A group commit whose batches are completed by the test. */
function openCommits(options: Partial<GroupCommitOptions<number>> = {}) {
  const batches: { items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const commits = new GroupCommit<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, end: () => resolve(items.map((item) => `wrote ${item}`)), fail: reject });
      }),
    { maxBatch: 100, maxWeight: Infinity, weigh: (item) => item, lanes: 1, ...options },
  );
  const add = (...items: number[]): Promise<PromiseSettledResult<string>[]> =>
    Promise.allSettled(items.map((item) => commits.add(item)));
  return { add, batches, items: () => batches.map((batch) => batch.items) };
}

/** Waits until items of this turn of the event loop are being written. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const wrote = (...items: number[]) => items.map((item) => ({ status: 'fulfilled', value: `wrote ${item}` }));
const tooLate = (count: number) =>
  Array.from({ length: count }, () => ({
    status: 'rejected',
    reason: new WaitedTooLong('It waited for more than 1000 ms.'),
  }));

describe('group commit', () => {
  it('writes what arrived together in one batch, and answers each item with its own result', async () => {
    const { add, batches, items } = openCommits();
    const added = add(1, 2, 3);
    expect(items()).toEqual([]);
    await nextTurn();
    batches[0]?.end();
    expect(await added).toEqual(wrote(1, 2, 3));
    expect(items()).toEqual([[1, 2, 3]]);
  });

  it('collects what arrives while a batch is being written for the next one', async () => {
    const { add, batches, items } = openCommits();
    const first = add(1);
    await nextTurn();
    const others = [add(2), add(3)];
    await nextTurn();
    expect(items()).toEqual([[1]]);
    batches[0]?.end();
    await first;
    await nextTurn();
    expect(items()).toEqual([[1], [2, 3]]);
    batches[1]?.end();
    expect((await Promise.all(others)).flat()).toEqual(wrote(2, 3));
  });

  it('sends the next batch before it answers the one that was written', async () => {
    const { add, batches, items } = openCommits();
    const first = add(1);
    await nextTurn();
    void add(2);
    const sentWhenAnswered = first.then(() => items());
    batches[0]?.end();
    expect(await sentWhenAnswered).toEqual([[1], [2]]);
  });

  it.each([
    ['items', { maxBatch: 2, lanes: 3 }, [[1, 2], [3, 4], [5]]],
    ['weight', { maxWeight: 6, lanes: 3 }, [[1, 2, 3], [4], [5]]],
    ['weight, but one item at least', { maxWeight: 0, lanes: 5 }, [[1], [2], [3], [4], [5]]],
    [
      'lanes',
      { maxBatch: 2, lanes: 2 },
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('is bounded by %s', async (_, options, expected) => {
    const { add, items } = openCommits(options);
    void add(1, 2, 3, 4, 5);
    await nextTurn();
    expect(items()).toEqual(expected);
  });

  describe('that gathers', () => {
    const LONG_MS = 60_000;
    const gatherMs = () => LONG_MS;

    /** Ends a batch of two items while a third one waits. */
    async function endFirst(options: Partial<GroupCommitOptions<number>> = {}) {
      const opened = openCommits({ gatherMs, ...options });
      const first = opened.add(1, 2);
      await nextTurn();
      void opened.add(3);
      opened.batches[0]?.end();
      expect(await first).toEqual(wrote(1, 2));
      await nextTurn();
      return opened;
    }

    it('waits until as many came as were there when the last batch ended', async () => {
      const { add, items } = await endFirst();
      void add(4);
      await nextTurn();
      expect(items()).toEqual([[1, 2]]);
      void add(5, 6);
      await nextTurn();
      expect(items()).toEqual([
        [1, 2],
        [3, 4, 5, 6],
      ]);
    });

    it('waits no longer than it is told to', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const { items } = await endFirst();
        vi.advanceTimersByTime(LONG_MS - 1);
        await nextTurn();
        expect(items()).toEqual([[1, 2]]);
        vi.advanceTimersByTime(1);
        await nextTurn();
        expect(items()).toEqual([[1, 2], [3]]);
      } finally {
        vi.useRealTimers();
      }
    });

    it.each([
      [
        'must not wait after such a batch',
        { gatherMs: (batch: readonly number[]) => (batch.includes(7) ? LONG_MS : 0) },
        [3, 4],
      ],
      ['is as large as it may be', { maxBatch: 2 }, [3, 4]],
      ['is as heavy as it may be', { maxWeight: 3 }, [3]],
    ])('starts at once when it %s', async (_, options, next) => {
      const { add, items, batches } = openCommits({ gatherMs, ...options });
      const first = add(1, 2);
      await nextTurn();
      void add(3, 4);
      batches[0]?.end();
      await first;
      expect(items()).toEqual([[1, 2], next]);
    });

    it('starts at once after a single item, and when nothing is left', async () => {
      const { add, items, batches } = openCommits({ gatherMs });
      void add(1);
      await nextTurn();
      void add(2);
      batches[0]?.end();
      await nextTurn();
      expect(items()).toEqual([[1], [2]]);
      batches[1]?.end();
      await nextTurn();
      void add(3, 4);
      await nextTurn();
      expect(items()).toEqual([[1], [2], [3, 4]]);
    });
  });

  it('rejects what waited too long for its turn, and writes what came later', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const { add, batches, items } = openCommits({ maxWaitMs: 1000 });
    const first = add(1);
    await nextTurn();
    const late = add(2, 3);
    now.mockReturnValue(1);
    const inTime = add(4);
    now.mockReturnValue(1001);
    batches[0]?.end();
    expect(await first).toEqual(wrote(1));
    expect(await late).toEqual(tooLate(2));
    batches[1]?.end();
    expect(await inTime).toEqual(wrote(4));
    expect(items()).toEqual([[1], [4]]);
  });

  it('writes what comes after all of its queue waited too long', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const { add, batches, items } = openCommits({ maxWaitMs: 1000 });
    const first = add(1);
    await nextTurn();
    const late = add(2);
    now.mockReturnValue(1001);
    batches[0]?.end();
    expect(await first).toEqual(wrote(1));
    expect(await late).toEqual(tooLate(1));
    const next = add(3);
    await nextTurn();
    batches[1]?.end();
    expect(await next).toEqual(wrote(3));
    expect(items()).toEqual([[1], [3]]);
  });

  it('continues after a batch that failed, which fails all of its items', async () => {
    const { add, batches } = openCommits();
    const failed = add(1, 2);
    await nextTurn();
    batches[0]?.fail(new Error('No.'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = add(3);
    await nextTurn();
    batches[1]?.end();
    expect(await next).toEqual(wrote(3));
  });

  it('finds the item that fails its batch, where it is to split it', async () => {
    const commits = new GroupCommit<number, string>(
      async (items) => {
        if (items.includes(2)) throw new Error('2 cannot be written.');
        return items.map((item) => `wrote ${item}`);
      },
      { maxBatch: 100, maxWeight: Infinity, weigh: () => 0, lanes: 1, splitsFailed: () => true },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((item) => commits.add(item)));
    expect(settled).toEqual([
      ...wrote(1),
      { status: 'rejected', reason: new Error('2 cannot be written.') },
      ...wrote(3),
    ]);
  });
});
