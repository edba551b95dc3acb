/**
 * Notes on the objects what Envoys refuse of them: each replica under its own name, since it alone knows its Envoys. From there it goes to the server with the object, and so
 * onto the policies.
 */
import type { XdsRefusal, XdsRefusals } from '@meshrelay/api';
import { type Clock, isKubeError, type KubeConnection, ourKind } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import { told } from './refused-resources.ts';
import type { SeenXdsObject } from './xds-objects.ts';

export interface RefusalStatusesOptions {
  readonly connection: Pick<KubeConnection, 'objects'>;
  /** Of the objects. */
  readonly namespace: string;
  readonly replica: string;
  /** The objects as they are, once they are all known. */
  readonly seen: () => ReadonlyMap<string, SeenXdsObject> | undefined;
  readonly refused: () => ReadonlyMap<string, readonly XdsRefusal[]>;
  /** Whether this replica leads: it clears what replicas left that are gone. */
  readonly leads: () => boolean;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly logger: Logger;
}

const XDS_CONFIG = ourKind('XdsConfig');
/** Envoys that change their minds cost at most one look in this time; in milliseconds. */
const PAUSE = 1_000;
const LOOK = 60_000;
/** A replica says every five minutes that it is still so; what nobody has repeated for fifteen was said by one that is gone. */
const REPEAT = 5 * 60_000;
const GONE = 15 * 60_000;

/** Runs from its making until disposed, which takes back what it noted. */
export class RefusalStatuses implements AsyncDisposable {
  readonly #options: RefusalStatusesOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = new AbortController();
  #count = 0;

  constructor(options: RefusalStatusesOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Resources that Envoys of this replica refuse, or are not sent. */
  get count(): number {
    return this.#count;
  }

  /** Something may be different. Costs nothing. */
  look(): void {
    this.#wake.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.look();
    await this.#running;
    await this.#noteAll(new Map());
  }

  async #run(): Promise<void> {
    const { clock, refused } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const wake = this.#wake.signal;
      const now = refused();
      this.#count = [...now.values()].reduce((sum, all) => sum + all.length, 0);
      const done = await this.#noteAll(now);
      await clock.sleep(PAUSE, signal);
      if (done) await clock.sleep(LOOK, AbortSignal.any([signal, wake]));
    }
  }

  /** @returns whether all could be noted */
  async #noteAll(refused: ReadonlyMap<string, readonly XdsRefusal[]>): Promise<boolean> {
    let done = true;
    for (const [name, object] of this.#options.seen() ?? []) {
      const change = this.#change(object, refused.get(name) ?? []);
      if (Object.keys(change).length > 0) done = (await this.#note(name, change)) && done;
    }
    return done;
  }

  /** What is to be different in the status, by replica; null: to be taken away. */
  #change({ generation, refused = {} }: SeenXdsObject, resources: readonly XdsRefusal[]): Record<string, unknown> {
    const { replica, now, leads } = this.#options;
    const { [replica]: before, ...others } = refused;
    const at = now();
    const since = ({ seenAt }: XdsRefusals): number => at.getTime() - Date.parse(seenAt);
    const gone = leads() ? Object.entries(others).filter(([, one]) => !(since(one) < GONE)) : [];
    const change: Record<string, unknown> = Object.fromEntries(gone.map(([name]) => [name, null]));
    if (resources.length === 0) return before === undefined ? change : { ...change, [replica]: null };
    const said = { observedGeneration: generation, count: resources.length, resources: told(resources) };
    const { seenAt: _, ...same } = before ?? { seenAt: '' };
    const isSame = before !== undefined && since(before) < REPEAT && isEqual(same, said);
    return isSame ? change : { ...change, [replica]: { ...said, seenAt: at.toISOString() } };
  }

  async #note(name: string, refused: Record<string, unknown>): Promise<boolean> {
    const { connection, namespace, logger } = this.#options;
    try {
      await connection.objects(XDS_CONFIG).mergeStatus({ namespace, name }, { refused });
      return true;
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return true;
      logger.warn('what Envoys refuse cannot be noted on the object yet', { object: name, error });
      return false;
    }
  }
}

/** Whatever order the API server has given the fields. */
function isEqual(one: object, other: object): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
