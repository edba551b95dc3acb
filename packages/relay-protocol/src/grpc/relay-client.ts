/** Keeps an agent connected: both streams over one connection, made again when one of them ends. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RelayError } from '../errors.ts';
import { asRelayError } from '../errors.ts';
import { type Logger, SILENT } from '../logger.ts';
import type { PullRequest, PullResponse, PushRequest, PushResponse } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { type Backoff, backoffDelay, DEFAULT_BACKOFF } from './backoff.ts';
import { connectRelay, type RelayConnection, type RelayConnectionOptions } from './relay-connection.ts';

/** What the loop is at. `waiting`: `error` ended the connection, the next attempt comes in `delay` milliseconds. */
export type RelayClientState =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'waiting'; readonly error: RelayError | undefined; readonly delay: number };

/** What one connection is made with. */
export interface RelayDial extends RelayConnectionOptions {
  /** Aborts when another should take its place: its credential was renewed. That one is made before this one is closed. */
  readonly replaced?: AbortSignal;
}

export interface RelayClientOptions {
  /** Asked before each attempt, so that a renewed certificate is used. May register first. */
  connection(): RelayDial | Promise<RelayDial>;
  /** A new machine for each stream. */
  push(): StreamMachine<PushResponse, PushRequest>;
  pull(): StreamMachine<PullResponse, PullRequest>;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  readonly onState?: (state: RelayClientState) => void;
  readonly backoff?: Backoff;
  readonly logger?: Logger;
  /** From 0 to below 1; Math.random unless given. */
  readonly random?: () => number;
  /** Waits some milliseconds; rejects when the signal is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** A connection that lived this long, in milliseconds, ended by chance: the next attempt begins with the shortest pause again. */
const PROVED = 30_000;

/** Runs until the signal is aborted. Never rejects: whatever ends a connection is a reason to make another. */
export async function runRelayClient(options: RelayClientOptions): Promise<void> {
  const { signal, onState, logger = SILENT, backoff = DEFAULT_BACKOFF, random = Math.random, sleep = wait } = options;
  let attempt = 0;
  let next: Dialled | undefined;
  while (!signal.aborted) {
    if (next === undefined) onState?.({ state: 'connecting' });
    const began = performance.now();
    const { error, successor }: Ended = await connectOnce(options, next);
    next = successor;
    if (signal.aborted) break;
    if (next !== undefined) {
      logger.debug({}, 'relay connection replaced');
      attempt = 0;
      continue;
    }
    if (performance.now() - began > PROVED) attempt = 0;
    const delay = delayAfter(error, attempt, backoff, random());
    attempt++;
    onState?.({ state: 'waiting', error, delay });
    logger.warn({ code: error?.code, reason: error?.message, delay: Math.round(delay) }, 'relay connection ended');
    await sleep(delay, signal).catch(() => undefined);
  }
  next?.connection.close();
}

function delayAfter(error: RelayError | undefined, attempt: number, backoff: Backoff, random: number): number {
  // A server that drains has just told where not to go; still, not all agents at one moment.
  if (error?.retry === 'now') return backoffDelay(backoff, Math.min(attempt, 1), random);
  // What only people can mend need not be asked for as often.
  const patient = 2 * backoff.most;
  if (error?.retry === 'never') return backoffDelay({ first: patient, most: patient }, 0, 0.5 + random / 2);
  return backoffDelay(backoff, attempt, random);
}

/** A connection, and what says that another should take its place. */
interface Dialled {
  readonly connection: RelayConnection;
  readonly replaced: AbortSignal | undefined;
}

/** Why a connection ended, and the one that is ready in its place. */
interface Ended {
  readonly error?: RelayError | undefined;
  readonly successor?: Dialled | undefined;
}

async function dial(options: RelayClientOptions): Promise<Dialled> {
  const { replaced, ...connection } = await options.connection();
  return { connection: connectRelay(connection), replaced };
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
  const streams = [connection.push(options.push()), connection.pull(options.pull())];
  const over = new AbortController();
  const stop = (): void => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    void Promise.all(streams.map(({ welcomed }) => welcomed)).then((all) => {
      if (all.every(Boolean)) onState?.({ state: 'connected' });
    });
    const closed = streams.map(async ({ closed: end }): Promise<Ended> => ({ error: await end }));
    return await Promise.race([...closed, succeed(options, replaced, over.signal)]);
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
  }
}

/** Resolves with a connection that is ready, once another is wanted; where none can be made, the present one goes on. */
async function succeed(
  options: RelayClientOptions,
  replaced: AbortSignal | undefined,
  over: AbortSignal,
): Promise<Ended> {
  if (replaced === undefined) return never();
  await aborted(AbortSignal.any([replaced, over]));
  if (over.aborted) return never();
  let successor: Dialled | undefined;
  const drop = (): void => successor?.connection.close();
  over.addEventListener('abort', drop, { once: true });
  try {
    successor = await dial(options);
    await successor.connection.ready();
    over.removeEventListener('abort', drop);
    if (!over.aborted) return { successor };
  } catch (thrown) {
    const { code, message: reason } = asRelayError(thrown);
    if (!over.aborted)
      options.logger?.warn({ code, reason }, 'relay connection cannot be replaced; the present one goes on');
  }
  drop();
  return never();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function wait(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pause(milliseconds, undefined, { signal });
}
