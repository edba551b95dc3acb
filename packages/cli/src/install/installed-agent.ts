/** The agent that a cluster already has: the name under which it connects must be the one to register. */
import type { KubeObject } from '@meshrelay/api';
import { configMapKind, isKubeError, type KubeConnection } from '@meshrelay/kube';
import { DEPLOYMENT } from '@meshrelay/relay-core';
import { parse } from 'yaml';
import { InputError } from '../problem.ts';
import { chartOf } from './chart.ts';
import type { Target } from './target.ts';

const FLAG = '--relay.cluster';
const VARIABLE = 'MESHRELAY_RELAY_CLUSTER';

interface AgentName {
  readonly cluster: string;
  /** Where it is given, such as `ConfigMap meshrelay/meshrelay-agent`. */
  readonly by: string;
}

/**
 * The agent's Deployment, if the cluster has one.
 * @throws KubeError
 */
export async function readAgentDeployment({
  connection,
  namespace,
}: Pick<Target, 'connection' | 'namespace'>): Promise<AgentDeployment | undefined> {
  const name = chartOf('agent').deployment;
  return (await connection.objects(DEPLOYMENT).read({ namespace, name })) as AgentDeployment | undefined;
}

/**
 * Refuses an agent with another name. It would be refused by the server, which admits a token for one name only. An
 * agent is accepted if its Deployment does not have its name, or if the user may not read its ConfigMap.
 * @throws InputError
 */
export async function refuseOtherAgent(deployment: AgentDeployment, target: Target, cluster: string): Promise<void> {
  const { connection, namespace, context } = target;
  const found = await nameOfAgent(deployment, connection).catch(ignoreForbidden);
  if (found === undefined || found.cluster === cluster) return;
  throw new InputError(
    `the agent in the cluster at ${connection.server} has the name ${found.cluster}, by relay.cluster in ${found.by}, expected ${cluster}; register it as ${found.cluster}, or rename it first: meshctl upgrade agent --context ${context} -n ${namespace} --set config.relay.cluster=${cluster}`,
  );
}

async function nameOfAgent(
  { metadata: { namespace = '', name }, spec }: AgentDeployment,
  connection: KubeConnection,
): Promise<AgentName | undefined> {
  const { containers, volumes = [] } = spec.template.spec;
  const by = `Deployment ${namespace}/${name}`;
  for (const { args = [], env = [], volumeMounts = [] } of containers) {
    // Flags come before variables, and these before the file.
    const given = option(args, FLAG) ?? env.find((one) => one.name === VARIABLE)?.value;
    if (given !== undefined && given !== '') return { cluster: given, by };
    const file = option(args, '--config') ?? '';
    const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const map = volumes.find((volume) => volume.name === mount?.name)?.configMap?.name;
    if (mount === undefined || map === undefined) continue;
    const { data = {} } = ((await connection.objects(configMapKind).read({ namespace, name: map })) ?? {}) as ConfigMap;
    const cluster = clusterIn(data[file.slice(mount.mountPath.length + 1)]);
    if (cluster !== undefined) return { cluster, by: `ConfigMap ${namespace}/${map}` };
  }
  return undefined;
}

function clusterIn(config: string | undefined): string | undefined {
  try {
    const { relay } = (parse(config ?? '') ?? {}) as { readonly relay?: { readonly cluster?: unknown } };
    return typeof relay?.cluster === 'string' ? relay.cluster : undefined;
  } catch {
    // The agent reports a file that is not YAML.
    return undefined;
  }
}

/** The value of `--name value` or `--name=value`. */
function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) : args[at + 1];
}

/** For what a user may not read. */
export function ignoreForbidden(error: unknown): undefined {
  if (!isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) throw error;
}

interface ConfigMap {
  readonly data?: Readonly<Record<string, string>>;
}

export interface AgentDeployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args?: readonly string[];
          readonly env?: readonly { readonly name: string; readonly value?: string }[];
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
      };
    };
  };
}
