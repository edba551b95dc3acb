// The table of kinds: complete, consistent, and searchable by `apiVersion` and `kind`.
import { assert, test } from '@meshrelay/testing';
import {
  apiVersionOf,
  definitionOf,
  GROUP_DOMAIN,
  groupOf,
  isMeshrelayApiVersion,
  isMeshrelayGroup,
  kindOf,
  kinds,
  unknownKindMessage,
} from '../../src/mod.ts';

test('the kinds of this version', () => {
  assert.equal(
    kinds.map((definition) => `${definition.kind}.${definition.group}`),
    [
      'KubernetesCluster.multicluster.meshrelay.dev',
      'Mesh.discovery.meshrelay.dev',
      'Workload.discovery.meshrelay.dev',
      'Destination.discovery.meshrelay.dev',
      'VirtualMesh.networking.meshrelay.dev',
      'TrafficPolicy.networking.meshrelay.dev',
      'AccessPolicy.networking.meshrelay.dev',
      'VirtualDestination.networking.meshrelay.dev',
      'Workspace.admin.meshrelay.dev',
      'WorkspaceSettings.admin.meshrelay.dev',
      'Settings.admin.meshrelay.dev',
      'Ledger.admin.meshrelay.dev',
      'OutputLedger.admin.meshrelay.dev',
      'XdsConfig.agent.meshrelay.dev',
      'AccessLogConfig.agent.meshrelay.dev',
      'IssuedCertificate.certificates.meshrelay.dev',
      'AccessLogRecord.extensions.meshrelay.dev',
      'WasmDeployment.extensions.meshrelay.dev',
    ],
  );
});

test('every kind is found, and named once', () => {
  const names = kinds.flatMap(({ group, plural, shortNames }) =>
    [plural, ...shortNames].map((name) => `${name}.${group}`),
  );
  assert.is(new Set(names).size, names.length);
  for (const definition of kinds) {
    assert.is(kindOf(apiVersionOf(definition), definition.kind), definition);
    assert.is(definitionOf(definition.kind), definition);
    assert.ok(definition.group.endsWith(`.${GROUP_DOMAIN}`));
    assert.is(definition.statusSubresource, definition.statusSchema !== undefined);
    assert.is(definition.singular, definition.kind.toLowerCase());
  }
});

test('Destination keeps its old name', () => {
  assert.ok(definitionOf('Destination').shortNames.includes('traffictarget'));
});

test('groups of Meshrelay and others', () => {
  for (const group of ['meshrelay.dev', 'networking.meshrelay.dev', 'unknown.meshrelay.dev'])
    assert.ok(isMeshrelayGroup(group));
  for (const group of ['', 'apps', 'notmeshrelay.dev', 'meshrelay.dev.example.com'])
    assert.not.ok(isMeshrelayGroup(group));
  assert.is(groupOf('v1'), '');
  assert.is(groupOf('apps/v1'), 'apps');
  assert.ok(isMeshrelayApiVersion('networking.meshrelay.dev/v9'));
  assert.not.ok(isMeshrelayApiVersion('v1'));
});

test('an unknown kind is reported as such', () => {
  assert.is(kindOf('networking.meshrelay.dev/v1alpha1', 'constructor'), undefined);
  assert.match(unknownKindMessage('admin.meshrelay.dev/v1alpha1', 'Setting'), /did you mean Settings/);
  assert.throws(() => definitionOf('Pod' as 'Mesh'), /Pod is not a kind of Meshrelay/);
});

test.run();
