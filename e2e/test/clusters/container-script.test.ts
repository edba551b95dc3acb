/** The process of a container has the user, mounts and root file system that its pod specifies. */
import { assert, test } from '@meshrelay/testing';
import { type ContainerParts, containerScript } from '../../clusters/processes/container-script.ts';

const parts: ContainerParts = {
  pod: {
    metadata: { name: 'agent-0', namespace: 'meshrelay', uid: 'u' },
    spec: { containers: [], securityContext: { runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532 } },
  },
  container: {
    name: 'agent',
    image: 'agent',
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/meshrelay', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  },
  image: { root: '/root-of-image', entrypoint: [], command: [], environment: [], workingDirectory: '/', user: '' },
  command: ['/usr/bin/node', "it's"],
  folder: '/pod',
  volumes: '/pod/volumes',
  changesUser: true,
};

test('the root and volumes are read-only where the pod says so', () => {
  const lines = containerScript(parts).split('\n');
  const readOnly = lines.filter((line) => line.startsWith('mount -o remount,bind,ro'));
  assert.equal(
    readOnly.map((line) => line.split(' ').at(-1)),
    ["'/root-of-image'", "'/root-of-image/etc/meshrelay'"],
  );
  assert.ok(lines.includes("mount --bind '/pod/volumes/tmp' '/root-of-image/tmp'"));
});

test('the program runs as the user of the pod, with its words unchanged', () => {
  const last = containerScript(parts).trimEnd().split('\n').at(-1);
  assert.is(last, `exec "$chroot" '--userspec=65532:65532' '--groups=' '/root-of-image' '/usr/bin/node' 'it'\\''s'`);
  assert.not(containerScript({ ...parts, changesUser: false }).includes('userspec'));
});

test('a container that would run as root is refused if its pod forbids that', () => {
  const pod = { ...parts.pod, spec: { containers: [], securityContext: { runAsNonRoot: true } } };
  assert.throws(() => containerScript({ ...parts, pod }), /pod meshrelay\/agent-0: the user of container agent is 0/);
});

test.run();
