/** Where something is reached. */

export type AddressKind = 'ipv4' | 'ipv6' | 'hostname';

/** Where something runs, as its node's labels tell it. */
export interface LocalityView {
  readonly region: string;
  readonly zone?: string;
  readonly subZone?: string;
}

/** Names a gateway's Service. */
export interface GatewayRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** A way to a destination of another cluster: a gateway of that cluster, or a pod where networks are flat. */
export interface EndpointView {
  readonly address: string;
  readonly kind: AddressKind;
  /** The number to dial: the same for every port (gateways), or one for each by the Service's port number (pods). See `portToDial`. */
  readonly ports: number | Readonly<Record<number, number>>;
  /** Absent where nodes do not tell their region, or what is behind the address is in several. */
  readonly locality?: LocalityView;
  /** The cluster under `CLUSTER_LABEL`, and on a pod its own labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Absent on pods. */
  readonly gateway?: GatewayRef;
}

/** An address of a gateway. */
export interface GatewayEndpointView extends EndpointView {
  readonly ports: number;
  readonly gateway: GatewayRef;
}

/** Whether requests have one way to go, or others when it fails. */
export type EndpointMultiplicity = 'single' | 'multiple';
