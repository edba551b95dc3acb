/** Stock kubectl against the simulator: typical commands. */
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { type KubeSim, startKubeSim } from '../src/mod.ts';
import { WIDGET_CRD, WIDGET_VERSION, widget } from './conformance/widget-crd.ts';

const KUBECTL = process.env['MESHRELAY_KUBECTL'] ?? 'kubectl';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(KUBECTL, args, {
      env: { ...process.env, ...env },
      timeout: 20_000,
    });
    return { code: 0, out: stdout, error: stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number | string; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, out: stdout, error: stderr || String(error) };
  }
}

/** A simulator with the widget kind, and kubectl set up for it in a folder of its own. */
async function setUp() {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const sim: KubeSim = stack.use(await startKubeSim({ objects: [WIDGET_CRD as never] }));
  await sim.settled();
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, sim.kubeconfig, { mode: 0o600 });
  const env = { HOME: folder.path };
  const write = (name: string, object: object): string => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(object));
    return path;
  };
  return {
    sim,
    kubeconfig,
    env,
    write,
    kubectl: (line: string, more: NodeJS.ProcessEnv = {}) =>
      run(['--kubeconfig', kubeconfig, ...line.split(' ')], { ...env, ...more }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
  },
};

function expectOk({ code, out, error }: Ran, words: RegExp): void {
  assert.is(code, 0, error);
  assert.match(out, words);
}

