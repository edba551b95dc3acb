/** Unknown commands, and wrong calls of commands: the message, and the help that it names. */
import { assert, test } from '@meshrelay/testing';
import { leaves } from './support/commands.ts';
import { meshctlHere } from './support/run.ts';

test('an unknown option leads to the help of that command', async () => {
  for (const { name } of leaves()) {
    const { code, stderr } = await meshctlHere([...name.split(' '), 'x', '--foo'], '.');
    assert.is(code, 1);
    assert.ok(stderr.endsWith(`; see meshctl ${name} --help\n`), stderr);
  }
});

for (const args of [['wizard', '--help'], ['wizard', '-h'], ['help', 'wizard'], ['wizard'], ['wizard', 'bash']])
  test(`meshctl ${args.join(' ')} is rejected: the command does not exist, and has no help`, async () => {
    const { code, stdout, stderr } = await meshctlHere(args, '.');
    assert.equal([code, stdout, stderr], [1, '', 'error: unknown command "wizard"; see meshctl --help\n']);
  });

test('so is an unknown command of a group, with a suggestion', async () => {
  for (const [args, says] of [
    [['cluster', 'lst', '--help'], 'error: unknown command "cluster lst"; did you mean meshctl cluster list?\n'],
    [['help', 'cluster', 'lst'], 'error: unknown command "cluster lst"; did you mean meshctl cluster list?\n'],
    [['cluster', 'wizard'], 'error: unknown command "cluster wizard"; see meshctl cluster --help\n'],
    [['trnslate', '--help'], 'error: unknown command "trnslate"; did you mean meshctl translate?\n'],
  ] as const) {
    const { code, stdout, stderr } = await meshctlHere(args, '.');
    assert.equal([code, stdout, stderr], [1, '', says]);
  }
});

test('help is shown for existing commands', async () => {
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
