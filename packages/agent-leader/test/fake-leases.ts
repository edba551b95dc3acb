/** In-memory Leases of an API server: versions, conflicts and injected faults. */
import type { Lease, LeaseClient } from '../src/mod.ts';

export type Call = 'get' | 'get -> 404' | 'create' | 'update';

/** Network conditions of one request: its latency, and whether the request or its response is lost. */
export interface Weather {
  readonly there: number;
  readonly back: number;
  readonly ending: 'none' | 'request' | 'answer';
}

export class FakeLeases {
  stored: Lease | undefined;
  readonly calls: Call[] = [];
  #version = 0;

  constructor(spec?: Lease['spec'] | 'none') {
    if (spec !== 'none') this.put(spec);
  }

  /** Writes without any check, as a person with kubectl would. */
  put(spec: Lease['spec']): void {
    const metadata = { name: 'agent', namespace: 'meshrelay', resourceVersion: String(++this.#version) };
    this.stored = spec === undefined ? { metadata } : { metadata, spec };
  }

  read(): Lease | undefined {
    this.calls.push(this.stored === undefined ? 'get -> 404' : 'get');
    return this.stored;
  }

  create(lease: Lease): Lease {
    this.calls.push('create');
    if (this.stored !== undefined) throw new Error('409 AlreadyExists');
    this.put(lease.spec);
    return this.stored as unknown as Lease;
  }

  update(lease: Lease): Lease {
    this.calls.push('update');
    if (this.stored?.metadata.resourceVersion !== lease.metadata.resourceVersion) throw new Error('409 Conflict');
    this.put(lease.spec);
    return this.stored as Lease;
  }

  /** Returns a client. It calls `meet` before each request and waits by the clock of the network. */
  client(
    rendezvous: () => Weather = () => ({ there: 0, back: 0, ending: 'none' }),
    advance: (milliseconds: number) => Promise<void> = () => Promise.resolve(),
  ): LeaseClient {
    const through = async <T>(serve: () => T): Promise<T> => {
      const weather = rendezvous();
      await advance(weather.there);
      if (weather.ending === 'request') throw new Error('ECONNRESET');
      let answer: { value: T } | { error: unknown };
      try {
        answer = { value: serve() };
      } catch (error) {
        answer = { error };
      }
      await advance(weather.back);
      if (weather.ending === 'answer') throw new Error('socket hang up');
      if ('error' in answer) throw answer.error;
      return answer.value;
    };
    return {
      get: () => through(() => this.read()),
      create: (lease) => through(() => this.create(lease)),
      update: (lease) => through(() => this.update(lease)),
    };
  }
}
