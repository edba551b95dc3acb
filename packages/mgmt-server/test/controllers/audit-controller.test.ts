/** Users' changes of clusters are audited, however long the read of another cluster takes. */
import type { KubeObject } from '@meshrelay/api';
import { createLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import type { AuditEntry } from '../../src/audit/audit.ts';
import { AuditController, type AuditControllerOptions } from '../../src/controllers/audit-controller.ts';

/** An API server with clusters that answers on command. */
class SlowServer {
  readonly clusters = new Map<string, { paused: boolean; shown: boolean }>();
  readonly recorded: string[] = [];
  readonly #answer = Promise.withResolvers<void>();

  /** Answers all pending and later reads. */
  answer(): void {
    this.#answer.resolve();
  }

  controller(): AuditController {
    const read = async ({ name }: { readonly name: string }): Promise<KubeObject> => {
      await this.#answer.promise;
      return { metadata: { name }, spec: { paused: this.clusters.get(name)?.paused } } as unknown as KubeObject;
    };
    const names = [...this.clusters.keys()];
    return new AuditController({
      connection: { objects: () => ({ read }) },
      namespace: 'meshrelay',
      fleet: {
        isRegistered: () => true,
        fleetState: { settings: new Map(), clusters: new Map(names.map((name) => [name, { name }])) },
      },
      management: {
        unsyncedKinds: new Set(['Settings']),
        live: (_kind: string, { name }: { readonly name: string }) => ({
          status: { paused: this.clusters.get(name)?.shown },
        }),
      },
      audit: { record: ({ action, cluster }: AuditEntry) => void this.recorded.push(`${action} ${cluster}`) },
      logger: createLogger({ name: 'test', level: 'silent' }),
    } as unknown as AuditControllerOptions);
  }
}

test('a pause is audited although a read of another cluster is pending and its status changes first', async () => {
  const server = new SlowServer();
  server.clusters.set('first', { paused: false, shown: false });
  server.clusters.set('second', { paused: false, shown: false });
  await using _controller = server.controller();
  server.clusters.set('second', { paused: true, shown: true });
  server.answer();
  await eventually('it is on record', () => server.recorded.length > 0);
  assert.equal(server.recorded, ['pause second']);
});

test('changes that the previous leader reported are not audited again', async () => {
  const server = new SlowServer();
  server.clusters.set('told', { paused: true, shown: true });
  server.clusters.set('untold', { paused: true, shown: false });
  await using _controller = server.controller();
  server.answer();
  await eventually('the missing records are written', () => server.recorded.length > 0);
  assert.equal(server.recorded, ['pause untold']);
});

test.run();
