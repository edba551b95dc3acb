/** `meshctl create virtualdestination`: a host name, the Services behind it, and who may call it. */
import type { Destination, VirtualDestinationSpec } from '@meshrelay/api';
import { findNamed } from '../describe/find.ts';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { namedMesh } from '../describe/named-objects.ts';
import { InputError } from '../problem.ts';
import { type Asker, givenOr } from './asker.ts';
import type { Authoring, Place } from './authoring.ts';
import {
  findService,
  meshChoices,
  portsOf,
  serviceChoices,
  serviceSelector,
  serviceText,
  virtualMeshChoices,
} from './choices.ts';
import { PROTOCOLS, type VirtualDestinationAnswers } from './options.ts';
import { hostname as checkHostname, port as checkPort } from './values.ts';

export const virtualDestination: Authoring<VirtualDestinationAnswers> = {
  kind: 'VirtualDestination',
  values: { hostname: checkHostname, port: checkPort, targetPort: checkPort },

  missing({ backend, hostname, port, virtualMesh, mesh }) {
    return [
      ...(backend.length === 0 ? ['--backend SERVICE'] : []),
      ...(hostname === undefined ? ['--hostname HOST'] : []),
      ...(port === undefined ? ['--port NUMBER'] : []),
      ...(virtualMesh === undefined && mesh.length === 0 ? ['--virtual-mesh NAME or --mesh NAME'] : []),
    ];
  },

  problem: () => undefined,

  async ask(answers, fleet, asker) {
    const backend = await givenOr(answers.backend, () =>
      asker.several({
        message: 'Which Services are the backends, at most one of each cluster? Pick the best first.',
        choices: serviceChoices(fleet),
        required: true,
        problem: (picked) => clusterTwice(picked.map((name) => findService(fleet, name))),
      }),
    );
    const [first] = backend.map((name) => findService(fleet, name));
    const failover =
      answers.failover ??
      (await asker.one('Which backend do callers use?', [
        { value: 'nearest', label: 'the nearest healthy one' },
        { value: 'order', label: 'the first healthy one, in the order in which they were picked' },
      ]));
    const hostname =
      answers.hostname ??
      (await asker.text({
        message: 'Which host name do callers use?',
        ...(first === undefined ? {} : { initial: `${first.spec.kubeService.ref.name}.global` }),
        parse: checkHostname,
      }));
    const ports = await askPorts(answers, first, asker);
    return { ...answers, backend, failover, hostname, ...ports, ...(await askCallers(answers, fleet, asker)) };
  },

  spec(answers, place): VirtualDestinationSpec {
    const { backend, failover = 'nearest', hostname = '', port, protocol = 'HTTP', targetPort } = answers;
    const backends = backend.map((name) => findService(place.fleet, name));
    const twice = clusterTwice(backends);
    if (twice !== undefined) throw new InputError(`--backend: ${twice}`);
    const destinationSelectors = serviceSelector(place.fleet, backend) ?? [];
    return {
      hostname,
      port: {
        number: Number(port),
        protocol,
        ...(targetPort === undefined ? {} : { targetNumber: Number(targetPort) }),
      },
      ...callersOf(answers, place),
      ...(failover === 'nearest'
        ? { localized: { destinationSelectors } }
        : { static: { destinations: backends.map(({ spec }) => ({ kubeService: spec.kubeService.ref })) } }),
    };
  },
};

async function askPorts(
  { port: given, protocol: givenProtocol, targetPort: givenTarget }: VirtualDestinationAnswers,
  backend: Destination | undefined,
  asker: Asker,
): Promise<Partial<VirtualDestinationAnswers>> {
  const ports = backend === undefined ? [] : portsOf(backend).map(String);
  const initial = ports[0] === undefined ? {} : { initial: ports[0] };
  const port = given ?? (await asker.text({ message: 'Which port do callers use?', ...initial, parse: checkPort }));
  const protocol =
    givenProtocol ??
    (await asker.one(
      'Which protocol does the port have?',
      PROTOCOLS.map((value) => ({ value })),
    ));
  if (givenTarget !== undefined || ports.length === 0 || ports.includes(port)) return { port, protocol };
  const message = 'Which port of the backends receives the requests?';
  const targetPort = await asker.one(
    message,
    ports.map((value) => ({ value })),
  );
  return { port, protocol, targetPort };
}

async function askCallers(
  { virtualMesh, mesh }: VirtualDestinationAnswers,
  fleet: KnownFleet,
  asker: Asker,
): Promise<Partial<VirtualDestinationAnswers>> {
  if (virtualMesh !== undefined || mesh.length > 0) return {};
  const some = ' some meshes';
  const choices = virtualMeshChoices(fleet).map(({ value }) => ({ value, label: `all members of ${value}` }));
  const callers =
    choices.length === 0
      ? some
      : await asker.one('Which meshes can call it?', [...choices, { value: some, label: 'some meshes' }]);
  if (callers !== some) return { virtualMesh: callers };
  const message = 'Which meshes can call it?';
  return { mesh: await asker.several({ message, choices: meshChoices(fleet), required: true }) };
}

function callersOf(
  { virtualMesh, mesh }: VirtualDestinationAnswers,
  { fleet, namespace }: Place,
): Pick<VirtualDestinationSpec, 'virtualMesh' | 'meshList'> {
  if (virtualMesh === undefined)
    return {
      meshList: {
        meshes: mesh.map((name) => ({
          name: findNamed('mesh', name, fleet.meshes.map(namedMesh)).metadata.name,
          namespace,
        })),
      },
    };
  const known = fleet.policies.filter(({ ref }) => ref.kind === 'VirtualMesh' && ref.cluster === '');
  const found = findNamed(
    'VirtualMesh',
    virtualMesh,
    known.map(({ ref }) => ({ names: [`${ref.namespace}/${ref.name}`, ref.name], thing: ref })),
  );
  return { virtualMesh: { name: found.name, namespace: found.namespace } };
}

function clusterTwice(backends: readonly Destination[]): string | undefined {
  const seen = new Map<string, Destination>();
  for (const backend of backends) {
    const { clusterName } = backend.spec.kubeService.ref;
    const before = seen.get(clusterName);
    if (before !== undefined)
      return `${serviceText(before)} and ${serviceText(backend)} are in one cluster; choose at most one of each cluster`;
    seen.set(clusterName, backend);
  }
  return undefined;
}
