/** `GET /api/v1/traffic`: who calls whom in all clusters, how often, how well and how fast, in the last seconds. */
import { ParameterError } from '@meshrelay/access-log-sink';
import type { Hono } from 'hono';
import { type TrafficAsked, trafficAsked } from '../observe/asked.ts';
import { clustersAsked } from '../observe/clusters-asked.ts';
import type { TrafficSampler } from '../observe/traffic-sampler.ts';
import type { Knowledge } from '../observe/whereabouts.ts';

export interface TrafficRouteOptions {
  readonly context: Knowledge;
  readonly sampler: TrafficSampler;
}

/** Every cluster is asked, whichever is wanted: its callers may be anywhere. */
export function addTrafficRoute(app: Hono, { context, sampler }: TrafficRouteOptions): void {
  app.get('/api/v1/traffic', async (c) => {
    let asked: TrafficAsked;
    try {
      asked = trafficAsked(new URL(c.req.url).searchParams);
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      return c.json({ error: error.message }, 400);
    }
    const { workload, limit } = asked;
    const { sums, clusters, overflowed } = await sampler.measure(clustersAsked(context.fleet, []), c.req.raw.signal);
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
