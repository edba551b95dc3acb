/** HTTP/1.1 responses of the proxy port: metrics of proxies and of the edges between workloads, for Prometheus. */
import type { RequestListener } from 'node:http';
import { PROMETHEUS_TYPE, prometheusText } from '@meshrelay/access-log-sink';
import type { DataPlane } from './data-plane.ts';

/** Serves `GET /metrics` only. */
export function metricsPage({ metrics, edges }: DataPlane): RequestListener {
  return ({ method, url }, response) => {
    const end = (status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(body);
    };
    if (url?.split('?')[0] !== '/metrics') end(404, 'not found; there is /metrics\n');
    else if (method !== 'GET' && method !== 'HEAD') end(405, 'only GET\n');
    else end(200, prometheusText(metrics.series(), edges.edges()), PROMETHEUS_TYPE);
  };
}
