/**
 * The permissions of a program as a Helm template: the same objects as `meshctl cluster rbac`, with the chart's values.
 */
import type { KubeObject } from '@meshrelay/api';
import {
  type Account,
  accountObjects,
  type MeshPlugin,
  memberRbacRules,
  type PatchPermission,
  type Rights,
  serverRights,
} from '@meshrelay/relay-core';
import { Document, isScalar, Scalar, visit } from 'yaml';

/** Placeholder of a chart value while the objects are generated. Each is a valid name that nothing else has. */
const PLACEHOLDERS = {
  namespace: 'placeholder-release-namespace',
  ownSecret: 'placeholder-own-secret',
  otherNamespace: 'placeholder-other-namespace',
  object: 'placeholder-object',
} as const;

const NAMESPACE = '{{ .Release.Namespace }}';

/** The template `meshrelay-agent.rights`. */
export function agentRights(plugins: readonly MeshPlugin[]): string {
  const account = { name: 'meshrelay-agent', namespace: PLACEHOLDERS.namespace };
  const rights = memberRbacRules({ plugins, agent: true, ownSecrets: [PLACEHOLDERS.ownSecret] });
  return defined('meshrelay-agent.rights', [
    ...objectsOf(account, rights),
    ...otherNamespaces(account, plugins, { agent: true }),
  ]);
}

/**
 * The templates `meshrelay.rights` and, for a server that manages its own cluster, `meshrelay.rights.singleCluster`.
 */
export function serverRightsTemplates(plugins: readonly MeshPlugin[]): string {
  const account = { name: 'meshrelay-mgmt-server', namespace: PLACEHOLDERS.namespace };
  const ownCluster = memberRbacRules({ plugins, agent: false });
  return [
    defined('meshrelay.rights', objectsOf(account, serverRights({ tokenReview: false }))),
    defined('meshrelay.rights.singleCluster', [
      ...objectsOf(account, serverRights({ tokenReview: false, ownCluster })),
      ...otherNamespaces(account, plugins, { agent: false }),
    ]),
    defined('meshrelay.rights.tokenReview', [tokenReviewRules()]),
  ].join('\n');
}

/** The rules that a server has only if clients of its HTTP API authenticate with tokens of the API server. */
function tokenReviewRules(): string {
  const without = new Set(serverRights({ tokenReview: false }).cluster.map((rule) => JSON.stringify(rule)));
  const rules = serverRights({ tokenReview: true }).cluster.filter((rule) => !without.has(JSON.stringify(rule)));
  return yaml(rules);
}

/**
 * All objects of an account but its namespace, which Helm creates, and its ServiceAccount, which has annotations of
 * users.
 */
function objectsOf(account: Account, rights: Rights): readonly string[] {
  return accountObjects(account, { ...rights, otherClusters: [] })
    .filter(({ kind }) => kind !== 'Namespace' && kind !== 'ServiceAccount')
    .map((object) =>
      object.apiVersion.startsWith('admissionregistration.k8s.io/')
        ? `{{- if .Values.admissionPolicy.enabled }}\n${document(object)}{{- end }}\n`
        : document(object),
    );
}

/** Roles in namespaces that the chart's values name. */
function otherNamespaces(
  account: Account,
  plugins: readonly MeshPlugin[],
  { agent }: { readonly agent: boolean },
): readonly string[] {
  const rolesFor = (options: object): string => {
    const { otherClusters } = memberRbacRules({ plugins, agent, ...options });
    const empty = { cluster: [], namespace: [], creates: memberRbacRules({ plugins, agent }).creates, writes: [] };
    return accountObjects(account, { ...empty, otherClusters })
      .filter(({ metadata }) => metadata.namespace === PLACEHOLDERS.otherNamespace)
      .map(document)
      .join('');
  };
  const namespace = PLACEHOLDERS.otherNamespace;
  const roles = [
    range('.Values.rights.meshNamespaces', '.', rolesFor({ meshNamespaces: [namespace] })),
    patchRoles(account, plugins),
  ];
  if (!agent) return roles;
  return [
    ...roles,
    range('.Values.rights.envoyNamespaces', '.', rolesFor({ envoyNamespaces: [namespace] })),
    pullSecretRoles(rolesFor({ pullSecrets: [{ namespace, name: PLACEHOLDERS.object }] })),
  ];
}

