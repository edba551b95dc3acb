/**
 * Headers by which routes distinguish callers. A sidecar sets them before it chooses a route, overwriting any previous
 * value, and removes them afterwards.
 */

export const SOURCE_NAMESPACE = 'x-meshrelay-source-namespace';
/** Each label between semicolons, which neither names nor values contain. */
export const SOURCE_LABELS = 'x-meshrelay-source-labels';

/** The part of the header for one label. */
export function labelTerm(label: string, value: string): string {
  return `;${label}=${value};`;
}

/** The header of a workload with these labels. */
export function labelsHeader(labels: Readonly<Record<string, string>>): string {
  const terms = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}=${value}`);
  return `;${terms.join(';')};`;
}
