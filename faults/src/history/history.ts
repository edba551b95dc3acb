/** Writes to the clusters of a fleet, in the order in which they took effect. */
import type { WriteRecord } from '@meshrelay/kube-sim';
import { OWNER_LABEL } from '@meshrelay/relay-core';

/** A write in one cluster. */
export interface Write extends WriteRecord {
  readonly cluster: string;
}

/** The history of a fleet. */
export class History {
  readonly #writes: Write[] = [];
  readonly #listeners = new Set<(write: Write) => void>();

  /** Records a write. */
  add(write: Write): void {
    this.#writes.push(write);
    for (const listener of this.#listeners) listener(write);
  }

  /** The current position in the history. */
  get mark(): number {
    return this.#writes.length;
  }

  /** The writes since a mark. */
  since(mark: number): readonly Write[] {
    return this.#writes.slice(mark);
  }

  /** Calls back inside each later write. Disposing the result ends that. */
  listen(listener: (write: Write) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

/** Pattern of users that are agent replicas. */
export const AGENT_USER = /^agent-/;
/** Pattern of users that are server replicas. */
export const SERVER_USER = /^mgmt-server-/;

/** Whether an object is a generated output. Secrets never are: Meshrelay's Secrets are the agents' own state. */
export function isOutput({ object: { kind, metadata } }: Pick<Write, 'object'>): boolean {
  return metadata.labels?.[OWNER_LABEL] !== undefined && kind !== 'Secret';
}

/** Whether only the status changed: agents report in it what they observe, such as a certificate that they received. */
export function isOfStatus({ object, previous }: Pick<Write, 'object' | 'previous'>): boolean {
  return previous !== undefined && withoutStatus(object) === withoutStatus(previous);
}

function withoutStatus({ status: _, metadata, ...rest }: Write['object']): string {
  const stated: Record<string, unknown> = { ...metadata };
  for (const field of ['managedFields', 'resourceVersion']) delete stated[field];
  return JSON.stringify([rest, stated]);
}

/** `deployments.apps bookshop/reviews in cluster-1`. */
export function nameOf({ cluster, group, resource, object }: Write): string {
  const { namespace, name } = object.metadata;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return `${group === '' ? resource : `${resource}.${group}`} ${place} in ${cluster}`;
}
