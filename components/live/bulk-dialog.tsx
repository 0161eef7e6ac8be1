'use client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import type { BulkOutcome } from '#lib/screens/list-types.ts';
import type { BulkAction, BulkRepeat } from './list-types.ts';

const AT_ONCE = 10;
const MAX_SHOWN_PROBLEMS = 50;

export interface BulkJob {
  /** "Retry failed runs" */
  title: string;
  /** Effect on each item. */
  description: string;
  /** "Retry 12 runs" */
  confirmLabel: (count: number) => string;
  danger: boolean;
  /** Why nothing may match. */
  emptyText: string;
  repeat: Pick<BulkRepeat<never>, 'label' | 'explain'> | undefined;
  findItems: (found: (count: number) => void, signal: AbortSignal) => Promise<FoundItems>;
  act: BulkAction;
  /** "replayed" */
  done: string;
}

interface FoundItems {
  items: BulkItem[];
  /** Effects, as counted by the server. */
  words?: string[];
}

interface BulkItem {
  id: string;
  /** This item would be processed a second time. */
  isRepeat: boolean;
}

type State =
  | { step: 'finding'; count: number }
  | { step: 'ready'; items: BulkItem[]; words?: string[] | undefined }
  | { step: 'working'; done: number; total: number }
  | { step: 'over'; done: number; total: number }
  | { step: 'error'; message: string };

/** A bulk action: finds the items over all pages, confirms, and shows the progress. */
export function BulkDialog({ job, onClose }: { job: BulkJob; onClose: (didSomething: boolean) => void }) {
  const [state, setState] = useState<State>({ step: 'finding', count: 0 });
  const [problems, setProblems] = useState<BulkOutcome[]>([]);
  const [chosen, setChosen] = useState<ChosenRepeat | null>(null);
  const [stop] = useState(() => new AbortController());
  const didSomething = useRef(false);
  useEffect(() => {
    const search = new AbortController();
    job
      .findItems((count) => setState({ step: 'finding', count }), search.signal)
      .then(({ items, words }) => setState({ step: 'ready', items, words }))
      .catch((error: Error) => {
        if (!search.signal.aborted) setState({ step: 'error', message: error.message });
      });
    return () => search.abort();
  }, [job]);
  const work = async (ids: string[]) => {
    didSomething.current = true;
    const total = ids.length;
    for (let done = 0; done < total && !stop.signal.aborted;) {
      setState({ step: 'working', done, total });
      const batch = ids.slice(done, done + AT_ONCE);
      const result = await job.act({ ids: batch, ...(chosen ? { repeat: true } : {}) });
      if (!result.ok) return setState({ step: 'error', message: result.error.message });
      const refused = result.data.filter(({ problem }) => problem !== null);
      setProblems((known) => [...known, ...refused]);
      done += batch.length;
      setState({ step: done < total && !stop.signal.aborted ? 'working' : 'over', done, total });
    }
  };
  const close = () => {
    stop.abort();
    onClose(didSomething.current);
  };
  const items = state.step === 'ready' ? state.items : [];
  const repeats = items.filter(({ isRepeat }) => isRepeat).map(({ id }) => id);
  const ids = items.filter(({ isRepeat }) => !isRepeat || chosen !== null).map(({ id }) => id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={job.title}
      description={job.description}
      footer={<Buttons job={job} state={state} ids={ids} close={close} stop={stop} work={work} />}
    >
      <div aria-live="polite" className="flex min-h-16 flex-col gap-3">
        <Progress job={job} state={state} refused={problems.length} />
        {job.repeat && repeats.length > 0 && (
          <BulkRepeatChoice repeat={job.repeat} ids={repeats} chosen={chosen} onChosen={setChosen} />
        )}
        {problems.length > 0 && <Problems problems={problems} />}
      </div>
    </Dialog>
  );
}

