/** Detection of Linkerd: its destination controller, and pods with its proxy. */
import {
  type ControlPlaneRule,
  containersOf,
  fieldOf,
  type KubeObject,
  type MemberRule,
  type Pod,
  textOf,
} from '@meshrelay/plugin';

const PROXY = 'linkerd-proxy';
/** The variable of a proxy that has the trust domain, as Linkerd's chart and injector write it. */
const TRUST_DOMAIN = '_l5d_trustdomain';
const DEFAULT_TRUST_DOMAIN = 'cluster.local';

/** Each control plane has one destination controller. */
export const controlPlane: ControlPlaneRule = {
  match: ({ metadata }) => textOf(fieldOf(metadata.labels, 'linkerd.io/control-plane-component')) === 'destination',
  mesh(deployment) {
    const { name, namespace = '', labels } = deployment.metadata;
    const version = textOf(fieldOf(labels, 'app.kubernetes.io/version'));
    return { name, namespace, trustDomain: trustDomainOf(deployment), ...(version === undefined ? {} : { version }) };
  },
};

/** The controller has a proxy itself, with the same trust domain as all. */
function trustDomainOf(deployment: KubeObject): string {
  const spec = fieldOf(fieldOf(fieldOf(deployment, 'spec'), 'template'), 'spec');
  // As a pod's, which reads as empty where it is malformed.
  for (const container of containersOf(spec as Pod['spec'])) {
    const variables = fieldOf(container, 'env');
    if (!Array.isArray(variables)) continue;
    const found = variables.find((variable) => textOf(fieldOf(variable, 'name')) === TRUST_DOMAIN);
    const value = textOf(fieldOf(found, 'value'));
    if (value !== undefined && value !== '') return value;
  }
  return DEFAULT_TRUST_DOMAIN;
}

export const member: MemberRule = {
  // A pod has the proxy; a pod template has only the annotation that requests it.
  match: ({ spec, metadata }) =>
    containersOf(spec).some(({ name }) => name === PROXY) ||
    textOf(fieldOf(metadata.annotations, 'linkerd.io/inject')) === 'enabled',
};
