/** Which agents are connected here, and what became of what they were sent. */
import type { PolicyRef } from '@meshrelay/api';
import type { Refusal, RelaySession } from '@meshrelay/relay-protocol';

/** How one cluster stands with this replica. */
export interface ClusterConnection {
  readonly push: boolean;
  readonly pull: boolean;
  readonly address: string | undefined;
  /** What its agent refused to apply or could not, by object. */
  readonly refused: ReadonlyMap<string, Refusal>;
}

interface State {
  readonly streams: Set<RelaySession>;
  readonly refused: Map<string, Refusal>;
}

/** What a refused output says about the policies it was for. */
export interface RefusedOutput {
  readonly cluster: string;
  readonly refusal: Refusal;
  readonly because: readonly PolicyRef[];
}

export class Connections {
  readonly #clusters = new Map<string, State>();
  readonly #changed: (cluster: string) => void;

  /** @param changed called when a cluster's standing has changed */
  constructor(changed: (cluster: string) => void) {
    this.#changed = changed;
  }

  /** A stream opened. @returns what to call when it ends */
  opened(session: RelaySession): () => void {
    const { streams } = this.#state(session.cluster);
    streams.add(session);
    this.#changed(session.cluster);
    return () => {
      if (streams.delete(session)) this.#changed(session.cluster);
    };
  }

  /** Everything sent so far was taken. */
  applied(cluster: string): void {
    this.#changed(cluster);
  }

  refused(cluster: string, refusals: readonly Refusal[]): void {
    const { refused } = this.#state(cluster);
    for (const refusal of refusals) refused.set(objectOf(refusal), refusal);
    this.#changed(cluster);
  }

  of(cluster: string): ClusterConnection {
    const state = this.#clusters.get(cluster);
    const streams = [...(state?.streams ?? [])];
    return {
      push: streams.some(({ stream }) => stream === 'push'),
      pull: streams.some(({ stream }) => stream === 'pull'),
      address: streams[0]?.address,
      refused: state?.refused ?? new Map(),
    };
  }

  /** Clusters with both streams open here. */
  get connected(): readonly string[] {
    return [...this.#clusters.keys()].filter((cluster) => this.of(cluster).push && this.of(cluster).pull);
  }

  #state(cluster: string): State {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const state: State = { streams: new Set(), refused: new Map() };
    this.#clusters.set(cluster, state);
    return state;
  }
}

/** `kind namespace/name` */
function objectOf({ key: { kind, namespace, name } }: Refusal): string {
  return `${kind} ${namespace}/${name}`;
}
