/** The command line of the program. */
import { parseArgs } from 'node:util';
import type { Address } from '../http/listen.ts';
import type { KubeSimOptions } from '../kube-sim.ts';

/** The parsed command line. */
export type Command =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      readonly options: KubeSimOptions;
      readonly kubeconfig: string | undefined;
      /** Address of the admin endpoint; default: no admin endpoint. */
      readonly admin: Address | undefined;
    };

/** The output of `--help`. */
export const USAGE = `usage: kube-sim [options]

An embedded Kubernetes API server with its state in memory.

  --name NAME               name of the cluster (kube-sim)
  --listen HOST:PORT        where to listen; port 0 picks a free one (127.0.0.1:0)
  --kubeconfig FILE         write a kubeconfig of the administrator there
  --crds PATH...            files and folders of CustomResourceDefinitions to begin with
  --manifests PATH...       files and folders of objects to begin with
  --nodes N                 how many nodes there are (1)
  --region NAME             region of the nodes
  --zones NAME...           zones of the nodes, dealt out in turn
  --pod-cidr CIDR           range of pod addresses (10.10.0.0/16)
  --load-balancer-pool CIDR range of the addresses of LoadBalancer Services; without it they stay pending
  --istio-version VERSION   inject the sidecar of this Istio into pods of labelled namespaces
  --no-controllers          an API server alone: no pods for Deployments, no addresses, no sidecars
  --admin HOST:PORT         serve faults and the history of writes there, without authentication: loopback only
  --help                    print this
`;

const OPTIONS = {
  name: { type: 'string' },
  listen: { type: 'string' },
  kubeconfig: { type: 'string' },
  crds: { type: 'string', multiple: true },
  manifests: { type: 'string', multiple: true },
  nodes: { type: 'string' },
  region: { type: 'string' },
  zones: { type: 'string', multiple: true },
  'pod-cidr': { type: 'string' },
  'load-balancer-pool': { type: 'string' },
  'istio-version': { type: 'string' },
  'no-controllers': { type: 'boolean' },
  admin: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const LISTS: readonly string[] = ['crds', 'manifests', 'zones'];

/**
 * Parses the command line.
 * @throws Error naming the fault
 */
export function parseCommand(args: readonly string[]): Command {
  const { values } = parseArgs({ args: repeatLists(args), options: OPTIONS, strict: true });
  if (values.help === true) return { kind: 'help' };
  const { name, listen, crds, manifests, kubeconfig } = values;
  const controllers = values['no-controllers'] === true ? false : controllerOptions(values);
  const options: KubeSimOptions = {
    ...(name === undefined ? {} : { name }),
    ...(listen === undefined ? {} : { listen: parseAddress('--listen', listen) }),
    ...(crds === undefined ? {} : { crds }),
    ...(manifests === undefined ? {} : { manifests }),
    controllers,
  };
  const admin = values.admin === undefined ? undefined : parseAddress('--admin', values.admin);
  return { kind: 'run', options, kubeconfig, admin };
}

/** `--crds a b` becomes `--crds a --crds b`, so that a shell's wildcard can follow the flag. */
function repeatLists(args: readonly string[]): string[] {
  let flag: string | undefined;
  let first = true;
  return args.flatMap((arg) => {
    if (arg.startsWith('-')) {
      flag = LISTS.includes(arg.slice(2)) ? arg : undefined;
      first = true;
      return [arg];
    }
    const repeated = flag !== undefined && !first ? [flag, arg] : [arg];
    first = false;
    return repeated;
  });
}

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

function controllerOptions(values: Values): Exclude<KubeSimOptions['controllers'], false | undefined> {
  const { nodes, region, zones } = values;
  const count = nodes === undefined ? undefined : Number(nodes);
  if (count !== undefined && !(Number.isInteger(count) && count >= 0))
    throw new Error(`--nodes ${String(nodes)}: expected a whole number from 0 on`);
  const podCidr = text(values['pod-cidr']);
  const loadBalancerPool = text(values['load-balancer-pool']);
  const version = text(values['istio-version']);
  return {
    nodes: {
      ...(count === undefined ? {} : { count }),
      ...(typeof region === 'string' ? { region } : {}),
      ...(Array.isArray(zones) ? { zones } : {}),
    },
    ...(podCidr === undefined ? {} : { podCidr }),
    ...(loadBalancerPool === undefined ? {} : { loadBalancerPool }),
    ...(version === undefined ? {} : { istio: { version } }),
  };
}

function text(value: Values[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parseAddress(flag: string, value: string): { readonly host: string; readonly port: number } {
  const match = /^(.*):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) throw new Error(`${flag} ${value}: expected HOST:PORT, such as 127.0.0.1:0`);
  return { host: match[1] || '127.0.0.1', port };
}
