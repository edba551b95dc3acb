/** `meshctl cluster register`. */
import type { Command } from 'commander';
import type { RegisterOptions } from '../online/register-command.ts';
import { clusterName, domainName } from './names.ts';
import { collect, durationOption, managementOptions } from './options.ts';

export function addRegister(cluster: Command): void {
  managementOptions(
    cluster
      .command('register')
      .argument('<name>', '', clusterName)
      .summary('let the agent of a cluster dial in')
      .description(
        'Gives a cluster what its agent needs to dial in: the root CA and a token for this cluster, once. Then waits for its client certificate.',
      ),
    'where server and agent are',
  )
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster to register')
    .option(
      '--context <NAME>',
      'its context; one of both is needed where the current context is the management cluster',
    )
    .option('--cluster-domain <DOMAIN>', 'DNS domain of its Services, where it is not cluster.local', domainName)
    .addOption(durationOption('--token-ttl', 'how long the token is good: 1h, at most 24h'))
    .option('--replace', 'register even though the cluster has a certificate that is still good, which is revoked then')
    .option(
      '--direct <FILE>',
      'instead: the server reaches the cluster by this kubeconfig, which names no file and no command; no agent runs there',
    )
    .option(
      '--plugin <MODULE>',
      'with --direct: a mesh plugin of the server besides those built in (repeatable)',
      collect,
      [],
    )
    .addOption(durationOption('--timeout', 'how long to wait until it takes part; 0s not to wait', '2m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster register cluster-1 --mgmt-context mgmt --context east\n  meshctl cluster register cluster-2 --mgmt-context mgmt --direct west.yaml',
    )
    .action(async (name: string, options: RegisterOptions) =>
      (await import('../online/register-command.ts')).register(name, options),
    );
}
