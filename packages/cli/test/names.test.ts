/** Invalid names, at every option and argument that takes one. */
import { assert, test } from '@meshrelay/testing';
import { leaves } from './support/commands.ts';
import { meshctlHere } from './support/run.ts';

/** The placeholder of an option's value in its help. */
const NAME = /<(NAME|CLUSTER|NAME\[\.NAMESPACE\]|NAMESPACE\/NAME)>/;
/**
 * Contexts of a kubeconfig may have any name; a server's name may be an address, and is verified with the certificate.
 */
const FREE = new Set(['--mgmt-context', '--context', '--agent-context', 'pki sign --server', 'pki verify --server']);
const CLUSTERS = new Set(['name', 'cluster', 'cluster-or-id']);
const BAD = ['BAD NS', 'a b', '-a', 'a_b', 'a/b/c', '../a', '', '\u001b[2J', 'ａ', 'x'.repeat(300)];

interface Place {
  readonly what: string;
  readonly parse: ((text: string, before: unknown) => unknown) | undefined;
}

function places(): Place[] {
  return leaves().flatMap(({ name, command }) => [
    ...command.options
      .filter(({ flags, long }) => NAME.test(flags) && !FREE.has(`${long}`) && !FREE.has(`${name} ${long}`))
      .map(({ long, parseArg }): Place => ({ what: `${name} ${long}`, parse: parseArg })),
    ...command.registeredArguments
      .filter((argument) => CLUSTERS.has(argument.name()) && name !== 'describe')
      .map((argument): Place => ({ what: `${name} <${argument.name()}>`, parse: argument.parseArg as Place['parse'] })),
  ]);
}

test('each rejects invalid names, and accepts valid ones', async () => {
  const all = places();
  assert.ok(all.length > 30, `${all.length} places were found`);
  for (const { what, parse } of all) {
    assert.type(parse, 'function', `${what} is validated`);
    for (const text of BAD)
      assert.throws(() => parse?.(text, []), /^Not .*; (use|write it like) /, `${what} of ${JSON.stringify(text)}`);
    const good = /--(pull-secret|patch)$/.test(what) ? 'shop/login' : 'east-1';
    assert.equal([parse?.(good, [])].flat(), [good], what);
  }
});

test('the name of a cluster is a DNS label', async () => {
  for (const cluster of ['us.east', 'a'.repeat(64)]) {
    const { code, stderr } = await meshctlHere(['cluster', 'register', cluster], '.');
    assert.is(code, 1);
    assert.match(
      stderr,
      'Not a cluster name; use a DNS label: lower-case letters, digits and "-", at most 63 characters',
    );
  }
});

test('an invalid namespace is rejected with its option, before any file is read', async () => {
  for (const args of [['translate'], ['check'], ['cluster', 'list'], ['fence']]) {
    const { code, stdout, stderr } = await meshctlHere([...args, '--namespace', 'BAD NS'], '.');
    assert.equal([code, stdout], [1, '']);
    assert.match(
      stderr,
      `option '-n, --namespace <NAME>' argument 'BAD NS' is invalid. Not a namespace name; use lower-case letters, digits and "-", at most 63`,
    );
  }
  const dotted = await meshctlHere(['fence', '--namespace', 'a.b'], '.');
  assert.match(dotted.stderr, 'Not a namespace name');
});

test.run();
