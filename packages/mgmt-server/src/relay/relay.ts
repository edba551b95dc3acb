/** The relay: agents' streams into the fleet and out of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostPort, type ListenAddress } from '@meshrelay/host';
import { readCertificates } from '@meshrelay/pki';
import {
  asRelayError,
  CAPABILITIES,
  inputName,
  KindSets,
  type PullMachine,
  PullSender,
  PushReceiver,
  RelayError,
  type RelayServer,
  type RelaySession,
  startRelayServer,
} from '@meshrelay/relay-protocol';
import { type Logger, type Tracer, traceOf } from '@meshrelay/telemetry';
import { notRegistered } from '../identity/agent-peers.ts';
import type { Identity } from '../identity/identity.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { SentObject } from '../status/policy-outcomes.ts';
import type { Fleet } from '../store/fleet.ts';
import type { AgentCallers } from './agent-callers.ts';
import type { Connections } from './connections.ts';
import { ObservedPull } from './observed-pull.ts';
import { relayLogger } from './relay-logger.ts';

export interface RelayOptions {
  readonly listen: ListenAddress;
  readonly identity: Pick<Identity, 'peers' | 'tokens' | 'registrar' | 'renewals' | 'trusts' | 'upkeep'>;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'registryKnown' | 'registry'>;
  readonly outputs: ClusterOutputs;
  readonly connections: Connections;
  readonly agents: AgentCallers;
  /** An agent has taken these objects, or all there are. */
  readonly taken: (cluster: string, objects: readonly SentObject[] | 'all') => void;
  /** An agent has seen newer inputs than this replica, in these components. */
  readonly behind: (cluster: string, components: readonly string[]) => void;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/** How long a caller is kept waiting for the registered clusters to be known after a start, in milliseconds. */
const REGISTRY_WAIT = 5_000;

/** Starts the relay's port. @throws Error when the address cannot be bound */
export async function startRelay(options: RelayOptions): Promise<RelayServer> {
  const { listen, identity, logger } = options;
  const { peers, tokens, registrar, renewals, trusts, upkeep } = identity;
  const kindSets = new KindSets();
  const relay = await startRelayServer({
    address: hostPort(listen),
    tls: upkeep.current.tls,
    identify: (certificatePem) => peers.identify(certificatePem),
    ...(tokens === undefined ? {} : { identifyToken: (token, cluster) => tokens.identify(token, cluster) }),
    register: (request, context) => registrar.register(request, context),
    renew: (request, context) => renewals.renew(request, context),
    trust: (request, caller) => trusts.answer(request, caller),
    onPush: (session) => pushMachine(options, session, kindSets),
    onPull: (session) => pullMachine(options, session, kindSets),
    onInvoke: (session) => options.agents.open(session),
    logger: relayLogger(logger),
  });
  upkeep.listen(({ tls }) => {
    relay.replaceTls(tls);
    void options.agents.lookAtTrust();
  });
  return relay;
}

/** Whether a cluster is registered. @throws RelayError RELAY_E_UNAVAILABLE while that cannot be known */
export async function isRegistered(
  { fleet, management }: Pick<RelayOptions, 'fleet' | 'management'>,
  cluster: string,
): Promise<boolean> {
  if (fleet.isRegistered(cluster)) return true;
  if (!management.registryKnown) {
    await Promise.race([management.registry, sleep(REGISTRY_WAIT, undefined, { ref: false })]);
  }
  if (fleet.isRegistered(cluster)) return true;
  if (management.registryKnown) return false;
  throw new RelayError('RELAY_E_UNAVAILABLE', 'the registered clusters are not known yet; try again');
}

function pushMachine(
  { fleet, connections, tracer, logger }: RelayOptions,
  session: RelaySession,
  kindSets: KindSets,
): PushReceiver {
  const { cluster, hello } = session;
  refuseUnregistered(fleet, cluster);
  const { version: last, complete = false } = fleet.progress.get(cluster) ?? {};
  const log = logger.with({ cluster, term: hello.term });
  let ended = (): void => undefined;
  return new PushReceiver({
    cluster,
    ...(last === undefined ? {} : { last }),
    complete,
    holdings: fleet.holdings(cluster),
    quarantine: fleet.quarantine(cluster),
    kindSets,
    capabilities: CAPABILITIES,
    sink: {
      began: (term, kinds, resumed) => {
        ended = connections.opened(session, expiryOf(session));
        log.info('push stream began', { address: session.address, program: hello.program, resumed });
        fleet.open(cluster, term, kinds, resumed).catch((error: unknown) => session.close(asRelayError(error)));
      },
      accept: (batch) => {
        const input = inputName(cluster, batch);
        const { kind, upserts, deletes } = batch;
        const attributes = { input, kind: kind.kind, upserts: upserts.length, deletes: deletes.length };
        log.debug('inputs arrived', attributes);
        return tracer.span('store.accept', { attributes, parent: traceOf(input) }, async (span) => {
          const refused = await fleet.accept(batch);
          span.set({ refused: refused.length });
          return refused;
        });
      },
      refused: (refusals) => fleet.refused(cluster, refusals),
      heartbeat: ({ lags = [] }) => connections.lags(cluster, 'inputs', lags),
      ended: (reason) => {
        ended();
        log.info('push stream ended', { reason: reason?.message });
      },
    },
  });
}

function pullMachine(options: RelayOptions, session: RelaySession, kindSets: KindSets): PullMachine {
  const { fleet, outputs, connections, taken, behind, logger } = options;
  const { cluster, hello } = session;
  refuseUnregistered(fleet, cluster);
  const log = logger.with({ cluster, term: hello.term });
  const ended = connections.opened(session, expiryOf(session));
  const sender = new PullSender({
    cluster,
    outputs: outputs.of(cluster),
    kindSets,
    capabilities: CAPABILITIES,
    onApplied: () => {
      outputs.caughtUp(cluster);
      connections.behind(cluster, []);
    },
    onRefused: (refusals) => connections.refused(cluster, refusals),
    onSettled: () => taken(cluster, 'all'),
    onBehind: (verdict, components) => {
      log.warn('the agent has seen newer inputs; it takes nothing until this server has, too', { verdict, components });
      connections.behind(cluster, components);
      behind(cluster, components);
    },
    onResync: (reason) => log.info('the agent asks for a resync', { reason }),
    onEnd: (reason) => {
      ended();
      log.info('pull stream ended', { reason: reason?.message });
    },
  });
  return new ObservedPull(
    sender,
    (objects) => {
      connections.taken(cluster, objects);
      taken(cluster, objects);
    },
    (lags) => connections.lags(cluster, 'outputs', lags),
  );
}

/** The registration may have ended since the caller was identified. */
function refuseUnregistered(fleet: Fleet, cluster: string): void {
  if (!fleet.isRegistered(cluster)) throw new RelayError('RELAY_E_UNAUTHENTICATED', notRegistered(cluster));
}

/** When the agent's certificate, which was verified, ends; undefined where a token is its identity. */
function expiryOf({ credential }: RelaySession): Date | undefined {
  if (credential.kind === 'token') return undefined;
  return readCertificates(credential.pem, 'client certificate', { max: 1 })[0]?.notAfter;
}
