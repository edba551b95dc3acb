/** `meshctl completion`. */
import process from 'node:process';
import { Argument, type Command } from 'commander';
import type { Shell } from '../completion/scripts.ts';
import { oneOf } from './options.ts';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<bash|zsh|fish>', 'your shell').argParser(oneOf('bash', 'zsh', 'fish')))
    .summary('generate the completion script of a shell')
    .description(
      'Prints a script that completes commands, options and their values. bash: source <(meshctl completion bash) in ~/.bashrc. zsh: save it as _meshctl in a folder of $fpath. fish: save it as ~/.config/fish/completions/meshctl.fish.',
    )
    .addHelpText('after', '\nExample:\n  meshctl completion bash')
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../completion/scripts.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
