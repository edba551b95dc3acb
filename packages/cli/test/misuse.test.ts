/** Commands that there are not, and commands called in a way they do not know: what is said, and where to look. */
import { assert, test } from '@meshrelay/testing';
import { leaves } from './support/commands.ts';
import { meshctlHere } from './support/run.ts';

test('an unknown option leads to the help of the very command', async () => {
  for (const { name } of leaves()) {
    const { code, stderr } = await meshctlHere([...name.split(' '), 'x', '--foo'], '.');
    assert.is(code, 1);
    assert.ok(stderr.endsWith(`; see meshctl ${name} --help\n`), stderr);
  }
});

for (const args of [
  ['completion', '--help'],
  ['completion', '-h'],
  ['help', 'completion'],
  ['completion'],
  ['completion', 'bash'],
])
  test(`meshctl ${args.join(' ')} is refused: there is no such command, and so no help for it`, async () => {
    const { code, stdout, stderr } = await meshctlHere(args, '.');
    assert.equal([code, stdout, stderr], [1, '', 'error: unknown command "completion"; see meshctl --help\n']);
  });

test('so is one of a group, with what was probably meant', async () => {
  for (const [args, says] of [
    [['cluster', 'lst', '--help'], 'error: unknown command "cluster lst"; did you mean meshctl cluster list?\n'],
    [['help', 'cluster', 'lst'], 'error: unknown command "cluster lst"; did you mean meshctl cluster list?\n'],
    [['cluster', 'completion'], 'error: unknown command "cluster completion"; see meshctl cluster --help\n'],
    [['trnslate', '--help'], 'error: unknown command "trnslate"; did you mean meshctl translate?\n'],
  ] as const) {
    const { code, stdout, stderr } = await meshctlHere(args, '.');
    assert.equal([code, stdout, stderr], [1, '', says]);
  }
});

test('help is shown of what there is', async () => {
  for (const args of [
    ['--help'],
    ['help'],
    ['cluster', '--help'],
    ['help', 'cluster', 'list'],
    ['token', 'create', '-h'],
  ]) {
    const { code, stdout, stderr } = await meshctlHere(args, '.');
    assert.equal([code, stderr], [0, ''], args.join(' '));
    assert.match(stdout, /^Usage: meshctl /);
  }
});

test.run();
