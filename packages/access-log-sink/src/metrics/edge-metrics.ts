/**
 * Traffic between workloads: number, results and durations of requests, counted from access logs even if their entries
 * are not retained.
 */
import type { Attribution, Reporter, WorkloadRef } from '../attribution/reporter.ts';
import { RELATION_FIELDS, relate } from '../entry/access-log-entry.ts';
import type { AccessLogFields, FieldName } from '../entry/access-log-fields.ts';
import type { LogObserver } from '../tail/audience.ts';
import { addDuration, type Durations, newDurations } from './latency.ts';

/**
 * Calls between two workloads as one side reports them. If both have proxies, both sides report: do not add them up.
 */
export interface Edge {
  readonly source: WorkloadRef | undefined;
  readonly destination: WorkloadRef | undefined;
  readonly reporter: 'source' | 'destination';
  /** Requests by class: `2xx`, …, `none` if no response was sent, `tcp` for connections. */
  readonly responses: Map<string, number>;
  readonly durations: Durations;
}

export interface EdgeMetricsOptions {
  readonly attribution: Attribution;
  /** Maximum number of separate edges; 10,000 by default. */
  readonly maxEdges?: number;
}

const EDGES = 10_000;

export class EdgeMetrics implements LogObserver {
  readonly needs: readonly FieldName[] = [...RELATION_FIELDS, 'status', 'duration', 'intermediate'];
  readonly #attribution: Attribution;
  readonly #maxEdges: number;
  readonly #edges = new Map<string, Edge>();
  #overflowed = 0;

  constructor({ attribution, maxEdges = EDGES }: EdgeMetricsOptions) {
    this.#attribution = attribution;
    this.#maxEdges = maxEdges;
  }

  /** Entries whose edge exceeds that maximum. */
  get overflowed(): number {
    return this.#overflowed;
  }

  /** Current state of all edges. */
  edges(): Iterable<Readonly<Edge>> {
    return this.#edges.values();
  }

  observe(fields: AccessLogFields, reporter: Reporter): void {
    // A later entry repeats an intermediate one with larger numbers; counting both would count twice.
    if (fields.intermediate === true) return;
    const { source, destination, direction } = relate(fields, reporter, this.#attribution);
    if (direction === undefined) return;
    const edge = this.#edge(source, destination, direction === 'outbound' ? 'source' : 'destination');
    if (edge === undefined) return;
    const code = codeClass(fields);
    edge.responses.set(code, (edge.responses.get(code) ?? 0) + 1);
    if (fields.duration !== undefined && Number.isFinite(fields.duration)) addDuration(edge.durations, fields.duration);
  }

  #edge(
    source: WorkloadRef | undefined,
    destination: WorkloadRef | undefined,
    reporter: Edge['reporter'],
  ): Edge | undefined {
    const key = `${reporter} ${keyOf(source)} ${keyOf(destination)}`;
    const known = this.#edges.get(key);
    if (known !== undefined) return known;
    if (this.#edges.size >= this.#maxEdges) {
      this.#overflowed++;
      return undefined;
    }
    const edge: Edge = { source, destination, reporter, responses: new Map(), durations: newDurations() };
    this.#edges.set(key, edge);
    return edge;
  }
}

/** Kubernetes names contain no slash. */
function keyOf(workload: WorkloadRef | undefined): string {
  return workload === undefined ? '-' : `${workload.cluster}/${workload.namespace}/${workload.name}`;
}

function codeClass({ kind, status = 0 }: AccessLogFields): string {
  if (kind === 'tcp') return 'tcp';
  return status >= 100 && status <= 599 ? `${Math.floor(status / 100)}xx` : 'none';
}
