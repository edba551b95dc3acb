/** AuthorizationPolicies that select no workload, or whose sources name namespaces that do not exist. */
import { type Analysed, type Analyzer, namespaceOf, ofKind, selects, titleOf } from './objects.ts';

/** The namespace of policies for the whole mesh: from its MeshConfig, else Istio's default. */
function rootNamespace(objects: readonly Analysed[]): string {
  const configs = ofKind(objects, 'ConfigMap').map((one) => (one as { data?: { mesh?: string } }).data?.mesh ?? '');
  return configs.flatMap((mesh) => /rootNamespace"?: *"?([\w-]+)/.exec(mesh)?.[1] ?? [])[0] ?? 'istio-system';
}

/** Reports a policy that selects no pod, and one whose sources name namespaces that do not exist. */
export const authorizationPolicies: Analyzer = (objects) =>
  ofKind(objects, 'AuthorizationPolicy').flatMap((policy) => [
    ...(isAboutSome(policy, objects) ? [] : [{ message: 'NoMatchingWorkloadsFound', object: titleOf(policy) }]),
    ...namespacesOf(policy)
      .filter((pattern) => !ofKind(objects, 'Namespace').some(({ metadata }) => fits(pattern, metadata.name)))
      .map(() => ({ message: 'ReferencedResourceNotFound', object: titleOf(policy) })),
  ]);

/** Without a selector, one in the root namespace applies to all present and future pods. */
function isAboutSome(policy: Analysed, objects: readonly Analysed[]): boolean {
  const meshWide = namespaceOf(policy) === rootNamespace(objects);
  const selector: Readonly<Record<string, string>> | undefined = policy.spec?.selector?.matchLabels;
  if (meshWide && selector === undefined) return true;
  return ofKind(objects, 'Pod').some(
    (pod) =>
      (meshWide || namespaceOf(pod) === namespaceOf(policy)) &&
      (selector === undefined || selects(selector, pod.metadata.labels)),
  );
}

interface Source {
  readonly namespaces?: readonly string[];
  readonly notNamespaces?: readonly string[];
}

function namespacesOf({ spec }: Analysed): string[] {
  const froms: ReadonlyArray<{ readonly source: Source }> = (spec?.rules ?? []).flatMap(
    ({ from = [] }: { from?: [] }) => from,
  );
  return froms.flatMap(({ source: { namespaces = [], notNamespaces = [] } }) => [...namespaces, ...notNamespaces]);
}

/** `*` at the start or end matches any prefix or suffix. */
function fits(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
