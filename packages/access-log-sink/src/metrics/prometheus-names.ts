/** Converts Envoy's names to Prometheus names. */
import type { Labels } from './metric-family.ts';

/** Maximum labels of one series, and maximum characters of a value; the rest is cut off. */
const MAX_LABELS = 16;
const MAX_VALUE = 200;

/** `cluster.upstream_rq_total` becomes `envoy_cluster_upstream_rq_total`, as in Envoy's own scrape. */
export function metricName(name: string): string {
  return `envoy_${safe(name)}`;
}

/** `envoy.cluster_name` becomes `envoy_cluster_name`; sorted, so equal labels yield the same series. */
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
