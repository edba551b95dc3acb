/** Implements `meshctl cluster register`: validates its options, and registers the cluster in the selected way. */
import process from 'node:process';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { InputError } from '../problem.ts';
import { connectTo } from './connect.ts';
import { NAMESPACE } from './kinds.ts';
import { type ManagementOptions, managementOf, reported } from './management.ts';
import { registerCluster } from './register.ts';
import { registerDirect } from './register-direct.ts';

export interface RegisterOptions extends ManagementOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly clusterDomain?: string;
  readonly replace?: boolean;
  /** Path of the kubeconfig by which the server connects to the cluster. */
  readonly direct?: string;
  /** Modules of the server's mesh plugins, except built-in ones. */
  readonly plugin: readonly string[];
  /** Milliseconds; default: one hour. */
  readonly tokenTtl?: number;
  /** Milliseconds. */
  readonly timeout: number;
}

const HOUR = 3_600_000;

/** @throws InputError */
export function register(name: string, options: RegisterOptions): Promise<void> {
  return reported(async () => {
    await using management = managementOf(options);
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
function refuseMixed({ direct, kubeconfig, context, replace, tokenTtl, plugin }: RegisterOptions): void {
  const ofAgents = { '--kubeconfig': kubeconfig, '--context': context, '--replace': replace, '--token-ttl': tokenTtl };
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
  await using workload = connectTo({ kubeconfig, context, option: '--kubeconfig', timeout });
  const isOwn = await isSameCluster(management, workload, namespace);
  if (isOwn && kubeconfig === undefined && context === undefined)
    throw new InputError(
      `without --kubeconfig and --context the command would register the management cluster itself, ${management.server}; give one of them, even for that cluster`,
    );
  const registration = common(management, name, options);
  if (isOwn) registration.step('the cluster is the management cluster itself');
  await registerCluster({
    ...registration,
    workload,
    tokenLifetime: tokenTtl,
    replace,
    startAgent: async () =>
      `agent: start it in the cluster with relay.cluster=${name} and relay.serverAddress of your server, if it does not run yet`,
  });
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
