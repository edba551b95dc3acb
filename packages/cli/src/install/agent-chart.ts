/** The chart of the agent, as `meshctl cluster register` installs it. */
import type { KubeObject } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { chartOf } from './chart.ts';
import { type ValueOptions, valueFlags } from './chart-values.ts';
import { checkHelm } from './helm.ts';
import { applyChart, checkBeforeInstall } from './install.ts';
import { describeRollout, rolloutOf } from './pods.ts';
import { refuseProblems } from './progress.ts';
import type { Target } from './target.ts';

const SERVICE: ResourceKind = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

export interface AgentPlan extends ValueOptions {
  readonly cluster: string;
  readonly management: KubeConnection;
  /** The cluster to register. */
  readonly target: Target;
  /** Whether that is the management cluster. */
  readonly isOwn: boolean;
  readonly relayAddress?: string;
  /** Whether the cluster has an agent. */
  readonly isInstalled: boolean;
}

export interface AgentChart {
  /** Installs it. @returns what was done, as a step */
  readonly install: () => Promise<string>;
  /** Why its pods are not available; undefined if they are. */
  readonly waitsFor: () => Promise<string | undefined>;
}

/**
 * Checks everything that an installation needs, and changes nothing. An agent that is there stays as it is, however it
 * was installed.
 * @throws InputError
 */
export async function prepareAgent(plan: AgentPlan): Promise<AgentChart> {
  const { target, cluster, isInstalled } = plan;
  const { connection, namespace } = target;
  const chart = chartOf('agent');
  const { deployment } = chart;
  const waitsFor = async (): Promise<string | undefined> => {
    const rollout = await rolloutOf({ connection, namespace, deployment });
    return rollout.done ? undefined : describeRollout(rollout);
  };
  if (isInstalled)
    return {
      install: async () => `the agent is installed already, as Deployment ${namespace}/${deployment}`,
      waitsFor,
    };
  await checkHelm();
  const address = plan.relayAddress ?? (await relayAddress(plan));
  const relay = { cluster, serverAddress: address, authority: `mgmt-server.${namespace}` };
  const values = [
    ...Object.entries(relay).flatMap(([field, value]) => ['--set-string', `config.relay.${field}=${escaped(value)}`]),
    ...valueFlags(plan),
  ];
  const silent = { step: () => undefined, waiting: () => undefined };
  const chartPlan = { chart, target, values, takeOwnership: false, ...silent };
  refuseProblems(await checkBeforeInstall(chartPlan));
  return {
    install: async () => {
      await applyChart(chartPlan);
      return `chart ${chart.name} ${chart.appVersion} installed; the agent dials ${address}`;
    },
    waitsFor,
  };
}

interface Service extends KubeObject {
  readonly spec: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}

/** @throws InputError if the server has no address that other clusters reach */
async function relayAddress({ management, target: { namespace }, isOwn }: AgentPlan): Promise<string> {
  const name = chartOf('server').deployment;
  const service = (await management.objects(SERVICE).read({ namespace, name })) as Service | undefined;
  const ports = service?.spec.ports ?? [];
  const port = (ports.find((one) => one.name?.includes('relay')) ?? ports[0])?.port;
  const { ip, hostname } = service?.status?.loadBalancer?.ingress?.[0] ?? {};
  const host = isOwn && service !== undefined ? `${name}.${namespace}.svc` : (hostname ?? ip);
  if (host !== undefined && port !== undefined) return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const why =
    service === undefined
      ? `there is no Service ${namespace}/${name}`
      : `Service ${namespace}/${name} has no load balancer`;
  throw new InputError(
    `the address that the agent dials is unknown: ${why}; give it with --relay-address HOST:PORT, or --no-install if the agent is installed in another way`,
  );
}

/** Helm splits values at commas. */
function escaped(value: string): string {
  return value.replaceAll(/[,\\]/g, '\\$&');
}
