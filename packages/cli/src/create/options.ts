/** The options of `meshctl create`, which are the answers to its questions. */
import type { AccessAction, VirtualPortProtocol } from '@meshrelay/api';
import type { FleetOptions } from '../offline/fleet-options.ts';
import type { ManagementOptions } from '../online/management.ts';
import type { DataFormat } from '../output/format.ts';

/** What happens with the object. */
export interface CreateTarget {
  readonly apply?: true;
  readonly out?: string;
  readonly output?: DataFormat;
}

export type CreateOptions = FleetOptions & ManagementOptions & CreateTarget;

export type Trust = 'generated' | 'secret' | 'limited' | 'unchanged';
export type FederationChoice = 'all' | 'namespaces' | 'none';

export interface VirtualMeshAnswers {
  readonly mesh: readonly string[];
  readonly trust?: Trust;
  readonly rootSecret?: string;
  readonly federation?: FederationChoice;
  readonly federateNamespace: readonly string[];
}

export interface TrafficPolicyAnswers {
  readonly destination: readonly string[];
  readonly pathPrefix?: string;
  readonly source: readonly string[];
  readonly timeout?: string;
  readonly retries?: string;
  readonly perTryTimeout?: string;
  readonly shift: readonly string[];
  readonly delay?: string;
  readonly abort?: string;
  readonly faultPercent?: string;
  readonly addRequestHeader: readonly string[];
  readonly removeRequestHeader: readonly string[];
  readonly addResponseHeader: readonly string[];
  readonly removeResponseHeader: readonly string[];
}

export interface AccessPolicyAnswers {
  readonly source: readonly string[];
  readonly destination: readonly string[];
  readonly action?: Lowercase<AccessAction>;
  readonly method: readonly string[];
  readonly path: readonly string[];
}

export const PROTOCOLS: readonly VirtualPortProtocol[] = ['HTTP', 'HTTP2', 'GRPC', 'HTTPS', 'TLS', 'TCP', 'MONGO'];

export type Failover = 'nearest' | 'order';

export interface VirtualDestinationAnswers {
  readonly backend: readonly string[];
  readonly failover?: Failover;
  readonly hostname?: string;
  readonly port?: string;
  readonly protocol?: VirtualPortProtocol;
  readonly targetPort?: string;
  readonly virtualMesh?: string;
  readonly mesh: readonly string[];
}
