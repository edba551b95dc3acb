/** Transport of an agent: gRPC with authentication, and updates of the trusted roots. */
import type { ServerTransport, TransportStreams } from '@meshrelay/cluster-controllers';
import type { Clock } from '@meshrelay/concurrency';
import type { Secrets } from '@meshrelay/kube';
import { type RelayConnection, type RelayDial, runRelayClient } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { AgentConfig } from '../config/config.ts';
import type { RelayCredential, RelayIdentity } from '../identity/relay-identity.ts';
import { TrustBundleSync } from '../identity/trust-keeper.ts';

export interface RelayTransportOptions {
  readonly relay: AgentConfig['relay'];
  readonly identity: RelayIdentity;
  /** Secrets of the agent's namespace. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

export function relayTransport(options: RelayTransportOptions): ServerTransport {
  const current: Current = {};
  const reconcile = (): Record<string, never> => {
    current.trust?.reconcile();
    return {};
  };
  return {
    to: options.relay.serverAddress,
    handlers: { 'agent.trust': { read: () => ({}), run: reconcile } },
    sign: (request) => current.connection?.sign(request),
    runTransport: (streams) => runTransport(options, streams, current),
  };
}

/** Current state of the transport. */
interface Current {
  trust?: TrustBundleSync;
  /** Undefined until the server has sent its Welcome on the connection. */
  connection?: Pick<RelayConnection, 'sign' | 'trust'> | undefined;
}

async function runTransport(
  options: RelayTransportOptions,
  streams: TransportStreams,
  current: Current,
): Promise<void> {
  const { relay, identity } = options;
  let connection: Current['connection'];
  /** Credential of the last connection. */
  let presented: RelayCredential | undefined;
  await using trust = new TrustBundleSync({
    ...options,
    ask: (request) => current.connection?.trust(request),
    renew: identity.renew,
  });
  current.trust = trust;
  const dial = async (): Promise<RelayDial> => {
    const credential = await identity.obtain(streams.signal);
    presented = credential;
    return {
      address: relay.serverAddress,
      ...(relay.authority === undefined ? {} : { authority: relay.authority }),
      roots: credential.roots,
      ...('token' in credential ? { token: credential.token } : { clientCertificate: credential }),
      cluster: relay.cluster,
      replaced: identity.replaced,
    };
  };
  await runRelayClient({
    ...streams,
    connection: dial,
    onConnection: (now) => {
      connection = now;
      if (current.connection !== undefined) current.connection = now;
    },
    onState: (state) => {
      current.connection = state.state === 'connected' ? connection : undefined;
      streams.onState?.(state);
      if (current.connection !== undefined) trust.reconcile();
      if (state.state === 'waiting' && state.error?.code === 'RELAY_E_UNAUTHENTICATED' && presented !== undefined)
        identity.refused(presented);
    },
  });
}
