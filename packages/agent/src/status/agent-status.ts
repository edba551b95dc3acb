/** State of this replica, from which readiness and metrics are read. */

import type { ClusterWork, RelayWork } from '@meshrelay/cluster-controllers';
import type { DataPlaneServer } from '@meshrelay/envoy-api/server';
import type { PeerServer } from '@meshrelay/peers';
import type { HealthCheck } from '@meshrelay/telemetry';
import type { LogExports } from '../data-plane/access-log/log-exports.ts';
import type { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import type { RootConfigMaps } from '../data-plane/roots/root-config-maps.ts';
import type { RelayIdentity } from '../identity/relay-identity.ts';
import type { RootsPublisher } from '../workload-ca/publish-roots.ts';

/** The parts that run while this replica leads. */
export interface LeaderParts {
  readonly cluster: ClusterWork;
  readonly identity: RelayIdentity;
  readonly relay: RelayWork;
  /** Undefined if no mesh of this cluster takes its configuration from this agent. */
  readonly rootConfigMaps: RootConfigMaps | undefined;
  readonly roots: RootsPublisher;
}

export class AgentStatus {
  /** Identity of this process in the Lease. */
  readonly identity: string;
  /** Term in which this replica leads; undefined while it follows. */
  term: number | undefined;
  /** Undefined while this replica follows, and until all parts have started. */
  leader: LeaderParts | undefined;
  /** Last observed holder of the Lease. */
  leaderIdentity: string | undefined;
  /** Configuration of Envoys; undefined if no mesh of this cluster takes its configuration from this agent. */
  envoys: EnvoyConfiguration | undefined;
  /** Whether this replica answers the server's queries for all replicas. */
  observes = false;
  /** Whether this replica records the ACK state of all replicas' Envoys on XdsConfig objects. */
  notesEnvoyAnswers = false;
  /** The port for proxies, once it is open. */
  dataPlane: DataPlaneServer | undefined;
  /** Exports of access logs from this replica. */
  logExports: LogExports | undefined;
  /** Server for the leader's calls to this replica; undefined if disabled. */
  peers: PeerServer | undefined;

  constructor(identity: string) {
    this.identity = identity;
  }

  get dataPlanePort(): number {
    return this.dataPlane?.port ?? 0;
  }

  /** Readiness checks of this replica. A follower is ready as soon as it knows a leader. */
  get checks(): Readonly<Record<string, HealthCheck>> {
    return {
      leadership: () => this.#leadershipProblem() ?? true,
      identity: () => this.leader?.identity.problem ?? true,
      relay: () => (this.term === undefined ? true : (this.#relayProblem() ?? true)),
      dataPlane: () => this.envoys?.problem ?? true,
      inputs: () => (this.term === undefined ? true : (this.#inputsProblem() ?? true)),
    };
  }

  #leadershipProblem(): string | undefined {
    if (this.term !== undefined) return undefined;
    if (this.leaderIdentity === undefined) return 'no replica is known to lead yet';
    return this.leaderIdentity === this.identity ? 'this replica holds the Lease and does not lead yet' : undefined;
  }

  #relayProblem(): string | undefined {
    return this.leader === undefined ? 'the streams have not started yet' : this.leader.relay.problem;
  }

  #inputsProblem(): string | undefined {
    if (this.leader === undefined) return 'the watches have not started yet';
    const unknown = this.leader.cluster.inputs.unknown();
    return unknown.length === 0 ? undefined : `not synced yet: ${unknown.join(', ')}`;
  }
}
