/** What is asked of the HTTP API about logs and traffic, as it stands in the URL. */
import type { LogFilter, WorkloadName } from '@meshrelay/relay-protocol';

/** A parameter that is not what it should be. */
export class AskedError extends Error {
  override readonly name = 'AskedError';
}

export interface LogsAsked {
  readonly query: LogFilter;
  /** Entries at most. */
  readonly limit: number;
  /** None: all. */
  readonly clusters: readonly string[];
}

export interface TrafficAsked {
  /** An end of an edge is this, as far as it is named. */
  readonly workload: WorkloadName;
  readonly limit: number;
}

/** Entries, and edges, of one answer at most. */
export const MOST = 5_000;
const DEFAULT = { logs: 100, traffic: 1_000 };

const LOG_PARAMETERS = [
  'cluster',
  'workload',
  'source',
  'destination',
  'status',
  'path',
  'method',
  'kind',
  'since',
  'until',
  'limit',
  'follow',
];
const TRAFFIC_PARAMETERS = ['cluster', 'namespace', 'workload', 'limit'];

/** @throws AskedError that names the parameter and what was expected */
export function logsAsked(parameters: URLSearchParams, fallback: number = DEFAULT.logs): LogsAsked {
  refuseUnknown(parameters, LOG_PARAMETERS);
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined;
  const [path, method, kind] = [value('path'), value('method'), value('kind')];
  if (kind !== undefined && kind !== 'http' && kind !== 'tcp')
    throw new AskedError(`kind: expected http or tcp, found ${kind}`);
  const status = parameters.getAll('status').flatMap((each) => each.split(','));
  return {
    query: {
      ...part('workload', value('workload')),
      ...part('source', value('source')),
      ...part('destination', value('destination')),
      ...(status.length > 0 && { status: status.map(statusRange) }),
      ...(path !== undefined && { path: path.endsWith('*') ? { prefix: path.slice(0, -1) } : { exact: path } }),
      ...(method !== undefined && { method }),
      ...(kind !== undefined && { kind }),
      ...time('since', value('since')),
      ...time('until', value('until')),
    },
    limit: limitOf(value('limit'), fallback),
    clusters: parameters.getAll('cluster'),
  };
}

/** @throws AskedError */
export function trafficAsked(parameters: URLSearchParams): TrafficAsked {
  refuseUnknown(parameters, TRAFFIC_PARAMETERS);
  const { workload = {} } = part('workload', parameters.get('workload') ?? undefined);
  const [cluster, namespace] = [parameters.get('cluster'), parameters.get('namespace')];
  return {
    workload: { ...workload, ...(namespace !== null && { namespace }), ...(cluster !== null && { cluster }) },
    limit: limitOf(parameters.get('limit') ?? undefined, DEFAULT.traffic),
  };
}

function refuseUnknown(parameters: URLSearchParams, known: readonly string[]): void {
  for (const name of parameters.keys())
    if (!known.includes(name)) throw new AskedError(`${name}: unknown; choose of ${known.join(', ')}`);
}

/** `NAME`, `NAME.NAMESPACE` or `NAME.NAMESPACE.CLUSTER`: names of workloads hold no dot that matters, those of clusters may. */
function part<P extends 'workload' | 'source' | 'destination'>(
  name: P,
  text: string | undefined,
): Partial<Record<P, WorkloadName>> {
  if (text === undefined) return {};
  const [workload = '', namespace, ...cluster] = text.split('.');
  if (workload === '' || namespace === '' || cluster.includes(''))
    throw new AskedError(`${name}: expected NAME, NAME.NAMESPACE or NAME.NAMESPACE.CLUSTER, found ${text}`);
  const found: WorkloadName = {
    name: workload,
    ...(namespace !== undefined && { namespace }),
    ...(cluster.length > 0 && { cluster: cluster.join('.') }),
  };
  return { [name]: found } as Record<P, WorkloadName>;
}

/** `503`, `5xx`, `400-499` or `>=500`. */
function statusRange(text: string): readonly [number, number] {
  const hundred = /^([0-9])xx$/i.exec(text)?.[1];
  if (hundred !== undefined) return [Number(hundred) * 100, Number(hundred) * 100 + 99];
  const [, sign, bound] = /^(>=|>|<=|<)(\d{1,3})$/.exec(text) ?? [];
  if (bound !== undefined) {
    const at = Number(bound);
    if (sign === '>=' || sign === '>') return [sign === '>' ? at + 1 : at, 999];
    return [0, sign === '<' ? at - 1 : at];
  }
  const [, from, to = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (from === undefined) throw new AskedError(`status: expected 503, 5xx, 400-499 or >=500, found ${text}`);
  return [Number(from), Number(to)];
}

function time<P extends 'since' | 'until'>(name: P, text: string | undefined): Partial<Record<P, number>> {
  if (text === undefined) return {};
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new AskedError(`${name}: expected a time such as 2026-01-31T12:00:00Z, found ${text}`);
  return { [name]: milliseconds } as Record<P, number>;
}

function limitOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST) return Number(text);
  throw new AskedError(`limit: expected 1 to ${MOST}, found ${text}`);
}
