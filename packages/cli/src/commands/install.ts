/** `meshctl install`, `upgrade` and `uninstall`. */
import { Argument, type Command } from 'commander';
import type { InstallOptions, UninstallOptions } from '../install/actions.ts';
import type { Component } from '../install/chart.ts';
import { namespaceName } from './names.ts';
import { collect, durationOption, oneOf, requestTimeoutOption } from './options.ts';

export function addInstall(program: Command): void {
  chartOptions(
    program
      .command('install')
      .addArgument(component())
      .summary('install the server or an agent')
      .description(
        'Installs the chart that comes with meshctl, by your Helm (3.14 or later). Before it changes anything, it checks the version of Kubernetes, your permissions, the CRDs in the cluster and whether a release exists. A failed installation is removed again. To install an agent and register its cluster at once, use meshctl cluster register.',
      ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  meshctl install --context mgmt --profile production --values server.yaml --wait\n  meshctl install agent --context east --set config.relay.cluster=east --set config.relay.serverAddress=relay.example.com:9900\n  meshctl install --dry-run --set crds.enabled=false',
    )
    .action(async (name: Component, options: InstallOptions) =>
      (await import('../install/actions.ts')).install(name, options),
    );
}

export function addUpgrade(program: Command): void {
  chartOptions(
    program
      .command('upgrade')
      .addArgument(component())
      .summary('upgrade the server or an agent')
      .description(
        'Upgrades a release to the chart that comes with meshctl, with its CRDs. The values of the release stay; options change single ones. Before it changes anything, it checks that the versions are at most one minor version apart, your permissions and the CRDs in the cluster. Upgrade the server before the agents.',
      ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  meshctl upgrade --context mgmt --wait\n  meshctl upgrade agent --context east --set image.tag=1.2.3\n  meshctl upgrade --context mgmt --dry-run',
    )
    .action(async (name: Component, options: InstallOptions) =>
      (await import('../install/actions.ts')).upgrade(name, options),
    );
}

export function addUninstall(program: Command): void {
  targetOptions(
    program
      .command('uninstall')
      .addArgument(component())
      .summary('uninstall the server or an agent')
      .description(
        'Lists what it removes, asks for confirmation, and uninstalls the release. CRDs and their objects stay unless --crds is given, and Secrets with keys and identities unless --purge is given. Deregister clusters first (meshctl cluster deregister), so that their agents delete the generated objects. At the end it lists what is left in the cluster, with the commands that delete it; --purge does that also if no release exists.',
      ),
  )
    .option('--crds', 'also delete the CRDs, and with them all policies and registrations in the cluster')
    .option(
      '--purge',
      'also delete CRDs, the Secrets and Leases that the program created, and the namespace if meshctl created it',
    )
    .option('-y, --yes', 'do not ask for confirmation; required without a terminal')
    .addOption(durationOption('--timeout', 'how long to wait until everything is deleted', '5m'))
    .addHelpText(
      'after',
      '\nExample:\n  meshctl uninstall agent --context east\n  meshctl uninstall --context mgmt --purge --yes',
    )
    .action(async (name: Component, options: UninstallOptions) =>
      (await import('../install/actions.ts')).uninstall(name, options),
    );
}

function component(): Argument {
  return new Argument('[server|agent]', 'what to change').argParser(oneOf('server', 'agent')).default('server');
}

function targetOptions(command: Command): Command {
  return command
    .option('--kubeconfig <FILE>', 'kubeconfig of the cluster')
    .option('--context <NAME>', 'its context')
    .option('-n, --namespace <NAME>', 'namespace of the release', namespaceName, 'meshrelay')
    .addOption(requestTimeoutOption());
}

function chartOptions(command: Command): Command {
  return targetOptions(command)
    .option('--profile <trial|production>', 'value `profile` of the chart', oneOf('trial', 'production'))
    .option('--set <KEY=VALUE>', 'a value of the chart, as for Helm (repeatable)', collect, [])
    .option('-f, --values <FILE>', 'YAML file with values of the chart (repeatable)', collect, [])
    .option('--take-ownership', 'take CRDs and objects that no installed release owns into this one (Helm 3.17)')
    .option('--wait', 'wait until the pods are available, and print what is missing')
    .addOption(durationOption('--timeout', 'how long --wait waits', '5m'))
    .option('--dry-run', 'only print the objects, as YAML')
    .option('--print-command', "only print Helm's command");
}
