/** What a shell completes with meshctl's script. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { completionScript } from '../src/completion/scripts.ts';
import { createProgram } from '../src/program.ts';

/** What bash offers for the last word. */
function offered(...words: readonly string[]): readonly string[] {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'script'), completionScript(createProgram(), 'bash'));
  writeFileSync(join(folder.path, 'file.yaml'), '');
  const list = ['meshctl', ...words].map((word) => `'${word}'`).join(' ');
  const run = `. ./script; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _meshctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', run], { cwd: folder.path, encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

test('commands are completed, those of groups too', () => {
  assert.equal(offered('ins'), ['install']);
  assert.equal(offered('cluster', 'de'), ['deregister']);
  assert.ok(offered('').includes('check'));
});

test('options of the command are completed, after its arguments and options too', () => {
  assert.equal(offered('cluster', 'register', 'east', '--no'), ['--no-install']);
  assert.equal(offered('uninstall', '-n', 'mesh', '--pu'), ['--purge']);
  assert.equal(offered('check', '--purg'), []);
});

test('values of an option are completed: fixed ones, and files', () => {
  assert.equal(offered('install', '--profile', ''), ['trial', 'production']);
  assert.equal(offered('check', '-o', 'j'), ['json']);
  assert.ok(offered('install', '--values', 'fi').includes('file.yaml'));
});

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test(`the script for ${shell} names every command, and parses where the shell is installed`, () => {
    const script = completionScript(createProgram(), shell);
    for (const { commands, name } of createProgram().commands.map((one) => ({
      commands: one.commands,
      name: one.name(),
    })))
      for (const word of [name, ...commands.map((one) => one.name())]) assert.match(script, word);
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') assert.equal([status, stderr], [0, '']);
  });

test.run();
