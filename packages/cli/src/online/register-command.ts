/** Implements `meshctl cluster register`: validates its options, and registers the cluster in the selected way. */
import process from 'node:process';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { type AgentChart, prepareAgent } from '../install/agent-chart.ts';
import type { ValueOptions } from '../install/chart-values.ts';
import { ignoreForbidden, readAgentDeployment, refuseOtherAgent } from '../install/installed-agent.ts';
import { PRINTED } from '../install/progress.ts';
import { describeTarget, type Target } from '../install/target.ts';
import { InputError } from '../problem.ts';
import { connectTo, kubeconfigFile } from './connect.ts';
import { NAMESPACE } from './kinds.ts';
import { type NamedManagement, namedManagementOf, reported } from './management.ts';
import { registerCluster } from './register.ts';
import { registerDirect } from './register-direct.ts';

export interface RegisterOptions extends NamedManagement, ValueOptions {
  readonly namespace: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly clusterDomain?: string;
  readonly replace?: boolean;
  /** Path of the kubeconfig by which the server connects to the cluster. */
  readonly direct?: string;
  /** Modules of the server's mesh plugins, except built-in ones. */
  readonly plugin: readonly string[];
  /** Whether to install the chart of the agent. */
  readonly install: boolean;
  /** The address of the server that the agent dials. */
  readonly relayAddress?: string;
  /** Whether the cluster to register may be the management cluster. */
  readonly managementCluster?: boolean;
  /** Milliseconds; default: one hour. */
  readonly tokenTtl?: number;
  /** Milliseconds. */
  readonly timeout: number;
}

const HOUR = 3_600_000;

/** @throws InputError */
export function register(name: string, options: RegisterOptions): Promise<void> {
  return reported(async () => {
    await using management = namedManagementOf(options);
    await registerInto(management, name, options);
  });
}

async function registerInto(management: KubeConnection, name: string, options: RegisterOptions): Promise<void> {
  refuseMixed(options);
  await (options.direct === undefined
    ? registerByAgent(management, name, options)
    : registerDirect({
        ...common(management, name, options),
        kubeconfig: options.direct,
        plugins: options.plugin,
        requestTimeout: options.requestTimeout,
      }));
}

/** Rejects options that the selected kind of registration does not use. */
function refuseMixed({ direct, plugin, ...options }: RegisterOptions): void {
  const { kubeconfig, context, replace, tokenTtl, relayAddress, managementCluster, profile, set, values } = options;
  const ofAgents = {
    ...{ '--kubeconfig': kubeconfig, '--context': context, '--replace': replace, '--token-ttl': tokenTtl },
    ...{ '--relay-address': relayAddress, '--management-cluster': managementCluster, '--profile': profile },
    ...{ '--set': set[0], '--values': values[0], '--no-install': options.install ? undefined : true },
  };
  const given = Object.entries(ofAgents).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  if (direct !== undefined && given.length > 0)
    throw new InputError(`--direct registers without an agent; remove ${given.join(', ')}`);
  if (direct === undefined && plugin.length > 0) throw new InputError('--plugin needs --direct; remove it');
}

function common(management: KubeConnection, cluster: string, { namespace, clusterDomain, timeout }: RegisterOptions) {
  process.stdout.write(`Registering ${cluster}\n`);
  return {
    cluster,
    management,
    namespace,
    ...(clusterDomain === undefined ? {} : { clusterDomain }),
    timeout,
    now: () => new Date(),
    step: (text: string) => void process.stdout.write(`  ✓ ${text}\n`),
  };
}

async function registerByAgent(management: KubeConnection, name: string, options: RegisterOptions): Promise<void> {
  const { kubeconfig, context, tokenTtl = HOUR, replace = false, namespace, requestTimeout: timeout } = options;
  const choice = { kubeconfig, context, option: '--kubeconfig', timeout };
  await using workload = connectTo(choice);
  const isOwn = await isSameCluster(management, workload, namespace);
  if (isOwn) refuseManagementCluster(management, options);
  const target = { connection: workload, kubeconfig: kubeconfigFile(choice), context: workload.context, namespace };
  // Only an installation must know whether the cluster has an agent.
  const reading = readAgentDeployment(target);
  const deployment = await (options.install ? reading : reading.catch(ignoreForbidden));
  if (deployment !== undefined) await refuseOtherAgent(deployment, target, name);
  const isInstalled = deployment !== undefined;
  const agent = options.install
    ? await prepareAgent({ management, target, isOwn, cluster: name, isInstalled, ...options })
    : undefined;
  const registration = common(management, name, options);
  printContexts(management, target);
  if (isOwn) registration.step('the cluster is the management cluster itself');
  await registerCluster({
    ...registration,
    workload,
    tokenLifetime: tokenTtl,
    replace,
    waiting: PRINTED.waiting,
    ...(agent === undefined ? {} : { whileWaiting: reportPods(agent) }),
    startAgent:
      agent?.install ??
      (async () =>
        `agent: start it in the cluster with relay.cluster=${name} and relay.serverAddress of your server, if it does not run yet`),
  });
}

/** @throws InputError unless the user has named it as such */
function refuseManagementCluster(management: KubeConnection, options: RegisterOptions): void {
  if (options.managementCluster === true) return;
  throw new InputError(
    options.kubeconfig === undefined && options.context === undefined
      ? `without --kubeconfig and --context the command would register the management cluster itself, ${management.server}; give the context of another cluster, or --management-cluster if an agent is to run there, too`
      : `the cluster to register is the management cluster itself, ${management.server}; give the context of another cluster, or --management-cluster if an agent is to run there, too`,
  );
}

function printContexts(management: KubeConnection, target: Target): void {
  const of = { connection: management, context: management.context };
  process.stdout.write(
    `  management cluster: ${describeTarget(of)}\n  cluster to register: ${describeTarget(target)}\n`,
  );
}

/** Prints what the pods of the agent wait for, whenever it changes. */
function reportPods(agent: AgentChart): () => Promise<void> {
  let printed = '';
  return async () => {
    const text = await agent.waitsFor();
    if (text !== undefined && text !== printed) PRINTED.waiting(text);
    printed = text ?? printed;
  };
}

/** Whether two connections lead to one cluster, at any address: its namespace of this name has one UID. */
async function isSameCluster(one: KubeConnection, other: KubeConnection, namespace: string): Promise<boolean> {
  if (one.server === other.server) return true;
  const [uid, otherUid] = await Promise.all([uidOf(one, namespace), uidOf(other, namespace)]);
  return uid !== undefined && uid === otherUid;
}

/** Undefined if it does not exist, or if the user may not read it. */
async function uidOf(connection: KubeConnection, name: string): Promise<string | undefined> {
  try {
    return (await connection.objects(NAMESPACE).read({ name }))?.metadata.uid;
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) return undefined;
    throw error;
  }
}