function kubectlTests(): void {
  test('inspects the cluster', async () => {
    await using cluster = await setUp();
    expectOk(await cluster.kubectl('version'), /Server Version: v1\.\d+/);
    expectOk(await cluster.kubectl('api-resources'), /widgets\s+conformance\.meshrelay\.dev\/v1\s+true\s+Widget/);
    expectOk(await cluster.kubectl('get ns'), /NAME\s+STATUS\s+AGE\ndefault\s+Active/);
    expectOk(await cluster.kubectl('explain widget.spec.color'), /FIELD: color <string>/);
    expectOk(await cluster.kubectl('explain deployment.spec.replicas'), /FIELD: replicas <integer>/);
    expectOk(await cluster.kubectl('auth whoami'), /kubernetes-admin/);
    expectOk(await cluster.kubectl('auth can-i create pods'), /yes/);
  });

  test('applies, changes and deletes a Deployment', async () => {
    await using cluster = await setUp();
    const file = cluster.write('web.json', DEPLOYMENT);
    expectOk(await cluster.kubectl(`apply -f ${file}`), /deployment\.apps\/web created/);
    expectOk(await cluster.kubectl(`apply -f ${file}`), /deployment\.apps\/web unchanged/);
    expectOk(await cluster.kubectl('rollout status deployment/web --timeout=10s'), /successfully rolled out/);
    expectOk(await cluster.kubectl('get deployments'), /web\s+2\/2\s+2\s+2/);
    expectOk(await cluster.kubectl('get pods -l app=web'), /web-\S+\s+1\/1\s+Running/);
    expectOk(await cluster.kubectl('scale deployment web --replicas=3'), /scaled/);
    expectOk(await cluster.kubectl('rollout status deployment/web --timeout=10s'), /successfully rolled out/);
    expectOk(await cluster.kubectl('set image deployment/web c=nginx:2'), /image updated/);
    expectOk(await cluster.kubectl('rollout restart deployment/web'), /restarted/);
    expectOk(await cluster.kubectl('describe deployment web'), /Image:\s+nginx:2/);
    expectOk(await cluster.kubectl('expose deployment web --port=80 --type=NodePort'), /service\/web exposed/);
    expectOk(await cluster.kubectl('get service web'), /NodePort\s+10\.\S+\s+<none>\s+80:3\d{4}\/TCP/);
    expectOk(await cluster.kubectl('delete deployment web --timeout=10s'), /"web" deleted/);
    await eventually(
      'its pods are gone',
      () => cluster.sim.objects.list({ apiVersion: 'v1', kind: 'Pod' }).length === 0,
    );
  });

  test('edits, patches and labels a custom object', async () => {
    await using cluster = await setUp();
    const file = cluster.write('a.json', widget('a', { color: 'red', replicas: 1 }));
    expectOk(await cluster.kubectl(`apply -f ${file}`), /created/);
    expectOk(await cluster.kubectl('edit widget a', { KUBE_EDITOR: 'sed -i s/red/blue/' }), /edited/);
    expectOk(await cluster.kubectl('get widgets'), /NAME\s+COLOR\s+REPLICAS\s+AGE\na\s+blue\s+1/);
    const refused = await cluster.kubectl('edit widget a', { KUBE_EDITOR: 'sed -i s/blue/pink/' });
    assert.match(refused.out + refused.error, /Edit cancelled, no valid changes were saved/);
    expectOk(await cluster.kubectl('patch widget a --type=merge -p {"spec":{"color":"green"}}'), /patched/);
    expectOk(
      await cluster.kubectl('patch widget a --subresource=status --type=merge -p {"status":{"phase":"Up"}}'),
      /patched/,
    );
    expectOk(await cluster.kubectl('get widget a -o wide'), /green\s+1\s+Up/);
    expectOk(await cluster.kubectl('label widget a tier=x'), /labeled/);
    expectOk(await cluster.kubectl('get widgets -l tier=x -o name'), /widget\.conformance\.meshrelay\.dev\/a/);
    expectOk(await cluster.kubectl('scale widget a --replicas=4'), /scaled/);
    expectOk(await cluster.kubectl('wait widget/a --for=jsonpath={.status.phase}=Up --timeout=5s'), /condition met/);
    const unknown = cluster.write('bad.json', widget('a', { nope: 1 }));
    assert.match((await cluster.kubectl(`apply -f ${unknown}`)).error, /unknown field "spec\.nope"/);
  });

  test('applies on the server, with conflicts', async () => {
    await using cluster = await setUp();
    const red = cluster.write('red.json', widget('a', { color: 'red' }));
    const blue = cluster.write('blue.json', widget('a', { color: 'blue' }));
    expectOk(await cluster.kubectl(`apply --server-side --field-manager=one -f ${red}`), /serverside-applied/);
    const refused = await cluster.kubectl(`apply --server-side --field-manager=two -f ${blue}`);
    assert.match(refused.error, /conflict with "one": \.spec\.color/);
    expectOk(
      await cluster.kubectl(`apply --server-side --field-manager=two --force-conflicts -f ${blue}`),
      /serverside-applied/,
    );
    expectOk(await cluster.kubectl('get widget a -o jsonpath={.spec.color}'), /^blue$/);
    const differs = await cluster.kubectl(`diff --server-side --field-manager=two --force-conflicts -f ${red}`);
    assert.is(differs.code, 1);
    assert.match(differs.out, /^\+ {2}color: red$/m);
  });

  test('creates objects that it sends as protobuf', async () => {
    await using cluster = await setUp();
    expectOk(await cluster.kubectl('create namespace shop'), /created/);
    await cluster.sim.settled();
    expectOk(await cluster.kubectl('create configmap a -n shop --from-literal=x=1'), /created/);
    expectOk(await cluster.kubectl('create secret generic s -n shop --from-literal=p=q'), /created/);
    expectOk(await cluster.kubectl('create deployment d -n shop --image=nginx --replicas=2'), /created/);
    expectOk(await cluster.kubectl('get configmap a -n shop -o jsonpath={.data.x}'), /^1$/);
    expectOk(await cluster.kubectl('create serviceaccount bob -n shop'), /created/);
    const token = (await cluster.kubectl('create token bob -n shop')).out.trim();
    expectOk(await cluster.kubectl(`auth whoami --token=${token}`), /system:/);
    expectOk(await cluster.kubectl('delete namespace shop --timeout=10s'), /deleted/);
  });

  test('follows changes with get -w', async () => {
    await using cluster = await setUp();
    const child = spawn(KUBECTL, ['--kubeconfig', cluster.kubeconfig, 'get', 'widgets', '-w'], {
      env: { ...process.env, ...cluster.env },
    });
    try {
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += chunk;
      });
      cluster.sim.objects.create(widget('a', { color: 'red' }, { namespace: 'default' }) as never);
      await eventually('the new widget is printed', () => /\na\s+red/.test(said), { seen: () => said });
      const found = { apiVersion: WIDGET_VERSION, kind: 'Widget', namespace: 'default', name: 'a' };
      const live = cluster.sim.objects.get(found);
      cluster.sim.objects.update({ ...live, spec: { color: 'blue' } } as never);
      await eventually('its change is printed', () => /\na\s+blue/.test(said), { seen: () => said });
    } finally {
      child.kill();
    }
  });
}

if ((await run(['version', '--client'])).code === 0) kubectlTests();
else test('SKIPPED', () => console.log('SKIPPED kubectl not found'));

test.run();
