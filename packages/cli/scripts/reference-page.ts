// docs/reference/cli.md: every command of meshctl, as its own help describes it.
import type { Command } from 'commander';

/** Columns of the help texts. */
const WIDTH = 110;

const INTRODUCTION = `# meshctl

\`bin/meshctl\` in a checkout. \`discover\`, \`translate\` and \`plan\` need files alone; \`cluster\` and \`check\` talk to API servers.

Exit codes: 0 all is well; 1 bad input or a cluster that cannot be reached: one message on stderr, and nothing is written to files;
2 the command did what was asked, and what it found is not well (a policy that is not accepted, an agent that is not connected, a plan with changes in it).

\`-o\` has two sets of formats: commands that show something take \`text\` (the default), \`json\` and \`yaml\`; commands that print what another program reads (\`translate\`, \`cluster rbac\`, \`fence\`,
\`envoy bootstrap\`) take \`yaml\` (the default) and \`json\`. \`logs\` and \`top\` print a line of JSON, or a document of YAML, for each entry or look.

Commands that talk to a cluster take its kubeconfig from their option, else from the first file of \`KUBECONFIG\` that exists, else
from \`~/.kube/config\`. They use its current context unless another is named.
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
