/** `meshctl cluster register` and `meshctl cluster list`. */
import { parseGoDuration } from '@meshrelay/api';
import { type Command, Option } from 'commander';
import type { ListOptions, RegisterOptions } from '../online/actions.ts';
import { InputError } from '../problem.ts';

export function addCluster(program: Command): void {
  const cluster = program.command('cluster').summary('register and list clusters');
  cluster
    .command('register <name>')
    .summary('let the agent of a cluster dial in')
    .description(
      'Gives a cluster what its agent needs to dial in: the root CA and a token for this cluster, once. Then waits for its client certificate.',
    )
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster to register')
    .option('--context <NAME>', 'its context')
    .option('--namespace <NAME>', 'where server and agent are', 'meshrelay')
    .option('--cluster-domain <DOMAIN>', 'DNS domain of its Services, where it is not cluster.local')
    .addOption(durationOption('--token-ttl', 'how long the token is good', '1h'))
    .addOption(durationOption('--timeout', 'how long to wait for the certificate; 0s not to wait', '2m'))
    .addHelpText('after', '\nExample:\n  meshctl cluster register cluster-1 --mgmt-context mgmt --context east')
    .action(async (name: string, options: RegisterOptions) =>
      (await import('../online/actions.ts')).register(name, options),
    );
  cluster
    .command('list')
    .summary('show the registered clusters and whether their agents are connected')
    .description(
      'Shows each KubernetesCluster as the server judges it, and the server replica its agent is connected to.',
    )
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--namespace <NAME>', 'where the server is', 'meshrelay')
    .action(async (options: ListOptions) => (await import('../online/actions.ts')).list(options));
}

function durationOption(name: string, description: string, fallback: string): Option {
  return new Option(`${name} <DURATION>`, description).argParser(duration).default(duration(fallback), fallback);
}

function duration(text: string): number {
  const milliseconds = parseGoDuration(text);
  if (milliseconds === undefined || milliseconds < 0)
    throw new InputError(`"${text}" is no duration; write it like 90s or 2m`);
  return milliseconds;
}