function Buttons({
  job,
  state,
  ids,
  close,
  stop,
  work,
}: {
  job: BulkJob;
  state: State;
  ids: string[];
  close: () => void;
  stop: AbortController;
  work: (ids: string[]) => Promise<void>;
}) {
  if (state.step === 'working') return <Button onClick={() => stop.abort()}>Stop</Button>;
  if (state.step === 'over' || state.step === 'error')
    return (
      <Button variant="primary" onClick={close}>
        Close
      </Button>
    );
  return (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button
        variant={job.danger ? 'danger' : 'primary'}
        disabled={ids.length === 0}
        onClick={() => void work(ids)}
      >
        {state.step === 'finding'
          ? job.title
          : ids.length === 0
            ? 'Nothing to do'
            : job.confirmLabel(ids.length)}
      </Button>
    </>
  );
}

function Progress({ job, state, refused }: { job: BulkJob; state: State; refused: number }) {
  switch (state.step) {
    case 'finding':
      return (
        <p className="flex items-center gap-2">
          <Spinner label={null} /> Finding all matches: {state.count} so far
        </p>
      );
    case 'ready':
      if (state.words)
        return (
          <>
            {state.words.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </>
        );
      return <p>{state.items.length === 0 ? job.emptyText : <Found items={state.items} />}</p>;
    case 'error':
      return (
        <Callout tone="danger" live>
          {state.message}
        </Callout>
      );
    case 'working':
    case 'over': {
      const { done, total } = state;
      const isOver = state.step === 'over';
      const could = (done - refused).toLocaleString('en');
      return (
        <div className="flex flex-col gap-2">
          <progress value={done} max={total} aria-label="Progress" className="h-2 w-full accent-accent" />
          <p className="tabular-nums">
            {isOver ? `${could} ${job.done}` : `${done} of ${total}`}
            {refused > 0 && `, ${refused} couldn't be ${job.done}`}
            {isOver && done < total && `. Stopped after ${done} of ${total}`}
          </p>
        </div>
      );
    }
  }
}

function Found({ items }: { items: readonly BulkItem[] }) {
  const repeats = items.filter(({ isRepeat }) => isRepeat).length;
  if (repeats === 0) return `${items.length} match.`;
  return `${items.length - repeats} new, ${repeats} that already ran`;
}

const Problems = ({ problems }: { problems: readonly BulkOutcome[] }) => (
  <ul className="max-h-56 overflow-y-auto rounded-md border border-line">
    {problems.slice(0, MAX_SHOWN_PROBLEMS).map(({ id, problem }) => (
      <li key={id} className="border-b border-line px-3 py-2 text-sm last:border-b-0">
        <span className="font-mono text-xs text-muted">{id.slice(-12)}</span> {problem}
      </li>
    ))}
  </ul>
);

/** The user's choice to repeat, with its shown effects. */
interface ChosenRepeat {
  text: string;
}

/** Includes items that would be processed a second time, after showing what is repeated. */
function BulkRepeatChoice({
  repeat,
  ids,
  chosen,
  onChosen,
}: {
  repeat: Pick<BulkRepeat<never>, 'label' | 'explain'>;
  ids: readonly string[];
  chosen: ChosenRepeat | null;
  onChosen: (chosen: ChosenRepeat | null) => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (isChosen: boolean) => {
    setProblem(null);
    if (!isChosen) return onChosen(null);
    setIsAsking(true);
    try {
      onChosen({ text: await repeat.explain(ids) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The server cannot be reached. Try again.');
    }
    setIsAsking(false);
  };
  return (
    <>
      <Checkbox
        label={repeat.label(ids.length)}
        checked={chosen !== null || isAsking}
        disabled={isAsking}
        onCheckedChange={(isChosen) => void choose(isChosen)}
      />
      {isAsking && <Spinner label="Counting the messages" />}
      {chosen && <Callout tone="warning">{chosen.text}</Callout>}
      {problem !== null && <Callout tone="danger">{problem}</Callout>}
    </>
  );
}
