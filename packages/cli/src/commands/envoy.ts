/** `meshctl envoy bootstrap`. */
import type { Command } from 'commander';
import type { EnvoyOptions } from '../offline/envoy.ts';
import { namespaceName, objectName } from './names.ts';
import { manifestOption } from './options.ts';

export function addEnvoy(program: Command): void {
  const envoy = program.command('envoy').summary('generate bootstrap configuration for plain Envoy proxies');
  envoy
    .command('bootstrap')
    .summary('print the bootstrap configuration of an Envoy')
    .description(
      'Prints the bootstrap configuration of the Envoy sidecar of a labelled workload, or of a gateway: its identity and the address of the agent in its cluster. The agent sends all other configuration.',
    )
    .requiredOption('--workload <NAME>', 'name of the Deployment, StatefulSet or DaemonSet', objectName)
    .requiredOption('--workload-namespace <NAME>', 'its namespace', namespaceName)
    .option('--agent <HOST:PORT>', 'the agent', 'meshrelay-agent.meshrelay:9977')
    .option('--token-file <FILE>', 'path of its ServiceAccount token in the pod', '/var/run/meshrelay/token')
    .option(
      '--roots-file <FILE>',
      'path in the pod of the roots that sign the agent’s certificate',
      '/var/run/meshrelay/ca.crt',
    )
    .addOption(manifestOption())
    .addHelpText(
      'after',
      '\nExample:\n  meshctl envoy bootstrap --workload reviews --workload-namespace bookinfo > envoy.yaml',
    )
    .action(async (options: EnvoyOptions) => (await import('../offline/envoy.ts')).printBootstrap(options));
}
