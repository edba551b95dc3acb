/** Workloads of a destination, selected by labels. */
export interface SubsetView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}
