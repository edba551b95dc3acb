/** The reference documents match the sources: every field, metric, code and collection, and no others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLUSTER_FIELDS } from '@meshrelay/host';
import { MemoryStore } from '@meshrelay/store';
import { assert, test } from '@meshrelay/testing';
import * as z from 'zod';
import { SERVER_FIELDS, serverConfig } from '../src/config/config.ts';
import { RESOURCES } from '../src/http/resources.ts';
import { createServerMetrics, type Measured, registerGauges } from '../src/metrics.ts';
import { Connections } from '../src/relay/connections.ts';
import { newFleet } from './support/fleet.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A chapter of a document, by its heading. */
function chapter(document: string, heading: string): string {
  const [, text = ''] = read(document).split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

/** The first cells of a chapter's table rows, if they are code. */
const firstCells = (text: string): string[] => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell);
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** The fields of a schema, dotted. */
function fieldsOf(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    if (inner.properties !== undefined) return fieldsOf(inner, `${path}.`);
    return inner.items?.properties === undefined ? [path] : [path, ...fieldsOf(inner.items, `${path}[].`)];
  });
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** The texts in a list of a source file. */
function listIn(source: string, name: string): string[] {
  const [, list = ''] = new RegExp(`${name}[^=]*= \\[([^\\]]*)\\]`).exec(read(source)) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, text = '']) => text);
}

/** All sources of all packages, except those generated from other texts; read once. */
const SOURCES: readonly string[] = readdirSync(join(ROOT, 'packages'))
  .map((name) => `packages/${name}/src`)
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts') && !path.includes('/gen/'));

