/** `meshctl cluster register`. */
import type { Command } from 'commander';
import type { RegisterOptions } from '../online/register-command.ts';
import { clusterName, domainName, namespaceName } from './names.ts';
import { collect, durationOption, oneOf, requestTimeoutOption } from './options.ts';

export function addRegister(cluster: Command): void {
  cluster
    .command('register')
    .argument('<name>', '', clusterName)
    .summary('register a cluster, so that its agent can connect')
    .description(
      'Copies the root CA and a one-time token into a cluster, installs the chart of the agent by your Helm (3.14 or later) unless the agent is there, creates the KubernetesCluster and waits for the client certificate of the agent. Nothing is written before all of it is checked. Run it again to continue where it stopped.',
    )
    .option('--mgmt-kubeconfig <FILE>', 'kubeconfig of the management cluster')
    .option('--mgmt-context <NAME>', 'its context')
    .option('-n, --namespace <NAME>', 'namespace of the server and the agent', namespaceName, 'meshrelay')
    .addOption(requestTimeoutOption())
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster to register')
    .option(
      '--context <NAME>',
      'context of the cluster; this or --kubeconfig is required if the current context is the management cluster',
    )
    .option('--management-cluster', 'register the management cluster itself, which the command refuses otherwise')
    .option('--no-install', 'do not install the agent: you install its chart by Helm or from Git')
    .option('--relay-address <HOST:PORT>', 'the address that the agent dials, if not that of the load balancer')
    .option('--profile <trial|production>', 'value `profile` of the chart', oneOf('trial', 'production'))
    .option('--set <KEY=VALUE>', 'a value of the chart, as for Helm (repeatable)', collect, [])
    .option('-f, --values <FILE>', 'YAML file with values of the chart (repeatable)', collect, [])
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
