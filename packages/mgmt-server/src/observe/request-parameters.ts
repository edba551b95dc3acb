/** Parses the URL parameters of log and traffic requests. */
import { limitOf, logQueryOf, QUERY_PARAMETERS, refuseUnknown, workloadOf } from '@meshrelay/access-log-sink';
import type { LogFilter, WorkloadName } from '@meshrelay/relay-protocol';

export interface LogsRequest {
  readonly query: LogFilter;
  /** Maximum number of entries. */
  readonly limit: number;
  /** Empty for all. */
  readonly clusters: readonly string[];
}

export interface TrafficRequest {
  /** Selects edges with this workload at one end, as far as it is named. */
  readonly workload: WorkloadName;
  readonly limit: number;
}

/** Maximum entries, and edges, of one answer. */
const MAX_LOG_LINES = 5_000;
const DEFAULT = { logs: 100, traffic: 1_000 };

const LOG_PARAMETERS = ['cluster', ...QUERY_PARAMETERS, 'limit', 'follow'];
const TRAFFIC_PARAMETERS = ['cluster', 'namespace', 'workload', 'limit'];

/** @throws ParameterError naming the parameter and the expected value */
export function parseLogsRequest(parameters: URLSearchParams, fallback: number = DEFAULT.logs): LogsRequest {
  refuseUnknown(parameters, LOG_PARAMETERS);
  return {
    query: logQueryOf(parameters),
    limit: limitOf(parameters.get('limit') ?? undefined, { max: MAX_LOG_LINES, fallback }),
    clusters: parameters.getAll('cluster'),
  };
}

/** @throws ParameterError */
export function parseTrafficRequest(parameters: URLSearchParams): TrafficRequest {
  refuseUnknown(parameters, TRAFFIC_PARAMETERS);
  const { workload = {} } = workloadOf('workload', parameters.get('workload') ?? undefined);
  const [cluster, namespace] = [parameters.get('cluster'), parameters.get('namespace')];
  return {
    workload: { ...workload, ...(namespace !== null && { namespace }), ...(cluster !== null && { cluster }) },
    limit: limitOf(parameters.get('limit') ?? undefined, { max: MAX_LOG_LINES, fallback: DEFAULT.traffic }),
  };
}
