/** `meshctl check`. */
import { type Command, Option } from 'commander';
import type { CheckOptions } from '../online/actions.ts';
import { managementOptions, oneOf, outputOption } from './options.ts';

export function addCheck(program: Command): void {
  managementOptions(
    program
      .command('check')
      .summary('check that an installation works')
      .description(
        'Checks the CRDs, the server and the version of each replica, the connections of all agents, whether outputs reach all clusters, and the state of all policies and whether they are applied, and that server and agents are at most one minor version apart. Without a running server some of this is unknown.\nWith --pre, checks whether the server or an agent can be installed in the cluster: Helm, the version of Kubernetes, your permissions, CRDs and releases that conflict with it.\nExits 0 if there are no problems, 2 if there are, with a hint for each.',
      ),
  )
    .addOption(
      new Option('--pre [server|agent]', 'check before an installation of it')
        .argParser(oneOf('server', 'agent'))
        .preset('server'),
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  meshctl check --pre --context mgmt\n  meshctl check --context mgmt -o json')
    .action(async (options: CheckOptions) => (await import('../online/actions.ts')).check(options));
}
