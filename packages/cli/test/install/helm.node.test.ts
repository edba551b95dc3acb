/** Which Helm meshctl accepts, and what it says about others. */
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { addInstall, addUninstall, addUpgrade } from '../../src/commands/install.ts';
import { commandLine } from '../../src/install/helm.ts';
import { bare, GOOD_SHAPE, testBadCalls } from '../support/bad-calls.ts';
import { meshctlWith } from '../support/run-commands.ts';
import type { Result } from '../support/run-here.ts';

const meshctl = meshctlWith(addInstall, addUpgrade, addUninstall);

/** Runs meshctl where `helm` is this script. */
async function withHelm(script: string, ...words: readonly string[]): Promise<Result> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'helm');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  writeFileSync(join(folder.path, 'kubeconfig'), GOOD_SHAPE);
  const env = { ...bare(folder.path), PATH: `${folder.path}${delimiter}${process.env['PATH']}` };
  return await meshctl([...words, '--kubeconfig', 'kubeconfig'], folder.path, env);
}

test('an old Helm is refused, with where to get another', async () => {
  const { code, stdout, stderr } = await withHelm('echo v3.13.2', 'install');
  assert.equal([code, stdout], [1, '']);
  assert.match(stderr, 'helm on the PATH has version v3.13.2, expected 3.14 or later; get it from https://helm.sh');
});

for (const version of ['v3.14.0', 'v3.22', 'v4.0.1'])
  test(`Helm ${version} is accepted, and its error is printed without warnings`, async () => {
    const script = `[ "$1" = version ] && { echo ${version}; exit; }; echo "WARNING: x" >&2; echo "Error: bad value" >&2; exit 1`;
    const { code, stderr } = await withHelm(script, 'install');
    assert.equal([code, stderr], [1, 'error: helm template failed: bad value\n']);
  });

test('without Helm, the message says how to continue, and the command is still printed', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'kubeconfig'), GOOD_SHAPE);
  const env = { ...bare(folder.path), PATH: folder.path };
  const words = ['install', 'agent', '--set', 'a=b c', '--kubeconfig', 'kubeconfig'];
  const { code, stderr } = await meshctl(words, folder.path, env);
  assert.is(code, 1);
  assert.match(stderr, 'helm cannot be started');
  assert.match(
    stderr,
    'get it from https://helm.sh/docs/intro/install, or run the command that --print-command prints',
  );
  const printed = await meshctl([...words, '--print-command'], folder.path, env);
  assert.match(
    printed.stdout,
    /^helm install meshrelay-agent \S+\/charts\/meshrelay-agent --kubeconfig kubeconfig --kube-context a --namespace meshrelay --set 'a=b c' --create-namespace\n$/,
  );
});

test('words of a printed command are quoted for a shell', () => {
  assert.is(commandLine(['install', "it's", 'a=b']), String.raw`helm install 'it'\''s' a=b`);
});

testBadCalls(meshctl, [
  { what: 'a component that does not exist', args: ['install', 'proxy'], says: ['Expected one of server, agent'] },
  { what: 'an unknown profile', args: ['install', '--profile', 'big'], says: ['Expected one of trial, production'] },
  {
    what: 'a file of values that does not exist',
    kubeconfig: GOOD_SHAPE,
    args: ['upgrade', '--values', 'none.yaml', '--kubeconfig', 'kubeconfig.yaml'],
    says: ['no file none.yaml; give --values the path of a YAML file'],
  },
  {
    what: 'a context that does not exist',
    kubeconfig: GOOD_SHAPE,
    args: ['install', '--context', 'b', '--kubeconfig', 'kubeconfig.yaml'],
    says: ['context b does not exist', 'choose one of a'],
  },
]);

test.run();
