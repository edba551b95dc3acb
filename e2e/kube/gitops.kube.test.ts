/** The GitOps page: the real Helm renders what its Applications and HelmReleases name, under the names that meshctl uses. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import { parseAllDocuments, stringify } from 'yaml';
import { realHelm } from '../src/helm.ts';

/** What both tools say about a release, in one form. */
interface Release {
  /** The object that declares it. */
  readonly by: string;
  /** The path of the chart from the root of the repository. */
  readonly chart: string;
  readonly name: string;
  readonly namespace: string;
  readonly values: object;
}

interface Declared {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: the objects of two tools
  readonly spec: any;
}

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/operations/gitops.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'meshrelay-gitops-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const helm = await realHelm({ HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder });

const declared = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
  parseAllDocuments(text).map((document) => document.toJS() as Declared),
);

function releaseOf({ kind, metadata, spec }: Declared): Release | undefined {
  const by = `${kind} ${metadata.name}`;
  if (kind === 'Application' && spec.source.helm !== undefined) {
    const { path: chart, helm: options } = spec.source;
    const { namespace } = spec.destination;
    return { by, chart, namespace, name: options.releaseName, values: options.valuesObject };
  }
  if (kind !== 'HelmRelease') return undefined;
  const { chart, releaseName: name, targetNamespace: namespace, storageNamespace, values } = spec;
  assert.is(storageNamespace, namespace, `${by}: meshctl searches its record in the namespace of the release`);
  return { by, chart: chart.spec.chart, name, namespace, values };
}

const releases = declared.map(releaseOf).filter((release) => release !== undefined);

test('each tool installs both charts', () => {
  const names = releases.map(({ by, name }) => `${by.split(' ')[0]} ${name}`).sort();
  const expected = ['Application', 'HelmRelease'].flatMap((kind) => [`${kind} meshrelay`, `${kind} meshrelay-agent`]);
  assert.equal(names, expected);
});

for (const release of releases)
  test(`${release.by} renders the chart that meshctl would install`, async () => {
    const objects = await render(release);
    assert.is(release.chart, `charts/${release.name}`, 'meshctl names a release like its chart');
    assert.is(release.namespace, 'meshrelay');
    const config = objects.find(({ kind, data }) => kind === 'ConfigMap' && data?.['config.yaml'] !== undefined);
    assert.match(config?.data?.['config.yaml'] ?? '', 'namespace: meshrelay\n');
  });

for (const chart of ['meshrelay', 'meshrelay-agent'])
  test(`neither Helm nor Argo CD deletes the CRDs of ${chart} when it no longer renders them`, async () => {
    const release = releases.find(({ name }) => name === chart);
    assert.ok(release);
    const crds = (await render(release)).filter(({ kind }) => kind === 'CustomResourceDefinition');
    assert.ok(crds.length > 10);
    for (const { metadata } of crds) {
      assert.is(metadata.annotations?.['helm.sh/resource-policy'], 'keep', metadata.name);
      assert.is(metadata.annotations?.['argocd.argoproj.io/sync-options'], 'Prune=false', metadata.name);
    }
  });

test('without the cluster, each render of redis.enabled has another password: the page warns of it', async () => {
  const [release] = releases;
  assert.ok(release);
  const redis = () => rendered(release, '--set', 'redis.enabled=true', '--show-only', 'templates/redis.yaml');
  assert.is.not(await redis(), await redis());
  assert.match(page, 'Do not set `redis.enabled`');
});

let files = 0;
async function rendered({ chart, name, namespace, values }: Release, ...more: readonly string[]): Promise<string> {
  const path = join(ROOT, chart);
  assert.ok(existsSync(join(path, 'Chart.yaml')), `${chart} is a chart of this repository`);
  const file = join(folder, `values-${files++}.yaml`);
  writeFileSync(file, stringify(values));
  const { code, stdout, stderr } = await helm('template', name, path, '-n', namespace, '-f', file, ...more);
  assert.is(code, 0, stderr);
  return stdout;
}

async function render(release: Release): Promise<readonly Rendered[]> {
  return parseAllDocuments(await rendered(release))
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

test.run();
