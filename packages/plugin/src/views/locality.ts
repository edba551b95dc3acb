/** Localities of endpoints and callers. */

/** The locality of an endpoint, from the labels of its node. */
export interface LocalityView {
  readonly region: string;
  readonly zone?: string;
  readonly subZone?: string;
}
