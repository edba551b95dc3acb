/** An agent over the real relay that sends given objects, and reports when its outputs change. */
import { Buffer } from 'node:buffer';
import { clusterPolicyKinds, type KubeObject } from '@meshrelay/api';
import { createCsr, generateKey, writePrivateKey } from '@meshrelay/pki';
import istio from '@meshrelay/plugin-istio';
import {
  ContentIndex,
  connectRelay,
  type ObjectKind,
  ObjectTable,
  PullReceiver,
  PushSender,
  type RelayConnection,
  Sequence,
} from '@meshrelay/relay-protocol';
import { type Registration, SERVER_NAME } from './management.ts';
import { envelopeOf } from './two-clusters.ts';

const REPORTED: readonly ObjectKind[] = [
  ...['Mesh', 'Workload', 'Destination'].map((kind) => ({
    group: 'discovery.meshrelay.dev',
    version: 'v1alpha1',
    kind,
  })),
  ...clusterPolicyKinds.map((kind) => ({ group: 'networking.meshrelay.dev', version: 'v1alpha1', kind })),
];

export class DialledAgent implements Disposable {
  readonly #table = new ObjectTable();
  readonly #connection: RelayConnection;
  /** The last applied output, as text; called back with each. */
  #applied: (body: string) => void = () => undefined;

  /** Registers by a token, and opens both streams. */
  static async dial({ token, ...place }: Registration): Promise<DialledAgent> {
    const key = await generateKey('agent');
    const options = { ...place, authority: SERVER_NAME };
    using first = connectRelay(options);
    const { certificatePem } = await first.register({ token, csrPem: await createCsr({ key }), program: 'bench' });
    const clientCertificate = { key: writePrivateKey(key), certificate: certificatePem };
    return new DialledAgent(place.cluster, connectRelay({ ...options, clientCertificate }));
  }

  private constructor(cluster: string, connection: RelayConnection) {
    this.#connection = connection;
    for (const kind of REPORTED) this.#table.markSynced(kind);
    const kinds = istio.writes.map(({ group, version, kind }) => ({ group, version, kind }));
    connection.push(new PushSender({ cluster, sequence: new Sequence(1), table: this.#table, kinds: REPORTED }));
    connection.pull(
      new PullReceiver({
        cluster,
        term: 1,
        kinds,
        contentIndex: new ContentIndex(),
        applied: new Map(),
        applier: {
          apply: ({ upserts }) => {
            for (const { body } of upserts) this.#applied(Buffer.from(body).toString());
            return [];
          },
        },
      }),
    );
  }

  report(...objects: readonly KubeObject[]): void {
    for (const object of objects) this.#table.upsert(envelopeOf(object));
  }

  /** Resolves when an applied object contains this text. */
  applies(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#applied = (body) => {
        if (body.includes(text)) resolve();
      };
    });
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
