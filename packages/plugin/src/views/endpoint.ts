/** Endpoints of destinations. */
import type { LocalityView } from './locality.ts';

export type AddressKind = 'ipv4' | 'ipv6' | 'hostname';

/** Refers to a gateway's Service. */
export interface GatewayRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** An endpoint of a destination in another cluster: a gateway of that cluster, or a pod if networks are flat. */
export interface EndpointView {
  readonly address: string;
  readonly kind: AddressKind;
  /**
   * The number to dial: the same for every port (gateways), or one for each by the Service's port number (pods). See
   * `portToDial`.
   */
  readonly ports: number | Readonly<Record<number, number>>;
  /** Absent if nodes have no region label, or if the backends of the address are in several regions. */
  readonly locality?: LocalityView;
  /** The cluster under `CLUSTER_LABEL`, and for a pod its own labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Absent for pods. */
  readonly gateway?: GatewayRef;
}

/** An address of a gateway. */
export interface GatewayEndpointView extends EndpointView {
  readonly ports: number;
  readonly gateway: GatewayRef;
}

/** Whether requests have one endpoint, or others if it fails. */
export type EndpointMultiplicity = 'single' | 'multiple';
