/** A relay server that stores agents' objects by hash, and agents whose streams resume. */
import {
  ContentIndex,
  connectRelay,
  DesiredOutputs,
  type InputBatch,
  KindSets,
  ObjectTable,
  PullReceiver,
  PullSender,
  PushReceiver,
  PushSender,
  type RelayConnection,
  type RelayServer,
  type RelayStream,
  ResumeHint,
  Sequence,
  startRelayServer,
} from '@meshrelay/relay-protocol';
import type { BenchAuthority, Credential } from './authority.ts';

export const KIND = { group: '', version: 'v1', kind: 'Service' };

interface Known {
  readonly objectCounts: ContentIndex;
  last?: { readonly term: number; readonly seq: number };
}

export class BenchServer {
  relay!: RelayServer;
  /** Objects received from agents. */
  taken = 0;
  /** Batches passed on: a store would write them, and the graph would process them. */
  batches = 0;
  readonly #known = new Map<string, Known>();
  readonly #outputs = new DesiredOutputs();

  static async start({ server: tls, identify }: BenchAuthority): Promise<BenchServer> {
    const bench = new BenchServer();
    const kindSets = new KindSets();
    bench.#outputs.commit({ vector: new Map([['c', { term: 1, seq: 1 }]]), complete: true });
    const limits = { totalBytes: Number.MAX_SAFE_INTEGER };
    bench.relay = await startRelayServer({
      address: '127.0.0.1:0',
      tls,
      identify,
      register: () => Promise.reject(new Error('no agent registers')),
      onPush: ({ cluster }) => {
        const known = bench.#of(cluster);
        const { objectCounts, last } = known;
        const accept = (batch: InputBatch): undefined => {
          known.last = { term: batch.term, seq: batch.seq };
          bench.batches++;
          bench.taken += batch.upserts.length;
        };
        const before = last === undefined ? {} : { last, complete: true };
        return new PushReceiver({ cluster, ...before, contentIndex: objectCounts, kindSets, limits, sink: { accept } });
      },
      onPull: ({ cluster }) => new PullSender({ cluster, outputs: bench.#outputs, kindSets }),
    });
    return bench;
  }

  get address(): string {
    return `127.0.0.1:${this.relay.port}`;
  }

  #of(cluster: string): Known {
    const known = this.#known.get(cluster) ?? { objectCounts: new ContentIndex() };
    this.#known.set(cluster, known);
    return known;
  }
}

export class BenchAgent {
  readonly table: ObjectTable = new ObjectTable();
  readonly #cluster: string;
  readonly #credential: Credential;
  readonly #sequence = new Sequence(1);
  readonly #hint = new ResumeHint();
  readonly #objectCounts = new ContentIndex();
  #applied: ReadonlyMap<string, { readonly term: number; readonly seq: number } | 'gone'> = new Map();
  #complete = Promise.withResolvers<void>();
  #connection: RelayConnection | undefined;

  constructor(cluster: string, credential: Credential) {
    this.#cluster = cluster;
    this.#credential = credential;
    this.table.markSynced(KIND);
  }

  /** Opens both streams; resolves when both ends are in sync. */
  async connect(address: string, roots: string): Promise<void> {
    const [cluster, hint] = [this.#cluster, this.#hint];
    const options = { address, authority: 'relay.bench', roots, cluster, clientCertificate: this.#credential };
    const connection = connectRelay(options);
    this.#connection = connection;
    this.#complete = Promise.withResolvers<void>();
    const limits = { totalBytes: Number.MAX_SAFE_INTEGER };
    const push = new PushSender({ cluster, sequence: this.#sequence, table: this.table, kinds: [KIND], hint, limits });
    const pull = new PullReceiver({
      cluster,
      term: 1,
      kinds: [KIND],
      contentIndex: this.#objectCounts,
      applied: this.#applied,
      hint,
      applier: {
        apply: ({ vector, complete }) => {
          this.#applied = vector;
          if (complete) this.#complete.resolve();
          return [];
        },
      },
    });
    const streams: RelayStream[] = [connection.push(push), connection.pull(pull)];
    const ended = Promise.race(streams.map(({ closed }) => closed)).then((reason) => {
      throw reason ?? new Error(`a stream of ${cluster} ended`);
    });
    await Promise.race([Promise.all([...streams.map(({ welcomed }) => welcomed), this.#complete.promise]), ended]);
  }

  disconnect(): void {
    this.#connection?.close();
  }
}