test("the server's fields are documented", () => {
  const schema = z.toJSONSchema(serverConfig, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const documented = firstCells(chapter('docs/reference/configuration.md', 'mgmt-server'));
  assert.equal(sorted(documented), sorted(fieldsOf(schema)));
  for (const field of SERVER_FIELDS) assert.ok(documented.includes(field), field);
});

test("the agent's fields are documented", () => {
  const fields = listIn('packages/agent/src/config/config.ts', 'AGENT_FIELDS');
  assert.ok(fields.length > 5);
  const documented = firstCells(chapter('docs/reference/configuration.md', 'agent'));
  assert.equal(sorted(documented), sorted([...fields, ...CLUSTER_FIELDS, 'plugins']));
});

test('every error code is documented, and no other', () => {
  const used = SOURCES.flatMap((path) => [...read(path).matchAll(/\b[A-Z]+_E_[A-Z_]*[A-Z]\b/g)].map(([code]) => code));
  const documented = [...read('docs/reference/errors.md').matchAll(/^\| `([A-Z]+_E_\w+)`/gm)].map(
    ([, code = '']) => code,
  );
  assert.ok(used.some((code) => code.startsWith('RELAY_E_')) && used.some((code) => code.startsWith('GRAPH_E_')));
  assert.equal(documented.length, new Set(documented).size);
  assert.equal(sorted(documented), sorted(used));
});

test('the documented retry conditions match the sources', () => {
  const retries = ['packages/relay-protocol/src/errors.ts', 'packages/kube/src/errors.ts'].flatMap((path) =>
    [...read(path).matchAll(/(RELAY_E_\w+): '(now|backoff|never)'/g)].map(([, code, retry]) => `${code} ${retry}`),
  );
  const documented = [...read('docs/reference/errors.md').matchAll(/^\| `(RELAY_E_\w+)` \| (\w+)/gm)]
    .map(([, code = '', retry = '']) => `${code} ${retry}`)
    .filter((line) => !line.startsWith('RELAY_E_PKI_'));
  assert.ok(retries.length > 10);
  assert.equal(sorted(documented), sorted(retries));
});

/** The entries of a table in a source file whose values are texts, or constants of that file. */
function entriesIn(source: string, name: string): Map<string, string> {
  const text = read(source);
  const [, table = ''] = new RegExp(`${name}[^=]*= \\{(.*?)\\n\\};`, 's').exec(text) ?? [];
  const constants = new Map(
    [...text.matchAll(/^const (\w+) =\s*'(.*?)';$/gms)].map(([, key = '', value = '']) => [key, value]),
  );
  const pairs = [...table.matchAll(/^ {2}'?([\w-]+)'?:\s*(?:(['"])(.*?)\2|([A-Z]+)),$/gms)];
  return new Map(pairs.map(([, key = '', , value, constant = '']) => [key, value ?? constants.get(constant) ?? '']));
}

/** The last cell of each table row, by the first cell. */
const lastCells = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^\| `([\w-]+)` \| .* \| ([^|]+) \|$/gm)].map(([, key = '', last = '']) => [key, last]));

test('documented next actions of errors, rejected objects and conditions match the programs', () => {
  const errors = 'docs/reference/errors.md';
  const relay = 'packages/relay-protocol/src/object/rejected-objects.ts';
  const conditions = 'packages/mgmt-server/src/status/cluster-status.ts';
  for (const [heading, source, name, least] of [
    ['Relay', 'packages/relay-protocol/src/next-actions.ts', 'NEXT_ACTIONS', 13],
    ['Kubernetes', 'packages/kube/src/next-actions.ts', 'NEXT_ACTIONS', 9],
    ['Certificates', 'packages/pki/src/next-actions.ts', 'NEXT_ACTIONS', 4],
    ['Rejected certificates', 'packages/pki/src/verify/verify-failure.ts', 'FAILURE_ACTIONS', 20],
    ['Rejected objects', relay, 'ACTIONS', 13],
    ['Conditions of a KubernetesCluster', conditions, 'NEXT_ACTIONS', 9],
  ] as const) {
    const said = entriesIn(source, name);
    assert.ok(said.size >= least, heading);
    const sortedPairs = (pairs: Map<string, string>) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.equal(sortedPairs(lastCells(chapter(errors, heading))), sortedPairs(said), heading);
  }
});

/** Quoted words in capitals in the sources that are not codes of reports. */
const NO_REPORTS = new Set([
  ...['MESH_DEFAULT', 'ISTIO_MUTUAL', 'NODE_PORT', 'LOAD_BALANCER', 'CLUSTER_IP'],
  ...['MESH_INTERNAL', 'AUTO_PASSTHROUGH', 'ISTIO_META_DNS_CAPTURE', 'NOT_FOUND', 'MESHRELAY_IDENTITY_TOKEN'],
  ...['FAIL_OPEN', 'FAIL_CLOSE', 'SIDECAR_INBOUND', 'SIDECAR_OUTBOUND', 'ERR_BUFFER_TOO_LARGE'],
  ...['FILTER_CHAIN', 'NETWORK_FILTER', 'HTTP_FILTER', 'ROUTE_CONFIGURATION', 'VIRTUAL_HOST', 'HTTP_ROUTE'],
]);

/** Files whose codes are about one object, not a policy: other chapters document those. */
const OF_SETTINGS = /\/settings-(status|controller)\.ts$/;
const OF_INPUTS = /^packages\/(relay-protocol|mgmt-server\/src\/input)\/|\/cluster-mismatches\.ts$/;

/** Codes in a file: the `code` of a report, or passed on, where a quoted word with `_` is nearly always one. */
function reportCodes(path: string): string[] {
  const text = read(path);
  const given = [...text.matchAll(/\bcode: [^\n]*?(?='[A-Z_]+')([^\n]*)/g)].flatMap(([, rest = '']) =>
    [...(rest.split(/[,;}]/)[0] ?? '').matchAll(/'([A-Z_]+)'/g)].map(([, code = '']) => code),
  );
  const forwarded = [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code = '']) => code);
  const words = [...text.matchAll(/\b(?:failed|refuse)\(\s*'([A-Z]+)'/g)].map(([, code = '']) => code);
  return [...given, ...forwarded, ...words].filter((code) => !/^(RELAY|GRAPH)_E_/.test(code) && !NO_REPORTS.has(code));
}

test('every code in reports on policies is documented, and no other', () => {
  const reported = SOURCES.filter(
    (path) =>
      /^packages\/(relay-core|plugin-(?!kit)\w+|agent|cluster-controllers|mgmt-server)\/src\//.test(path) &&
      !OF_INPUTS.test(path) &&
      !OF_SETTINGS.test(path),
  );
  const used = [...reported, 'packages/api/src/decode/report-values.ts'].flatMap(reportCodes);
  const text = chapter('docs/reference/errors.md', 'When a policy is not applied completely');
  const cells = [...text.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code));
  assert.ok(documented.length > 70);
  assert.equal(documented.length, new Set(documented).size, 'each code stands once');
  assert.equal(sorted([...documented, 'SAFE_MODE']), sorted(used));
  assert.ok(text.includes('`SAFE_MODE`'));
});

test('reports on settings are documented', () => {
  const text = chapter('docs/reference/errors.md', 'Settings without an effect');
  const used = SOURCES.filter((path) => OF_SETTINGS.test(path)).flatMap(reportCodes);
  assert.equal(sorted(firstCells(text)), sorted(used));
});

