'use client';
import { CircleAlert } from 'lucide-react';
import { Component, type ComponentType, type ReactNode, useEffect } from 'react';
import { Button } from './button.tsx';
import { MissingCodeError } from './later.ts';

export interface MissingPartProps {
  onRetry: () => void;
  /** Keeps it closed. */
  onDismiss?: (() => void) | undefined;
}

/** Replaces something that could not be opened, at the edge of the screen. */
export const MissingPart = (props: MissingPartProps) => (
  <div className="fixed inset-x-3 bottom-20 z-50 mx-auto max-w-lg animate-rise rounded-lg border border-line bg-raised p-4 shadow-overlay md:bottom-6">
    <MissingPartText {...props} />
  </div>
);

/** Explains the problem and the fix: it is retried when the browser is back online. */
export function MissingPartText({ onRetry, onDismiss }: MissingPartProps) {
  useRetryOnline(onRetry);
  return (
    <div role="alert" className="flex flex-col gap-3">
      <p className="flex gap-2">
        <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0 text-danger" />
        {navigator.onLine
          ? 'This could not be loaded: the server cannot be reached, or Patchbay was updated. Try again; if that does not help, reload the page.'
          : 'This could not be loaded: you are offline. Try again when you are back online.'}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            Close
          </Button>
        )}
        {navigator.onLine && (
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        )}
        <Button variant="primary" size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** For parts that open without a click: silently retried when the browser is back online. */
export function RetryQuietly({ onRetry }: MissingPartProps): ReactNode {
  useRetryOnline(onRetry);
  return null;
}

function useRetryOnline(onRetry: () => void): void {
  useEffect(() => {
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [onRetry]);
}

interface PartBoundaryProps extends MissingPartProps {
  instead: ReactNode;
  Missing: ComponentType<MissingPartProps> | null;
  /** Called before `onRetry` can be. */
  onMissing: () => void;
  children: ReactNode;
}

/** Catches errors of code that could not be loaded; any other error is rethrown. */
export class PartBoundary extends Component<PartBoundaryProps, { error?: unknown; isDismissed?: boolean }> {
  override state: { error?: unknown; isDismissed?: boolean } = {};

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch(error: unknown): void {
    if (error instanceof MissingCodeError) this.props.onMissing();
  }

  readonly #retry = (): void => {
    this.props.onRetry();
    this.setState({ error: undefined });
  };

  readonly #dismiss = (): void => {
    this.setState({ isDismissed: true });
    this.props.onDismiss?.();
  };

  override render(): ReactNode {
    const { error, isDismissed } = this.state;
    if (error === undefined) return this.props.children;
    if (!(error instanceof MissingCodeError)) throw error as Error;
    const { Missing, instead } = this.props;
    return (
      <>
        {instead}
        {!isDismissed && Missing && <Missing onRetry={this.#retry} onDismiss={this.#dismiss} />}
      </>
    );
  }
}
