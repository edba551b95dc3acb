/** `meshctl envoy bootstrap`. */
import type { Command } from 'commander';
import type { EnvoyOptions } from '../offline/envoy.ts';
import { namespaceName, objectName } from './names.ts';
import { manifestOption } from './options.ts';

export function addEnvoy(program: Command): void {
  const envoy = program.command('envoy').summary('run plain Envoys as a mesh');
  envoy
    .command('bootstrap')
    .summary('print what an Envoy of a workload is started with')
    .description(
      'Prints the bootstrap of an Envoy beside a labelled workload, or of a gateway: who it is, and where the agent of its cluster is. Everything else comes from there.',
    )
    .requiredOption('--workload <NAME>', 'name of the Deployment, StatefulSet or DaemonSet', objectName)
    .requiredOption('--workload-namespace <NAME>', 'its namespace', namespaceName)
    .option('--agent <HOST:PORT>', 'the agent', 'meshrelay-agent.meshrelay:9977')
    .option('--token-file <FILE>', 'where the token of its ServiceAccount is in the pod', '/var/run/meshrelay/token')
    .option(
      '--roots-file <FILE>',
      'where the roots of the agent’s certificate are in the pod',
      '/var/run/meshrelay/ca.crt',
    )
    .addOption(manifestOption())
    .addHelpText(
      'after',
      '\nExample:\n  meshctl envoy bootstrap --workload reviews --workload-namespace bookinfo > envoy.yaml',
    )
    .action(async (options: EnvoyOptions) => (await import('../offline/envoy.ts')).printBootstrap(options));
}
