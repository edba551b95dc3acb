/** What an Envoy tells its agent of requests and connections. What it sends is a little more than is kept: the agent has the last word. */
import { type Any, accessLog, core, create, grpcAccessLog, type MessageInitShape, pack } from '@meshrelay/envoy-api';
import { type AccessLogRuleView, memoizeUntilCompaction } from '@meshrelay/relay-core';
import { AGENT_CLUSTER } from '../../agent-cluster.ts';
import { duration } from '../messages.ts';
import { filterOf } from './filter.ts';
import { headersToLog } from './names.ts';

/** Whose side of a request an entry is about: the agent tells callers by it. */
export type LogName = 'inbound' | 'outbound' | 'gateway';

type CommonInit = MessageInitShape<typeof grpcAccessLog.CommonGrpcAccessLogConfigSchema>;

/**
 * The loggers of one side of a workload. They say nothing of which records ask, nor in which order, since whatever changes in a listener costs the
 * connections that are open there.
 */
export interface Loggers {
  readonly requests: accessLog.AccessLog[];
  readonly connections: accessLog.AccessLog[];
}

const NO_LOGGERS: Loggers = { requests: [], connections: [] };

/** Once for all workloads with these wishes. */
export const loggersFor: (rules: readonly AccessLogRuleView[]) => (name: LogName) => Loggers = memoizeUntilCompaction(
  (rules) => {
    const made = new Map<LogName, Loggers>();
    return (name) => {
      const known = made.get(name) ?? loggers(name, rules);
      made.set(name, known);
      return known;
    };
  },
);

function loggers(name: LogName, rules: readonly AccessLogRuleView[]): Loggers {
  if (rules.length === 0) return NO_LOGGERS;
  const filter = filterOf(rules);
  const requests = create(accessLog.AccessLogSchema, {
    name: 'envoy.access_loggers.http_grpc',
    ...(filter === undefined ? {} : { filter }),
    configType: {
      case: 'typedConfig',
      value: requestLogger(name, rules),
    },
  });
  return { requests: [requests], connections: asksForConnections(rules) ? [connectionLogger(name, rules)] : [] };
}

/** Of a connection there is no status, and no header: it is met by what asks for everything, and by what asks for the lack of a header. */
function asksForConnections(rules: readonly AccessLogRuleView[]): boolean {
  return rules.some(
    ({ filters }) => filters.length === 0 || filters.some((filter) => 'header' in filter && filter.header.invert),
  );
}

function requestLogger(name: LogName, rules: readonly AccessLogRuleView[]): Any {
  const config: MessageInitShape<typeof grpcAccessLog.HttpGrpcAccessLogConfigSchema> = {
    commonConfig: common(name, rules),
    additionalRequestHeadersToLog: [...headersToLog(rules)],
    additionalResponseHeadersToLog: namesIn(rules, 'responseHeaders'),
    additionalResponseTrailersToLog: namesIn(rules, 'responseTrailers'),
  };
  return pack(grpcAccessLog.HttpGrpcAccessLogConfigSchema, config);
}

function connectionLogger(name: LogName, rules: readonly AccessLogRuleView[]): accessLog.AccessLog {
  return create(accessLog.AccessLogSchema, {
    name: 'envoy.access_loggers.tcp_grpc',
    configType: {
      case: 'typedConfig',
      value: pack(grpcAccessLog.TcpGrpcAccessLogConfigSchema, { commonConfig: common(name, rules) }),
    },
  });
}

function common(name: LogName, rules: readonly AccessLogRuleView[]): CommonInit {
  return {
    logName: name,
    grpcService: { targetSpecifier: { case: 'envoyGrpc', value: { clusterName: AGENT_CLUSTER } } },
    transportApiVersion: core.ApiVersion.V3,
    bufferFlushInterval: duration(1_000),
    bufferSizeBytes: 16_384,
    filterStateObjectsToLog: namesIn(rules, 'filterState'),
  };
}

function namesIn(
  rules: readonly AccessLogRuleView[],
  list: 'responseHeaders' | 'responseTrailers' | 'filterState',
): string[] {
  return [...new Set(rules.flatMap((rule) => rule[list]))].sort();
}
