/** A sink that stores the objects and records the calls. */
import type { KubeObject } from '@meshrelay/api';
import type { KindSink, ObjectKey } from '../src/mod.ts';

export class RecordingSink implements KindSink {
  readonly objects = new Map<string, KubeObject>();
  /** One list of calls per transaction. */
  readonly ticks: string[][] = [];
  /** Thrown by the next call. */
  fault: Error | undefined;
  syncs = 0;
  #inside = false;

  transact(body: () => void): void {
    this.ticks.push([]);
    this.#inside = true;
    try {
      body();
    } finally {
      this.#inside = false;
    }
  }

  replaceAll(objects: readonly KubeObject[]): void {
    this.#note(`all ${objects.map(({ metadata }) => metadata.name).join(' ')}`.trim());
    this.objects.clear();
    for (const object of objects) this.objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
  }

  upsert(object: KubeObject): void {
    this.#note(`upsert ${object.metadata.name}`);
    this.objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
  }

  remove({ namespace, name }: ObjectKey): void {
    this.#note(`remove ${name}`);
    this.objects.delete(`${namespace}/${name}`);
  }

  synced(): void {
    this.#note('synced');
    this.syncs++;
  }

  #note(call: string): void {
    if (!this.#inside) throw new Error(`${call} outside of a transaction`);
    if (this.fault !== undefined) {
      const { fault } = this;
      this.fault = undefined;
      throw fault;
    }
    this.ticks.at(-1)?.push(call);
  }
}
