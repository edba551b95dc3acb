/** Invalid input: one clear message on stderr, exit code 1, no output. */
import { Buffer } from 'node:buffer';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctl, meshctlHere, type Result } from './support/run.ts';

interface Case {
  readonly what: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly folders?: readonly string[];
  readonly args: readonly string[];
  /** Parts that the message must contain. */
  readonly says: readonly (string | RegExp)[];
}

const translate = (...more: string[]) => [
  'translate',
  '--cluster',
  'cluster-1=cluster.yaml',
  '--out',
  'result',
  ...more,
];
const withConfig = (config: string, ...says: Array<string | RegExp>) => ({
  files: { 'cluster.yaml': CLUSTER, 'config.yaml': config },
  args: translate('--config', 'config.yaml'),
  says: ['config.yaml:', ...says],
});
const withCluster = (cluster: string | Uint8Array, ...says: Array<string | RegExp>) => ({
  files: { 'cluster.yaml': cluster },
  args: translate(),
  says: ['cluster.yaml', ...says],
});
const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefghij'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(',')}]`),
];

const cases: readonly Case[] = [
  {
    what: 'an unknown command',
    args: ['translte'],
    says: ['unknown command "translte"', 'did you mean meshctl translate?'],
  },
  { what: 'an unknown flag', args: ['translate', '--clustr', 'a=b'], says: ["'--clustr'", 'Did you mean --cluster?'] },
  {
    what: 'an unknown flag of discover',
    args: ['discover', '--outptu', 'json'],
    says: ["'--outptu'", 'Did you mean --output?'],
  },
  { what: 'an unknown flag of version', args: ['version', '--short'], says: ["'--short'"] },
  { what: 'an unknown flag of check', args: ['check', '--kubeconfg', 'x'], says: ["'--kubeconfg'"] },
  { what: 'an unknown flag of cluster list', args: ['cluster', 'list', '--kubeconfg', 'x'], says: ["'--kubeconfg'"] },
  { what: 'too many words', args: ['version', 'now'], says: ['too many arguments'] },
  {
    what: 'a flag without its value',
    args: ['translate', '--cluster'],
    says: ["'--cluster <NAME=PATH>' argument missing"],
  },
  {
    what: 'an unknown format',
    args: translate('-o', 'xml'),
    files: { 'cluster.yaml': CLUSTER },
    says: ["option '-o, --output <yaml|json>' argument 'xml' is invalid", 'Expected one of yaml, json'],
  },
  { what: 'no cluster', args: ['translate', '--out', 'result'], says: ['--cluster NAME=PATH'] },
  { what: 'a cluster without a path', args: ['discover', '--cluster', 'cluster-1'], says: ['expected NAME=PATH'] },
  {
    what: 'a bad cluster name',
    args: ['discover', '--cluster', '../x=cluster.yaml'],
    says: ['"../x" is not a cluster name'],
  },
  {
    what: 'a cluster name with a dot',
    args: ['discover', '--cluster', 'us.east=cluster.yaml'],
    says: ['"us.east" is not a cluster name', 'a DNS label'],
  },
  {
    what: 'a cluster named twice',
    files: { 'cluster.yaml': CLUSTER },
    args: translate('--cluster', 'cluster-1=cluster.yaml'),
    says: ['cluster cluster-1 is given twice'],
  },
  { what: 'a missing file', args: translate(), says: ['cluster.yaml: no such file or folder'] },
  {
    what: 'a missing config file',
    files: { 'cluster.yaml': CLUSTER },
    args: translate('--config', 'none.yaml'),
    says: ['none.yaml: no such file or folder'],
  },
  {
    what: 'an empty folder',
    folders: ['empty'],
    args: ['translate', '--cluster', 'cluster-1=empty', '--out', 'result'],
    says: ['empty: this folder has no .yaml, .yml or .json file'],
  },
  {
    what: 'YAML that does not parse',
    ...withConfig('kind: VirtualMesh\nmetadata: {name: a\nspec:\n  meshes: []\n', /config\.yaml:\d+:\d+: /),
  },
  {
    what: 'JSON that does not parse',
    files: { 'cluster.json': '{"kind": "Pod",\n "metadata": {,}}' },
    args: ['discover', '--cluster', 'c=cluster.json'],
    says: [/cluster\.json:2:\d+: /],
  },
  { what: 'a key twice', ...withConfig('kind: VirtualMesh\nkind: Settings\n', 'config.yaml:2:1', 'unique') },
  {
    what: 'a binary file',
    ...withCluster(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0, 1]), 'not UTF-8 text'),
  },
  {
    what: 'text of Windows in UTF-16',
    ...withCluster(new Uint8Array(Buffer.from('\ufeffkind: List\n', 'utf16le')), 'save it as UTF-8'),
  },
  {
    what: 'an alias of an anchor in another document',
    ...withConfig(
      `${policy('a', '&rules {requestTimeout: 1s}')}---\n${policy('b', '*rules')}`,
      'config.yaml:9:17: *rules refers to anchor &rules, which the document does not define before it',
    ),
  },
  {
    what: 'a template that is not rendered',
    ...withConfig(
      policy('a', '{}').replace('name: a', 'name: {{ .Values.name }}'),
      'config.yaml:3:20: the name of a field must be text',
      'render a template first',
    ),
  },
  { what: 'text that is not an object', ...withCluster('hello', 'cluster.yaml:1:1', 'expected a Kubernetes object') },
  { what: 'an object without a kind', ...withCluster('apiVersion: v1\nmetadata: {name: a}\n', 'kind is required') },
  {
    what: 'a watched object without a name',
    ...withCluster('apiVersion: v1\nkind: Service\nmetadata: {}\n', 'cluster.yaml:3:1', 'metadata.name is required'),
  },
  {
    what: 'a label that is not text',
    ...withCluster(
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    version: 1\n',
      'cluster.yaml:6:5',
      'metadata.labels.version must be a string',
    ),
  },
  {
    what: 'an unknown Meshrelay kind',
    ...withConfig(
      policy('a', '{}').replace('TrafficPolicy', 'TrafficPolcy'),
      'config.yaml:2:1',
      'TrafficPolcy',
      'TrafficPolicy',
    ),
  },
  {
    what: 'an unknown Meshrelay group',
    ...withConfig(policy('a', '{}').replace('networking.', 'networkng.'), 'networkng.meshrelay.dev'),
  },
  {
    what: 'an unknown Meshrelay field',
    ...withConfig(
      policy('a', '{requestTimeot: 1s}'),
      'config.yaml:4:18: TrafficPolicy meshrelay/a: spec.policy.requestTimeot',
      'did you mean requestTimeout?',
    ),
  },
  {
    what: 'a wrong type in a Meshrelay object',
    ...withConfig(policy('a', '{retries: {attempts: many}}'), 'config.yaml:4:28', 'spec.policy.retries.attempts'),
  },
  {
    what: 'a missing Meshrelay field',
    ...withConfig(policy('a', '{retries: {}}'), 'spec.policy.retries.attempts', 'required'),
  },
  {
    what: 'a duplicate in one file',
    ...withConfig(
      `${policy('a', '{}')}---\n${policy('a', '{}')}`,
      'config.yaml:6:1',
      'TrafficPolicy meshrelay/a is defined twice (first at config.yaml:1:1)',
    ),
  },
  {
    what: 'a duplicate by the default namespace',
    ...withCluster(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n',
      'Pod default/a is defined twice',
    ),
  },
  {
    what: 'a __proto__ key',
    ...withCluster(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  __proto__: {x: 1}\n',
      'cluster.yaml:5:3',
      '__proto__ is not allowed',
    ),
  },
  { what: 'a quoted __proto__ key', ...withConfig(policy('a', '{"__\\x70roto__": {}}'), '__proto__') },
  { what: 'an alias bomb', ...withCluster(bomb.join('\n'), 'aliases') },
  { what: 'nesting without end', ...withCluster(`a: ${'['.repeat(100_000)}`, 'nested too deeply') },
  { what: '50 MB of YAML', ...withCluster('- apiVersion: v1\n'.repeat(3_000_000), '49 MB', 'split it') },
  {
    what: 'a plugin that is not there',
    files: { 'cluster.yaml': CLUSTER },
    args: translate('--plugin', './none.js'),
    says: ['--plugin ./none.js'],
  },
  {
    what: 'a plugin that is an endless device',
    files: { 'cluster.yaml': CLUSTER },
    args: translate('--plugin', '/dev/zero'),
    says: ['--plugin /dev/zero: it is not a file'],
  },
  {
    what: 'a module that is not a plugin',
    files: { 'cluster.yaml': CLUSTER, 'plugin.mjs': 'export default {}' },
    args: translate('--plugin', './plugin.mjs'),
    says: ['plugin ./plugin.mjs: its default export is not a mesh plugin'],
  },
  {
    what: 'Settings given twice',
    files: { 'cluster.yaml': CLUSTER, 'a.yaml': settings('settings'), 'b.yaml': settings('others') },
    args: translate('--config', 'a.yaml', '--settings', 'b.yaml'),
    says: ['one Settings object', 'settings, others'],
  },
  {
    what: 'Settings with an ignored name, and an unused consent',
    files: {
      'cluster.yaml': CLUSTER,
      'a.yaml': settings('others').replace('spec: {}', 'spec: { patches: { istio: { meshConfigs: true } } }'),
    },
    args: translate('--config', 'a.yaml'),
    says: [
      'Settings others: only the object named settings takes effect; rename it',
      'spec.patches.istio.meshConfigs is not a consent of any plugin; did you mean spec.patches.istio.meshConfig?',
    ],
  },
  {
    what: '--settings with something else',
    files: { 'cluster.yaml': CLUSTER, 'a.yaml': policy('a', '{}') },
    args: translate('--settings', 'a.yaml'),
    says: ['expected Settings objects, found a TrafficPolicy'],
  },
  {
    what: '--ledger without any',
    files: { 'cluster.yaml': CLUSTER, 'a.yaml': '# nothing\n' },
    args: translate('--ledger', 'a.yaml'),
    says: ['expected Ledger objects, found none'],
  },
  {
    what: 'an output folder in use',
    files: { 'cluster.yaml': CLUSTER, 'used/file': '' },
    args: ['translate', '--cluster', 'c=cluster.yaml', '--out', 'used'],
    says: ['--out used: the folder is not empty'],
  },
  {
    what: 'an output folder that is a file',
    files: { 'cluster.yaml': CLUSTER, used: '' },
    args: ['translate', '--cluster', 'c=cluster.yaml', '--out', 'used'],
    says: ['--out used: it is a file'],
  },
];

