/** Reads a stream of answers while a test continues. */
import type { LogBatch, ReplicaAnswer } from '@meshrelay/relay-protocol';
import { eventually } from '@meshrelay/testing';

export class Reading implements AsyncDisposable {
  readonly paths: unknown[] = [];
  readonly replicas: ReplicaAnswer[] = [];
  lost = 0;
  error: unknown;
  over = false;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(ask: (signal: AbortSignal) => AsyncIterable<LogBatch>) {
    this.#running = this.#read(ask(this.#stop.signal));
  }

  /** Last reported state of a replica. */
  answerOf(replica: string): ReplicaAnswer | undefined {
    return this.replicas.findLast((answer) => answer.replica === replica);
  }

  async until(what: string, probe: (reading: this) => boolean): Promise<void> {
    const seen = (): unknown => ({
      paths: this.paths.length,
      replicas: this.replicas,
      lost: this.lost,
      error: String(this.error),
    });
    await eventually(what, () => probe(this), { deadline: 60_000, seen });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    await this.#running;
  }

  async #read(batches: AsyncIterable<LogBatch>): Promise<void> {
    try {
      for await (const { entries, lost = 0, replicas = [] } of batches) {
        this.paths.push(...entries.map(({ path }) => path));
        this.replicas.push(...replicas);
        this.lost += lost;
      }
    } catch (error) {
      this.error = error;
    }
    this.over = true;
  }
}
