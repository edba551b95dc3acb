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

export interface RelayClientOptions {
  /** Asked before each attempt, so that a renewed certificate is used. May register first. */
  connection(): RelayConnectionOptions | Promise<RelayConnectionOptions>;
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
  while (!signal.aborted) {
    onState?.({ state: 'connecting' });
    const began = performance.now();
    const error = await connectOnce(options);
    if (signal.aborted) return;
    if (performance.now() - began > PROVED) attempt = 0;
    const delay = delayAfter(error, attempt, backoff, random());
    attempt++;
    onState?.({ state: 'waiting', error, delay });
    logger.warn({ code: error?.code, reason: error?.message, delay: Math.round(delay) }, 'relay connection ended');
    await sleep(delay, signal).catch(() => undefined);
  }
}

function delayAfter(error: RelayError | undefined, attempt: number, backoff: Backoff, random: number): number {
  // A server that drains has just told where not to go; still, not all agents at one moment.
  if (error?.retry === 'now') return backoffDelay(backoff, Math.min(attempt, 1), random);
  // What only people can mend need not be asked for as often.
  const patient = 2 * backoff.most;
  if (error?.retry === 'never') return backoffDelay({ first: patient, most: patient }, 0, 0.5 + random / 2);
  return backoffDelay(backoff, attempt, random);
}

/** @returns why the connection ended. */
async function connectOnce(options: RelayClientOptions): Promise<RelayError | undefined> {
  let connection: RelayConnection | undefined;
  try {
    connection = connectRelay(await options.connection());
    return await runStreams(connection, options);
  } catch (thrown) {
    return asRelayError(thrown);
  } finally {
    connection?.close();
  }
}

async function runStreams(connection: RelayConnection, options: RelayClientOptions): Promise<RelayError | undefined> {
  const { signal, onState } = options;
  if (signal.aborted) return undefined;
  const streams = [connection.push(options.push()), connection.pull(options.pull())];
  const stop = (): void => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    void Promise.all(streams.map(({ welcomed }) => welcomed)).then((all) => {
      if (all.every(Boolean)) onState?.({ state: 'connected' });
    });
    return await Promise.race(streams.map(({ closed }) => closed));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pause(milliseconds, undefined, { signal });
}