function settings(name: string): string {
  return `apiVersion: admin.meshrelay.dev/v1alpha1\nkind: Settings\nmetadata: { name: ${name}, namespace: meshrelay }\nspec: {}\n`;
}

async function runIn(
  { files = {}, folders = [], args }: Case,
  run: typeof meshctl,
): Promise<Result & { wrote: boolean }> {
  using folder = temporaryFolder();
  writeFiles(folder.path, files);
  for (const name of folders) mkdirSync(join(folder.path, name));
  return { ...(await run(args, folder.path)), wrote: existsSync(join(folder.path, 'result')) };
}

test('the program prints the same as the command in this process', async () => {
  const [one] = cases;
  assert.ok(one);
  assert.equal(await runIn(one, meshctl), await runIn(one, meshctlHere));
});

for (const one of cases) {
  const { what, says } = one;
  test(what, async () => {
    const result = await runIn(one, meshctlHere);
    assert.is(result.code, 1, result.stderr);
    assert.is(result.stdout, '');
    assert.match(result.stderr, /^error: /);
    assert.not.match(result.stderr, 'which is a bug');
    assert.not.match(result.stderr, '\n    at ');
    for (const part of says) assert.match(result.stderr, part);
    assert.ok(result.stderr.length < 3000, 'the message is short enough to be read');
    assert.not.ok(result.wrote, 'nothing is written');
  });
}

test.run();
