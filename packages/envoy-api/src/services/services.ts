/** The services that Envoys call. */
import { AccessLogService } from '../gen/envoy/service/accesslog/v3/als_pb.ts';
import { AggregatedDiscoveryService } from '../gen/envoy/service/discovery/v3/ads_pb.ts';
import { MetricsService } from '../gen/envoy/service/metrics/v3/metrics_service_pb.ts';
import { deltaRequestOf } from './delta-request.ts';
import { deltaResponseBytes } from './delta-response.ts';
import { type ServiceMethods, serviceDefinition } from './service-definition.ts';

/** Configuration: all resource types on one stream, state of the world or deltas. */
export const aggregatedDiscoveryService: ServiceMethods<typeof AggregatedDiscoveryService> = withQuickDeltas(
  serviceDefinition(AggregatedDiscoveryService),
);

/** Access log entries. Envoy never waits for an answer. */
export const accessLogService: ServiceMethods<typeof AccessLogService> = serviceDefinition(AccessLogService);

/** Envoy's own counters, at each flush. */
export const metricsService: ServiceMethods<typeof MetricsService> = serviceDefinition(MetricsService);

function withQuickDeltas(
  methods: ServiceMethods<typeof AggregatedDiscoveryService>,
): ServiceMethods<typeof AggregatedDiscoveryService> {
  const { deltaAggregatedResources: delta } = methods;
  const quick = { ...delta, requestDeserialize: deltaRequestOf, responseSerialize: deltaResponseBytes };
  return { ...methods, deltaAggregatedResources: quick };
}