function range(values: string, namespace: string, body: string): string {
  return `{{- range ${values} }}\n${body.replaceAll(PLACEHOLDERS.otherNamespace, `{{ ${namespace} }}`).replaceAll(NAMESPACE, '{{ $.Release.Namespace }}')}{{- end }}\n`;
}

/** One Role for each pull secret, so that values need no grouping. */
function pullSecretRoles(body: string): string {
  const named = body
    .replaceAll('meshrelay-agent-pull-secrets', 'meshrelay-agent-pull-secret-{{ .name }}')
    .replaceAll(PLACEHOLDERS.object, '{{ .name }}');
  return range('.Values.rights.pullSecrets', '.namespace', named);
}

/** Which kinds may be patched depends on the object's name, as in the declarations of the plugins. */
function patchRoles(account: Account, plugins: readonly MeshPlugin[]): string {
  const permissions = plugins.flatMap(({ patches = [] }) => patches);
  const role = (rules: string): string => {
    const metadata = { name: `${account.name}-patch-${PLACEHOLDERS.object}`, namespace: PLACEHOLDERS.otherNamespace };
    const objects = accountObjects(account, {
      cluster: [],
      namespace: [],
      otherClusters: [{ namespace: metadata.namespace, purpose: `patch-${PLACEHOLDERS.object}`, rules: [] }],
      creates: { secrets: { own: [], otherClusters: [] }, configMaps: [], leases: [] },
      writes: [],
    }).filter(({ metadata: { namespace } }) => namespace === PLACEHOLDERS.otherNamespace);
    return objects.map((object) => document(object).replace('rules: []\n', `rules:\n${rules}`)).join('');
  };
  const rules = permissions
    .map(
      (permission) =>
        `{{- if ${matches(permission)} }}\n${indent(yaml([patchRule(permission)]), 2).replaceAll(PLACEHOLDERS.object, '{{ .name }}')}{{- end }}\n`,
    )
    .join('');
  const known = [...new Set(permissions.flatMap(({ names }) => names))].join(', ');
  const check = `{{- if not (or ${permissions.map((permission) => `(${matches(permission)})`).join(' ')}) }}
{{- fail (printf "rights.patches: no plugin patches an object named %s; those that are patched: ${known}" .name) }}
{{- end }}
`;
  return range(
    '.Values.rights.patches',
    '.namespace',
    `${check}${role(rules).replaceAll(PLACEHOLDERS.object, '{{ .name }}')}`,
  );
}

function patchRule({ kind }: PatchPermission): object {
  return {
    apiGroups: [kind.group],
    resources: [kind.plural],
    resourceNames: [PLACEHOLDERS.object],
    verbs: ['get', 'update'],
  };
}

function matches({ names }: PatchPermission): string {
  const each = names.map((name) =>
    name.endsWith('*') ? `(hasPrefix "${name.slice(0, -1)}" .name)` : `(eq .name "${name}")`,
  );
  return each.length === 1 ? (each[0] as string) : `or ${each.join(' ')}`;
}

function defined(name: string, parts: readonly string[]): string {
  return `{{- define "${name}" -}}\n${parts.join('')}{{- end }}\n`;
}

function document(object: KubeObject): string {
  const text = yaml(object)
    .replaceAll(PLACEHOLDERS.namespace, NAMESPACE)
    .replaceAll(
      new RegExp(`^( *)- ${PLACEHOLDERS.ownSecret}\n`, 'gm'),
      '{{- range .Values.rights.ownSecrets }}\n$1- {{ . }}\n{{- end }}\n',
    )
    .replaceAll(`"${PLACEHOLDERS.ownSecret}",`, '{{ range .Values.rights.ownSecrets }}{{ quote . }},{{ end }}');
  return `---\n${withLabels(text)}`;
}

/** The labels of the chart, below the first `metadata:`. */
function withLabels(text: string): string {
  return text.replace(/^metadata:\n/m, 'metadata:\n  labels: {{- include "meshrelay.labels" $ | nindent 4 }}\n');
}

/** Text with quotes is a block, so that values in it need no escape of YAML. */
function yaml(value: unknown): string {
  const parsed = new Document(value, { aliasDuplicateObjects: false });
  visit(parsed, {
    Scalar(key, node) {
      if (key === 'value' && isScalar(node) && typeof node.value === 'string' && node.value.includes('"'))
        node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return parsed.toString({ lineWidth: 0 });
}

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}
