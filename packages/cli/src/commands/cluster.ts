/** `meshctl cluster register`, `list` and `revoke`. */
import type { Command } from 'commander';
import type { ListOptions, RegisterOptions } from '../online/actions.ts';
import { durationOption } from './options.ts';

export function addCluster(program: Command): void {
  const cluster = program.command('cluster').summary('register, list and revoke clusters');
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
    .addOption(durationOption('--token-ttl', 'how long the token is good, at most 24h', '1h'))
    .option('--replace', 'register even though the cluster has a certificate that is still good, which is revoked then')
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
  cluster
    .command('revoke <name>')
    .summary('end the identity of a cluster’s agent')
    .description(
      'Revokes every certificate and token of a cluster. Its agent is cut off within five seconds and neither connects nor renews again; what it has applied stays. To come back it is registered anew.',
    )
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('--namespace <NAME>', 'where the server is', 'meshrelay')
    .action(async (name: string, options: ListOptions) => (await import('../online/actions.ts')).revoke(name, options));
}
