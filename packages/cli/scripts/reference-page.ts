// docs/reference/cli.md: every command of meshctl, as its own help describes it.
import type { Command } from 'commander';

/** Columns of the help texts. */
const WIDTH = 110;

const INTRODUCTION = `# meshctl

In a checkout the program is \`bin/meshctl\`.

| commands | read |
|---|---|
| \`discover\`, \`translate\`, \`plan\`, \`pki\`, \`fence\`, \`envoy bootstrap\`, \`cluster rbac\`, \`completion\` | files, or nothing |
| \`cluster\`, \`token\`, \`relay\`, \`pause\`, \`unpause\`, \`approve\`, \`check\`, \`support-bundle\`, \`describe\`, \`create\` | the management cluster, by a kubeconfig |
| \`install\`, \`upgrade\`, \`uninstall\` | the cluster that they change, by a kubeconfig, with [Helm](../operations/install.md) |
| \`logs\`, \`top\`, \`explain\` | the [HTTP API](http-api.md) of the server |

\`explain\`, \`describe\` and \`create\` read files instead if you give any.

| exit code | meaning |
|---|---|
| 0 | the command succeeded and found no problem |
| 1 | invalid input, or a cluster that cannot be reached: one message on stderr, and nothing is written to files |
| 2 | the command succeeded and found a problem or a change, such as a policy that is not accepted, an agent that is not connected, or a plan with changes |
| 130 | Ctrl-C ended the questions of \`create\`: nothing was written |

\`-o\` has one set of formats: \`table\`, \`wide\`, \`json\`, \`yaml\`, \`name\`. Lists have all of them; other commands that show
something have \`table\`, \`json\` and \`yaml\`. The default is \`table\`. Commands whose output is for another program
(\`translate\`, \`create\`, \`cluster rbac\`, \`fence\`, \`envoy bootstrap\`) have \`yaml\` (the default) and \`json\`. \`logs\` and \`top\` print one
line of JSON, or one YAML document, for each entry or refresh.

\`--kubeconfig\`, \`--context\`, \`-n\` and \`-A\` mean the same as in kubectl. Commands take the kubeconfig of a cluster from
their option, else from the first file of \`KUBECONFIG\` that exists, else from \`~/.kube/config\`. They use its current
context unless another is named. \`cluster register\` is about two clusters: there \`--mgmt-kubeconfig\` and \`--mgmt-context\`
name the management cluster, and the other commands accept these names too.
`;

/** The text of the page. */
export function referencePage(program: Command): string {
  const commands = program.commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : command.commands,
  );
  return [
    '<!-- Generated from packages/cli by scripts/generate.ts; run `node packages/cli/scripts/generate.ts`. -->',
    INTRODUCTION,
    ...commands.map(
      (command) => `- [${nameOf(command)}](#${nameOf(command).replaceAll(' ', '-')}): ${command.summary()}`,
    ),
    '',
    ...commands.flatMap((command) => [`## ${nameOf(command)}`, '', '```text', helpOf(command), '```', '']),
  ].join('\n');
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** With the examples after it, which `helpInformation` leaves out. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trim();
}
