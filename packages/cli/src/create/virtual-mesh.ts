/** `meshctl create virtualmesh`: the members, their trust, and what is federated. */
import type { Federation, MtlsConfig, VirtualMeshSpec } from '@meshrelay/api';
import { objectName } from '../commands/names.ts';
import { findNamed } from '../describe/find.ts';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { namedMesh } from '../describe/named-objects.ts';
import { type Asker, givenOr } from './asker.ts';
import type { Authoring, Place } from './authoring.ts';
import { meshChoices, namespaceChoices } from './choices.ts';
import type { VirtualMeshAnswers } from './options.ts';

export const virtualMesh: Authoring<VirtualMeshAnswers> = {
  kind: 'VirtualMesh',
  values: {},

  missing({ mesh, trust, rootSecret, federation, federateNamespace }) {
    return [
      ...(mesh.length === 0 ? ['--mesh NAME'] : []),
      ...(trust === 'secret' && rootSecret === undefined ? ['--root-secret NAME'] : []),
      ...(federation === 'namespaces' && federateNamespace.length === 0 ? ['--federate-namespace NAME'] : []),
    ];
  },

  problem({ trust, rootSecret, federation, federateNamespace }) {
    if (rootSecret !== undefined && trust !== undefined && trust !== 'secret')
      return `--root-secret goes with --trust secret, not with --trust ${trust}`;
    if (federateNamespace.length > 0 && federation !== undefined && federation !== 'namespaces')
      return `--federate-namespace goes with --federation namespaces, not with --federation ${federation}`;
    return undefined;
  },

  async ask(answers, fleet, asker) {
    const mesh = await givenOr(answers.mesh, () =>
      asker.several({
        message: 'Which meshes are members?',
        choices: meshChoices(fleet),
        required: true,
      }),
    );
    return { ...answers, mesh, ...(await askTrust(answers, asker)), ...(await askFederation(answers, fleet, asker)) };
  },

  spec({ mesh, trust, rootSecret, federation, federateNamespace }, place): VirtualMeshSpec {
    const mtlsConfig = trustOf(trust ?? (rootSecret === undefined ? undefined : 'secret'), rootSecret, place);
    const federated = federationOf(federation, federateNamespace);
    return {
      meshes: mesh.map((name) => ({
        name: findNamed('mesh', name, place.fleet.meshes.map(namedMesh)).metadata.name,
        namespace: place.namespace,
      })),
      ...(mtlsConfig === undefined ? {} : { mtlsConfig }),
      ...(federated === undefined ? {} : { federation: federated }),
    };
  },
};

async function askTrust(
  { trust: given, rootSecret }: VirtualMeshAnswers,
  asker: Asker,
): Promise<Partial<VirtualMeshAnswers>> {
  if (given === undefined && rootSecret !== undefined) return {};
  const trust =
    given ??
    (await asker.one('How do the members trust each other?', [
      { value: 'generated', label: 'by a shared root certificate that the server generates' },
      { value: 'secret', label: 'by a shared root certificate of your own, from a Secret' },
      { value: 'limited', label: 'only their gateways do: members keep their own roots' },
      { value: 'unchanged', label: 'as they do now' },
    ]));
  if (trust !== 'secret' || rootSecret !== undefined) return { trust };
  const message = 'Which Secret in the namespace of the server holds the root?';
  return { trust, rootSecret: await asker.text({ message, parse: objectName }) };
}

async function askFederation(
  { federation: given, federateNamespace }: VirtualMeshAnswers,
  fleet: KnownFleet,
  asker: Asker,
): Promise<Partial<VirtualMeshAnswers>> {
  if (federateNamespace.length > 0) return {};
  const federation =
    given ??
    (await asker.one('Which Services can members of other clusters call?', [
      { value: 'all', label: 'all' },
      { value: 'namespaces', label: 'those of some namespaces' },
      { value: 'none', label: 'none' },
    ]));
  if (federation !== 'namespaces') return { federation };
  const message = 'The Services of which namespaces?';
  const picked = await asker.several({ message, choices: namespaceChoices(fleet), required: true });
  return { federation, federateNamespace: picked };
}

function trustOf(
  trust: VirtualMeshAnswers['trust'],
  name: string | undefined,
  { namespace }: Place,
): MtlsConfig | undefined {
  switch (trust) {
    case undefined:
    case 'unchanged':
      return undefined;
    case 'generated':
      return { shared: {} };
    case 'secret':
      return name === undefined ? undefined : { shared: { rootCertificateAuthority: { secret: { name, namespace } } } };
    case 'limited':
      return { limited: {} };
  }
}

function federationOf(choice: VirtualMeshAnswers['federation'], namespaces: readonly string[]): Federation | undefined {
  if (namespaces.length > 0) return { selectors: [{ destinationSelectors: [{ kubeServiceMatcher: { namespaces } }] }] };
  return choice === 'all' ? { mode: 'ALL' } : undefined;
}
