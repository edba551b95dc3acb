/** What `meshctl cluster register` does: judges its options, and registers the cluster in the way they name. */
import process from 'node:process';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { InputError } from '../problem.ts';
import type { ListOptions } from './actions.ts';
import { connectTo } from './connect.ts';
import { NAMESPACE } from './kinds.ts';
import { registerCluster } from './register.ts';
import { registerDirect } from './register-direct.ts';

export interface RegisterOptions extends ListOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly clusterDomain?: string;
  readonly replace?: boolean;
  /** Path of the kubeconfig by which the server is to reach the cluster. */
  readonly direct?: string;
  /** Modules of the server's mesh plugins besides those built in. */
  readonly plugin: readonly string[];
  /** Milliseconds; an hour where nothing is given. */
  readonly tokenTtl?: number;
  /** Milliseconds. */
  readonly timeout: number;
}

const HOUR = 3_600_000;

/** @throws InputError, KubeError, PkiError */
export async function register(management: KubeConnection, name: string, options: RegisterOptions): Promise<void> {
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

/** What one way has no use for. */
function refuseMixed({ direct, kubeconfig, context, replace, tokenTtl, plugin }: RegisterOptions): void {
  const ofAgents = { '--kubeconfig': kubeconfig, '--context': context, '--replace': replace, '--token-ttl': tokenTtl };
  const given = Object.entries(ofAgents).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  if (direct !== undefined && given.length > 0)
    throw new InputError(`--direct is without an agent; leave ${given.join(', ')} out`);
  if (direct === undefined && plugin.length > 0) throw new InputError('--plugin is for --direct; leave it out');
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
      `which cluster? without --kubeconfig and --context it would be the management cluster itself, ${management.server}; name the cluster, also where that one is meant`,
    );
  const registration = common(management, name, options);
  if (isOwn) registration.step('it is the management cluster itself');
  await registerCluster({
    ...registration,
    workload,
    tokenLifetime: tokenTtl,
    replace,
    startAgent: async () =>
      `agent: start it there with relay.cluster=${name} and relay.serverAddress of your server, if it does not run yet`,
  });
}

/** Whether two connections lead to one cluster, by whichever address: it has one namespace of this name. */
async function isSameCluster(one: KubeConnection, other: KubeConnection, namespace: string): Promise<boolean> {
  if (one.server === other.server) return true;
  const [uid, otherUid] = await Promise.all([uidOf(one, namespace), uidOf(other, namespace)]);
  return uid !== undefined && uid === otherUid;
}

/** Undefined where there is none, or the user may not look. */
async function uidOf(connection: KubeConnection, name: string): Promise<string | undefined> {
  try {
    return (await connection.objects(NAMESPACE).read({ name }))?.metadata.uid;
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) return undefined;
    throw error;
  }
}
