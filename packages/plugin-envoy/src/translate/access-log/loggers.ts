/** The access log that an Envoy sends to its agent. It may send more than is retained: the agent filters again. */
import { type Any, accessLog, core, create, grpcAccessLog, type MessageInitShape, pack } from '@meshrelay/envoy-api';
import { type AccessLogRuleView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { AGENT_CLUSTER } from '../../agent-cluster.ts';
import { duration } from '../messages.ts';
import { filterOf, logsConnections } from './filters.ts';
import { namesToLog } from './mod.ts';

/** The side of a request that an entry describes: the agent determines the caller by it. */
export type LogName = 'inbound' | 'outbound' | 'gateway';

type CommonInit = MessageInitShape<typeof grpcAccessLog.CommonGrpcAccessLogConfigSchema>;

/**
 * The loggers of one side of a workload. They contain neither the names nor the order of records, because every change
 * of a listener closes its open connections.
 */
export interface Loggers {
  readonly requests: accessLog.AccessLog[];
  readonly connections: accessLog.AccessLog[];
}

const NO_LOGGERS: Loggers = { requests: [], connections: [] };

/** Computed once for all workloads with these rules. */
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
  return { requests: [requests], connections: logsConnections(rules) ? [connectionLogger(name, rules)] : [] };
}

function requestLogger(name: LogName, rules: readonly AccessLogRuleView[]): Any {
  const config: MessageInitShape<typeof grpcAccessLog.HttpGrpcAccessLogConfigSchema> = {
    commonConfig: common(name, rules),
    additionalRequestHeadersToLog: namesToLog(rules, 'additionalRequestHeadersToLog'),
    additionalResponseHeadersToLog: namesToLog(rules, 'additionalResponseHeadersToLog'),
    additionalResponseTrailersToLog: namesToLog(rules, 'additionalResponseTrailersToLog'),
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
    filterStateObjectsToLog: namesToLog(rules, 'filterStateObjectsToLog'),
  };
}