test('rejection reasons of inputs are documented', () => {
  const envelopes = [...read('packages/mgmt-server/src/input/decode-envelope.ts').matchAll(/\[\s*'([A-Z_]+)'/g)];
  const relayed = SOURCES.filter((path) => path.startsWith('packages/relay-protocol/'));
  const used = [...relayed, 'packages/relay-core/src/store/cluster-mismatches.ts'].flatMap((path) =>
    [...read(path).matchAll(/\bcode: ('[A-Z_]+'(?: \| '[A-Z_]+')*)/g)].flatMap(([, codes = '']) =>
      codes.split(' | ').map((code) => code.slice(1, -1)),
    ),
  );
  const text = chapter('docs/reference/errors.md', 'Rejected objects');
  const documented = [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code),
  );
  assert.equal(sorted(documented), sorted([...envelopes.map(([, code = '']) => code), ...used]));
});

test("the server's metrics are documented", async () => {
  const fleet = newFleet();
  const { metrics } = createServerMetrics();
  const measured = {
    plugins: [],
    fleet,
    management: { unreadable: 0 },
    connections: new Connections(),
    safeMode: () => ({
      active: false,
      unsyncedKinds: [],
      unsyncedClusters: [],
      pendingClusters: [],
      unsyncedSuspendedClusters: [],
    }),
    guard: { holding: [] },
    controllers: { running: false, depths: { discovered: 0, status: 0 } },
    store: new MemoryStore(),
    peers: () => undefined,
    outcomes: { underWay: () => 0 },
    agents: { calls: 0 },
    changes: { size: 0 },
    sessions: () => [],
    api: () => undefined,
  };
  registerGauges(metrics, measured as unknown as Measured);
  const reported = [...(await metrics.text()).matchAll(/^# TYPE (meshrelay_\w+) (\w+)$/gm)]
    .map(([, name = '', type = '']) => `${name} ${type}`)
    .filter((line) => !line.startsWith('meshrelay_metric_series_overflow_total'));
  const rows = [...chapter('docs/reference/metrics.md', 'mgmt-server').matchAll(/^\| `(\w+)` \| (\w+)/gm)];
  assert.equal(sorted(rows.map(([, name, type]) => `${name} ${type}`)), sorted(reported));
});

test("the agent's metrics are documented", () => {
  const source = ['metrics', 'data-plane-metrics', 'observe-metrics', 'workload-ca-metrics']
    .map((file) => read(`packages/agent/src/status/${file}.ts`))
    .concat(read('packages/cluster-controllers/src/apply/apply-counters.ts'))
    .join('\n');
  const names = [...source.matchAll(/(?:name: |gauge\(\s*)'(\w+)'/g)].map(([, name]) => `meshrelay_${name}`);
  assert.ok(names.length > 5);
  assert.equal(sorted(firstCells(chapter('docs/reference/metrics.md', 'agent'))), sorted(names));
});

test('each threat lists existing tests that name it', () => {
  const rows = [...read('docs/operations/security.md').matchAll(/^\| (T\d+) \| [^|]+ \| (.+) \|$/gm)];
  const desired = [
    'T1',
    'T2',
    'T3',
    'T4',
    'T5',
    'T6',
    'T7',
    'T8',
    'T9',
    'T12',
    'T14',
    'T15',
    'T16',
    'T20',
    'T25',
    'T26',
    'T27',
    'T28',
    'T29',
  ];
  assert.equal(
    rows.map(([, threat]) => threat),
    desired,
  );
  for (const [, threat = '', cell = ''] of rows) {
    const files = [...cell.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g)].map(([, path = '']) => path);
    assert.ok(files.length > 0, threat);
    for (const file of files)
      assert.match(read(file), new RegExp(`\\b${threat}\\b`), `${file} does not name ${threat}`);
  }
});

test('every field of a cluster in the API is documented', () => {
  const [, item = ''] =
    /function clusterItem.*?\n {2}return \{\n(.*?)\n {2}\};/s.exec(
      read('packages/mgmt-server/src/http/resources.ts'),
    ) ?? [];
  const fields = [...item.matchAll(/^ {4}(\w+)[:,]/gm)].map(([, field = '']) => field);
  assert.ok(fields.length > 15);
  const [, clusters = ''] = chapter('docs/reference/http-api.md', 'Collections').split('\n### clusters\n');
  const cells = [...(clusters.split('\n### ')[0] ?? '').matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, field = '']) => field));
  assert.equal(sorted([...documented, 'id']), sorted(fields));
});

test('every collection of the API is documented', () => {
  const headings = [...read('docs/reference/http-api.md').matchAll(/^### (.+)$/gm)].flatMap(([, text = '']) =>
    text.split(', '),
  );
  assert.equal(sorted(headings), sorted(Object.keys(RESOURCES)));
});

test.run();
