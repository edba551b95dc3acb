/** Keeps an agent connected: all streams use one connection, which is reopened when one of them ends. */
import { setTimeout as pause } from 'node:timers/promises';
import { asRelayError, RelayError } from '../errors.ts';
import { type Logger, SILENT } from '../logger.ts';
import type {
  InvokeRequest,
  InvokeResponse,
  Move,
  PullRequest,
  PullResponse,
  PushRequest,
  PushResponse,
} from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { type Backoff, backoffDelay, DEFAULT_BACKOFF } from './backoff.ts';
import { successor } from './move.ts';
import { connectRelay, type RelayConnection, type RelayConnectionOptions } from './relay-connection.ts';
import { type Lookup, spreadAddresses } from './spread-addresses.ts';

/** Callbacks for the machines of one connection, passed as their options. */
export interface ConnectionHooks {
  /** The server requests a new connection. */
  readonly onMove: (move: Move) => void;
  /** The server answered and named its capabilities. */
  readonly onWelcome: (capabilities: readonly string[]) => void;
}

/** State of the loop. `waiting`: `error` ended the connection, the next attempt starts in `delay` milliseconds. */
export type RelayClientState =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'waiting'; readonly error: RelayError | undefined; readonly delay: number };

/** Options of one connection. */
export interface RelayDial extends RelayConnectionOptions {
  /**
   * Aborts when a new connection must replace this one because its credential was renewed. The new one is opened first.
   */
  readonly replaced?: AbortSignal;
}

