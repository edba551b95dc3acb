/** `meshctl logs -f`: follows entries, and reopens streams that end or break. */
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type OutputFormat, streamed } from '../output/format.ts';
import { InputError } from '../problem.ts';
import { openStream, reasonOf, rejectionOf, type ServerChoice } from '../server/call-server.ts';
import { serverEvents } from '../server/server-events.ts';
import { type ClusterAnswer, ClusterStates, say } from './cluster-states.ts';
import { type Entry, LogColumns } from './log-columns.ts';

/** Milliseconds: the delay before a stream is reopened, and its overlap with the previous one. */
const AGAIN = 1_000;
const OVERLAP = 10_000;
/** Lines that are cached, so that the overlap repeats no entry. */
const CACHED = 5_000;

interface Entries {
  readonly entries: readonly Entry[];
  readonly lost?: number;
  readonly cluster: string;
}

/**
 * Returns only by an error, or when standard output is closed.
 * @throws InputError if the first stream cannot be opened, or a later one cannot for a permanent reason
 */
export async function followLogs(
  choice: ServerChoice,
  parameters: URLSearchParams,
  output: OutputFormat,
): Promise<void> {
  const out = new Output(output);
  const clusterStates = new ClusterStates();
  let connected = false;
  for (;;) {
    try {
      const response = await open(choice, parameters);
      connected = true;
      for await (const { event, data } of serverEvents(response)) {
        if (event === 'cluster') clusterStates.reported(JSON.parse(data) as ClusterAnswer);
        if (event !== 'entries') continue;
        const { entries, lost = 0, cluster } = JSON.parse(data) as Entries;
        if (lost > 0)
          say(`${cluster}: ${lost} entries were dropped: entries arrive faster than they are read; add filters`);
        await out.write(entries);
        if (out.closed) return;
      }
    } catch (error) {
      if (error instanceof StaysAsItIs || !connected) throw error;
      say(`the stream failed (${reasonOf(error)}); meshctl reopens it`);
    }
    // A server ends streams periodically to authenticate the reader again; entries in between must not be lost.
    parameters.set('since', new Date(Date.now() - OVERLAP).toISOString());
    parameters.delete('limit');
    await pause(AGAIN);
  }
}

/** An error that a retry would repeat. */
class StaysAsItIs extends InputError {}

async function open(choice: ServerChoice, parameters: URLSearchParams): Promise<ReadableStream<Uint8Array>> {
  const answer = await openStream(choice, `/api/v1/logs?follow&${parameters}`);
  if (answer instanceof ReadableStream) return answer;
  const { message } = rejectionOf(choice, answer);
  throw answer.status >= 500 ? new InputError(message) : new StaysAsItIs(message);
}

/** Writes lines to standard output, each once, and waits for a slow reader. */
class Output {
  readonly #format: OutputFormat;
  readonly #columns = new LogColumns();
  /** In order of arrival. */
  readonly #shown = new Set<string>();
  #begun = false;
  closed = false;

  constructor(format: OutputFormat) {
    this.#format = format;
    process.stdout.on('error', () => {
      this.closed = true;
    });
  }

  async write(entries: readonly Entry[]): Promise<void> {
    const fresh = entries.filter((entry) => this.#cache(JSON.stringify(entry)));
    if (fresh.length === 0) return;
    const as = this.#format;
    const parts =
      as === 'table'
        ? [...this.#header(fresh), ...fresh.map((entry) => this.#columns.line(entry))].map((line) => `${line}\n`)
        : fresh.map((entry) => streamed(entry, as));
    if (this.closed || process.stdout.write(parts.join(''))) return;
    await once(process.stdout, 'drain').catch(() => undefined);
  }

  #header(entries: readonly Entry[]): string[] {
    this.#columns.measure(entries);
    if (this.#begun) return [];
    this.#begun = true;
    return [this.#columns.header()];
  }

  /** @returns false if the line was shown recently */
  #cache(line: string): boolean {
    if (this.#shown.has(line)) return false;
    this.#shown.add(line);
    if (this.#shown.size > CACHED) this.#shown.delete(this.#shown.values().next().value ?? '');
    return true;
  }
}
