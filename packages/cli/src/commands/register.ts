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
      .summary('register a cluster, so that its agent can connect')
      .description(
        'Creates in a cluster the root CA and a one-time token that its agent needs to connect. Then waits for the client certificate of the agent.',
      ),
    'namespace of the server and the agent',
  )
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster to register')
    .option(
      '--context <NAME>',
      'context of the cluster; this or --kubeconfig is required if the current context is the management cluster',
    )
    .option('--cluster-domain <DOMAIN>', 'DNS domain of its Services, if it is not cluster.local', domainName)
    .addOption(durationOption('--token-ttl', 'lifetime of the token: 1h, at most 24h'))
    .option('--replace', 'register even if the cluster has a valid certificate, and revoke that certificate')
    .option(
      '--direct <FILE>',
      'connect without an agent: the server reaches the cluster by this kubeconfig, which must not refer to files or commands',
    )
    .option('--plugin <MODULE>', 'with --direct: an additional mesh plugin of the server (repeatable)', collect, [])
    .addOption(durationOption('--timeout', 'how long to wait until the cluster is connected; 0s not to wait', '2m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl cluster register cluster-1 --mgmt-context mgmt --context east\n  meshctl cluster register cluster-2 --mgmt-context mgmt --direct west.yaml',
    )
    .action(async (name: string, options: RegisterOptions) =>
      (await import('../online/register-command.ts')).register(name, options),
    );
}