export interface RelayClientOptions {
  /**
   * Called before each attempt, so that a renewed certificate is used. May register first. Any of several addresses may
   * be used.
   */
  connection(): RelayDial | Promise<RelayDial>;
  /** Creates a machine for each stream. A machine that takes the hooks names the capability `move`. */
  push(hooks: ConnectionHooks): StreamMachine<PushResponse, PushRequest>;
  pull(hooks: ConnectionHooks): StreamMachine<PullResponse, PullRequest>;
  /** For servers with the capability `invoke`, once the push machine received it. */
  invoke?(): StreamMachine<InvokeResponse, InvokeRequest>;
  /** Called for each connection whose streams start, for unary calls on it. */
  readonly onConnection?: (connection: Pick<RelayConnection, 'sign' | 'trust'>) => void;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  readonly onState?: (state: RelayClientState) => void;
  readonly backoff?: Backoff;
  readonly logger?: Logger;
  /** From 0 to below 1; Math.random unless given. */
  readonly random?: () => number;
  /** Resolves a host name; default: the system's resolver. */
  readonly lookup?: Lookup;
  /** Waits some milliseconds; rejects when the signal is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * After this many milliseconds a connection counts as stable: the next attempt starts with the shortest pause again.
 */
const PROVED = 30_000;

/** Runs until the signal is aborted. Never rejects: it reconnects after every error. */
export async function runRelayClient(options: RelayClientOptions): Promise<void> {
  const { signal, onState, logger = SILENT, backoff = DEFAULT_BACKOFF, random = Math.random, sleep = wait } = options;
  let attempt = 0;
  let next: Dialled | undefined;
  while (!signal.aborted) {
    if (next === undefined) onState?.({ state: 'connecting' });
    const began = performance.now();
    const { error, next: current }: Ended = await connectOnce(options, next);
    next = current;
    if (signal.aborted) break;
    if (next !== undefined) {
      logger.info({ reason: error?.message }, 'relay connection replaced');
      attempt = 0;
      continue;
    }
    if (performance.now() - began > PROVED) attempt = 0;
    const delay = delayAfter(error, attempt, backoff, random());
    attempt++;
    onState?.({ state: 'waiting', error, delay });
    const { code, message: reason, next: todo } = error ?? {};
    logger.warn({ code, reason, next: todo, delay: Math.round(delay) }, 'relay connection ended');
    await sleep(delay, signal).catch(() => undefined);
  }
  next?.connection.close();
}

function delayAfter(error: RelayError | undefined, attempt: number, backoff: Backoff, random: number): number {
  // A draining server only excludes itself; agents still must not reconnect all at once.
  if (error?.retry === 'now') return backoffDelay(backoff, Math.min(attempt, 1), random);
  // Errors that only a user can fix are retried less often.
  const withLongTimeout = 2 * backoff.max;
  if (error?.retry === 'never')
    return backoffDelay({ first: withLongTimeout, max: withLongTimeout }, 0, 0.5 + random / 2);
  return backoffDelay(backoff, attempt, random);
}

/** A connection and the signal that another should replace it. */
interface Dialled {
  readonly connection: RelayConnection;
  readonly replaced: AbortSignal | undefined;
}

/** Why a connection ended, and its replacement. */
interface Ended {
  readonly error?: RelayError | undefined;
  readonly next?: Dialled | undefined;
}

async function dial({ connection, random = Math.random, lookup }: RelayClientOptions): Promise<Dialled> {
  const { replaced, ...options } = await connection();
  return { connection: connectRelay(await spreadAddresses(options, random, lookup)), replaced };
}

async function connectOnce(options: RelayClientOptions, ready: Dialled | undefined): Promise<Ended> {
  let dialled = ready;
  try {
    dialled ??= await dial(options);
    return await runStreams(dialled, options);
  } catch (thrown) {
    return { error: asRelayError(thrown) };
  } finally {
    dialled?.connection.close();
  }
}

async function runStreams({ connection, replaced }: Dialled, options: RelayClientOptions): Promise<Ended> {
  const { signal, onState } = options;
  if (signal.aborted) return {};
  const succession = new Succession(options);
  const invoked = Promise.withResolvers<RelayError | undefined>();
  const hooks: ConnectionHooks = {
    onMove: ({ reason, within }) => succession.begin(reason, within),
    onWelcome: (capabilities) => {
      if (options.invoke === undefined || !capabilities.includes('invoke')) return;
      void connection.invoke(options.invoke()).closed.then(invoked.resolve);
    },
  };
  const streams = [connection.push(options.push(hooks)), connection.pull(options.pull(hooks))];
  options.onConnection?.(connection);
  const stop = (): void => connection.close();
  const renewed = (): void => succession.begin('the credential was renewed');
  signal.addEventListener('abort', stop, { once: true });
  replaced?.addEventListener('abort', renewed, { once: true });
  if (replaced?.aborted === true) renewed();
  try {
    void Promise.all(streams.map(({ welcomed }) => welcomed)).then((all) => {
      if (all.every(Boolean)) onState?.({ state: 'connected' });
    });
    const closed = [...streams.map((stream) => stream.closed), invoked.promise];
    const ends = closed.map(async (end): Promise<Ended> => ({ error: await end }));
    const end = await Promise.race([...ends, succession.done]);
    succession.end(end.next);
    return end;
  } finally {
    succession.end(undefined);
    signal.removeEventListener('abort', stop);
    replaced?.removeEventListener('abort', renewed);
  }
}

/** The search for the replacement of a connection. */
class Succession {
  /** Settles when the present connection must be closed. */
  readonly done: Promise<Ended>;
  readonly #options: RelayClientOptions;
  readonly #over = new AbortController();
  readonly #found: (end: Ended) => void;
  #current: Dialled | undefined;
  #searching = false;

  constructor(options: RelayClientOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<Ended>();
    this.done = promise;
    this.#found = resolve;
  }

  /**
   * @param within milliseconds after which the present connection ends; undefined if it continues when no other can be
   *   opened
   */
  begin(reason: string, within?: number): void {
    if (this.#searching || this.#over.signal.aborted) return;
    this.#searching = true;
    void this.#search(reason, within);
  }

  /** Stops the search and closes every connection it opened, except the one taken. */
  end(taken: Dialled | undefined): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    if (this.#current !== taken) this.#current?.connection.close();
  }

  async #search(reason: string, within: number | undefined): Promise<void> {
    const { sleep = wait, logger = SILENT } = this.#options;
    const next = await successor(within ?? 0, {
      dial: () => dial(this.#options),
      sleep,
      signal: this.#over.signal,
      now: () => performance.now(),
      failed: (thrown) => {
        const { code, message, next: todo } = asRelayError(thrown);
        logger.warn(
          { code, reason: message, next: todo, sourcePolicies: reason },
          'relay connection cannot be replaced yet',
        );
      },
    });
    this.#searching = false;
    this.#current = next;
    if (this.#over.signal.aborted) next?.connection.close();
    else if (next !== undefined || within !== undefined)
      this.#found({ error: new RelayError('RELAY_E_DRAINING', reason), next });
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pause(milliseconds, undefined, { signal });
}
