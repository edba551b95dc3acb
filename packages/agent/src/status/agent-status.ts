/** State of this replica, from which readiness and metrics are read. */

import type { DataPlaneServer } from '@meshrelay/envoy-api/server';
import type { PeerServer } from '@meshrelay/peers';
import type { HealthCheck } from '@meshrelay/telemetry';
import type { LogExports } from '../data-plane/access-log/log-exports.ts';
import type { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import type { LeaderTerm } from '../leadership/leader-term.ts';
import type { ApplyCounters } from './metrics.ts';

export class AgentStatus {
  readonly counters: ApplyCounters;
  /** Term in which this replica leads; undefined while it follows. */
  leaderTerm: LeaderTerm | undefined;
  /** Identity of this process in the Lease. */
  readonly identity: string;
  /** Last observed holder of the Lease. */
  leader: string | undefined;
  healthPort = 0;
  statsPort = 0;
  /** Configuration of Envoys; undefined if no mesh of this cluster takes its configuration from this agent. */
  envoys: EnvoyConfiguration | undefined;
  /** Whether this replica records the ACK state of all replicas' Envoys on XdsConfig objects. */
  notesEnvoyAnswers = false;
  /** The port for proxies, once it is open. */
  dataPlane: DataPlaneServer | undefined;
  /** Exports of access logs from this replica. */
  logExports: LogExports | undefined;
  /** Server for the leader's calls to this replica; undefined if disabled. */
  peers: PeerServer | undefined;

  constructor(counters: ApplyCounters, identity: string) {
    this.counters = counters;
    this.identity = identity;
  }

  get dataPlanePort(): number {
    return this.dataPlane?.port ?? 0;
  }

  /** Readiness checks of this replica. A follower is ready as soon as it knows a leader. */
  get checks(): Readonly<Record<string, HealthCheck>> {
    return {
      leadership: () => this.#leadershipProblem() ?? true,
      identity: () => this.leaderTerm?.identity?.problem ?? true,
      relay: () => (this.leaderTerm === undefined ? true : (relayProblem(this.leaderTerm) ?? true)),
      dataPlane: () => this.envoys?.problem ?? true,
      inputs: () => (this.leaderTerm === undefined ? true : (inputsProblem(this.leaderTerm) ?? true)),
    };
  }

  #leadershipProblem(): string | undefined {
    if (this.leaderTerm !== undefined) return undefined;
    if (this.leader === undefined) return 'no replica is known to lead yet';
    return this.leader === this.identity ? 'this replica holds the Lease and does not lead yet' : undefined;
  }
}

function relayProblem({ relay }: LeaderTerm): string | undefined {
  return relay === undefined ? 'the streams have not started yet' : relay.problem;
}

function inputsProblem({ inputs }: LeaderTerm): string | undefined {
  if (inputs === undefined) return 'the watches have not started yet';
  const unknown = inputs.unknown();
  return unknown.length === 0 ? undefined : `not synced yet: ${unknown.join(', ')}`;
}
