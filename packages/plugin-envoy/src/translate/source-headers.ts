/** Headers by which routes tell callers apart. A sidecar sets them before it chooses a route, whatever stood there, and takes them away afterwards. */

export const SOURCE_NAMESPACE = 'x-meshrelay-source-namespace';
/** Each label between semicolons, which neither names nor values have. */
export const SOURCE_LABELS = 'x-meshrelay-source-labels';

/** What the header has of a label. */
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
