/**
 * `-o` has one set of formats. Lists have all of them, other commands those that make sense, and manifests the two that
 * programs read.
 */
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { managementCluster } from './support/clusters.ts';
import { leaves } from './support/commands.ts';
import { meshctlHere } from './support/run.ts';

const SETS: Readonly<Record<string, { readonly values: readonly string[]; readonly byDefault: string }>> = {
  '-o, --output <table|wide|json|yaml|name>': { values: ['table', 'wide', 'json', 'yaml', 'name'], byDefault: 'table' },
  '-o, --output <table|json|yaml>': { values: ['table', 'json', 'yaml'], byDefault: 'table' },
  '-o, --output <yaml|json>': { values: ['yaml', 'json'], byDefault: 'yaml' },
};

const LISTS = ['cluster list', 'token list', 'discover'];

test('there is one set of formats, and each option accepts the values in its help', () => {
  const options = leaves().flatMap(({ name, command }) =>
    command.options.filter(({ long }) => long === '--output').map((option) => ({ name, option })),
  );
  assert.ok(options.length >= 12);
  for (const { name, option } of options) {
    const set = SETS[option.flags];
    assert.ok(set, `${name} has ${option.flags}`);
    assert.is(option.defaultValue, set?.byDefault, name);
    if (LISTS.includes(name)) assert.is(set?.values.length, 5, name);
    for (const value of ['table', 'wide', 'json', 'yaml', 'name', 'text'])
      if (set?.values.includes(value)) assert.is(option.parseArg?.(value, undefined), value);
      else assert.throws(() => option.parseArg?.(value, undefined), 'Expected one of', `${name} -o ${value}`);
  }
});

test('data output is the same in JSON and in YAML', async () => {
  await using cluster = await managementCluster();
  const run = (...args: readonly string[]) =>
    meshctlHere([...args, '--mgmt-kubeconfig', cluster.kubeconfig], cluster.folder);
  await run('token', 'create', 'east');
  const json = await run('token', 'list', '-o', 'json');
  const yaml = await run('token', 'list', '-o', 'yaml');
  const text = await run('token', 'list');
  assert.is(JSON.parse(json.stdout)[0].cluster, 'east');
  assert.equal(parse(yaml.stdout), JSON.parse(json.stdout));
  assert.match(text.stdout, /^ID {2,}CLUSTER/);
  const wide = await run('token', 'list', '-o', 'wide');
  assert.is(wide.stdout, text.stdout, 'there are no more columns');
  assert.is((await run('token', 'list', '-o', 'name')).stdout, `${JSON.parse(json.stdout)[0].id}\n`);
  const made = await run('token', 'create', 'east', '-o', 'yaml');
  assert.match((parse(made.stdout) as { token: string }).token, /^mrt_/);
});

test.run();
