/**
 * Lightweight abort signals: a fleet creates two per request, and Node's own cost more than most of the work they end.
 * Only its sources reference a dependent signal, so it is collected with them. Node would retain it for the life of the
 * thread, and with it every ended fleet.
 */
import process from 'node:process';

interface AbortEvent {
  readonly type: 'abort';
  readonly target: SimSignal;
  readonly currentTarget: SimSignal;
}

type Listener = ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void };
type ListenerOptions = boolean | { readonly once?: boolean; readonly signal?: SimSignal };

export class SimSignal {
  aborted = false;
  reason: unknown = undefined;
  onabort: ((event: AbortEvent) => void) | null = null;
  /** In the order in which they were added; true: called only once. */
  #listeners: Map<Listener, boolean> | undefined;
  /** Signals that abort with this one, after its listeners. */
  #dependents: Set<SimSignal> | undefined;
  #sources: readonly SimSignal[] = [];

  /** An aborted signal. */
  static abort(reason?: unknown): SimSignal {
    const signal = new SimSignal();
    signal.end(reason);
    return signal;
  }

  /** A signal that aborts with the first of these. */
  static any(signals: Iterable<SimSignal>): SimSignal {
    const any = new SimSignal();
    const sources = [...signals];
    const ended = sources.find(({ aborted }) => aborted);
    if (ended !== undefined) any.end(ended.reason);
    else {
      any.#sources = sources;
      for (const source of sources) {
        source.#dependents ??= new Set();
        source.#dependents.add(any);
      }
    }
    return any;
  }

  addEventListener(type: string, listener: Listener | null, options: ListenerOptions = false): void {
    const { once = false, signal = undefined } = typeof options === 'object' ? options : {};
    if (type !== 'abort' || listener === null || signal?.aborted === true) return;
    this.#listeners ??= new Map();
    if (this.#listeners.has(listener)) return;
    this.#listeners.set(listener, once);
    signal?.addEventListener('abort', () => this.removeEventListener('abort', listener), { once: true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (type === 'abort' && listener !== null) this.#listeners?.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Implements `abort` of its controller. */
  end(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#notifyListeners();
    for (const source of this.#sources) source.#dependents?.delete(this);
    const dependents = this.#dependents;
    this.#dependents = undefined;
    for (const dependent of dependents ?? []) dependent.end(reason);
  }

  #notifyListeners(): void {
    const listeners = this.#listeners;
    if (listeners === undefined && this.onabort === null) return;
    const event: AbortEvent = { type: 'abort', target: this, currentTarget: this };
    for (const [listener, once] of [...(listeners ?? [])]) {
      if (listeners?.has(listener) !== true) continue;
      if (once) listeners.delete(listener);
      call(listener, event);
    }
    if (this.onabort !== null) call(this.onabort, event);
  }
}

/** An error in one listener does not stop the others, and is not caught. */
function call(listener: Listener, event: AbortEvent): void {
  try {
    if (typeof listener === 'function') listener.call(event.target, event);
    else listener.handleEvent(event);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

export class SimController {
  readonly signal: SimSignal = new SimSignal();

  abort(reason?: unknown): void {
    this.signal.end(reason);
  }
}
