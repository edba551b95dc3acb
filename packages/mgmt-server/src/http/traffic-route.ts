/**
 * `GET /api/v1/traffic`: calls between workloads of all clusters over the last seconds, with rate, success and latency.
 */
import { ParameterError } from '@meshrelay/access-log-sink';
import type { Hono } from 'hono';
import type { AgentLookupContext } from '../observe/lookup-agent.ts';
import { parseTrafficRequest, type TrafficRequest } from '../observe/request-parameters.ts';
import { requestedClusters } from '../observe/requested-clusters.ts';
import type { TrafficSampler } from '../observe/traffic-sampler.ts';

export interface TrafficRouteOptions {
  readonly context: AgentLookupContext;
  readonly sampler: TrafficSampler;
}

/** Every cluster is queried, whatever the filter: callers may be in any cluster. */
export function addTrafficRoute(app: Hono, { context, sampler }: TrafficRouteOptions): void {
  app.get('/api/v1/traffic', async (c) => {
    let request: TrafficRequest;
    try {
      request = parseTrafficRequest(new URL(c.req.url).searchParams);
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      return c.json({ error: error.message }, 400);
    }
    const { workload, limit } = request;
    const { sums, clusters, overflowed } = await sampler.measure(
      requestedClusters(context.fleet, []),
      c.req.raw.signal,
    );
    const [edges, workloads] = [sums.edges(workload), sums.workloads(workload)];
    return c.json({
      edges: edges.slice(0, limit),
      workloads: workloads.slice(0, limit),
      more: edges.length > limit || workloads.length > limit,
      clusters,
      overflowed,
      misattributed: sums.misattributed,
    });
  });
}
