/** Envoy's names as Prometheus wants them. */
import type { Labels } from './metric-family.ts';

/** Labels of one series, and characters of a value: what is beyond is cut. */
const MAX_LABELS = 16;
const MAX_VALUE = 200;

/** `cluster.upstream_rq_total` is `envoy_cluster_upstream_rq_total`, as in Envoy's own scrape. */
export function metricName(name: string): string {
  return `envoy_${safe(name)}`;
}

/** `envoy.cluster_name` is `envoy_cluster_name`; sorted, so that the same labels are the same series. */
export function labelNames(labels: Labels): Labels {
  return labels
    .slice(0, MAX_LABELS)
    .map(([name, value]) => [safe(name), value.slice(0, MAX_VALUE)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function safe(name: string): string {
  const plain = name.slice(0, MAX_VALUE).replace(/[^a-zA-Z0-9_]/g, '_');
  return /^\d/.test(plain) ? `_${plain}` : plain;
}
