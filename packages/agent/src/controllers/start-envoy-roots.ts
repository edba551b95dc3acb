/**
 * Leader: creates the CA that signs the agents' certificates for Envoys, and distributes its roots to the namespaces
 * that have Envoys.
 */
import type { ClusterWork, Fence } from '@meshrelay/cluster-controllers';
import type { AgentContext } from '../agent-context.ts';
import { configuresEnvoys } from '../data-plane/configures-envoys.ts';
import { AgentCaController } from '../data-plane/roots/authority-keeper.ts';
import { EnvoyNamespaces } from '../data-plane/roots/envoy-namespaces.ts';
import { RootConfigMaps } from '../data-plane/roots/root-config-maps.ts';

export interface EnvoyRoots extends AsyncDisposable {
  /** Undefined if no mesh of this cluster takes its configuration from this agent. */
  readonly maps: RootConfigMaps | undefined;
}

export function startEnvoyRoots(
  { config, connection, plugins, clock, now, random, logger: parent, rightsCommand }: AgentContext,
  fence: Fence,
  { loop, inputs }: Pick<ClusterWork, 'loop' | 'inputs'>,
): EnvoyRoots {
  const types = plugins.filter(configuresEnvoys).map(({ plugin }) => plugin.name);
  const work = new AsyncDisposableStack();
  const dispose = { [Symbol.asyncDispose]: () => work.disposeAsync() };
  if (types.length === 0) return { maps: undefined, ...dispose };
  const logger = parent.child('envoy-roots');
  const check = (): void => fence.check();
  const namespaces = new EnvoyNamespaces(types, loop.discovery);
  const maps = work.use(
    new RootConfigMaps({
      connection,
      owner: config.managementNamespace,
      required: () => namespaces.all(),
      known: () => inputs.unknown().length === 0,
      check,
      rightsCommand,
      clock,
      random,
      logger,
    }),
  );
  work.defer(
    loop.listen((changes) => {
      if (namespaces.take(changes, loop.discovery)) maps.reconcile();
    }),
  );
  work.use(
    new AgentCaController({
      connection,
      namespace: config.namespace,
      trustDomain: config.relay.trustDomain,
      cluster: config.relay.cluster,
      check,
      roots: (pem) => {
        maps.roots = pem;
      },
      clock,
      now,
      logger,
    }),
  );
  return { maps, ...dispose };
}
