/** The objects of one cluster as Istio's analyzers see them. */

/** The fields of an object that analyzers read. */
export interface Analysed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: analyzers look into objects of many kinds
  readonly spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly status?: any;
}

/** A message of an analyzer about an object. */
export interface Message {
  /** Istio's name of the message. */
  readonly message: string;
  /** `Kind namespace/name`; without the namespace if the object has none. */
  readonly object: string;
}

/** Finds one kind of mistake. */
export type Analyzer = (objects: readonly Analysed[]) => readonly Message[];

/** `Kind namespace/name`. */
export function titleOf({ kind, metadata: { name, namespace } }: Analysed): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** The namespace that an object applies to. */
export function namespaceOf({ metadata }: Analysed): string {
  return metadata.namespace ?? 'default';
}

/** The objects of a kind. */
export function ofKind(objects: readonly Analysed[], kind: string): Analysed[] {
  return objects.filter((object) => object.kind === kind);
}

/** The fully qualified form of a host in an object of a namespace. */
export function fullHost(host: string, namespace: string): string {
  return host.includes('.') || host.startsWith('*') ? host : `${host}.${namespace}.svc.cluster.local`;
}

/** Whether an object is visible in a namespace, by its `exportTo`. */
export function isVisible(object: Analysed, namespace: string, exportTo: readonly string[] | undefined): boolean {
  const scopes = exportTo === undefined || exportTo.length === 0 ? ['*'] : exportTo;
  return scopes.some(
    (scope) => scope === '*' || scope === namespace || (scope === '.' && namespaceOf(object) === namespace),
  );
}

/** Whether some namespace sees both, by their `exportTo`. */
export function seenTogether(a: Analysed, b: Analysed): boolean {
  const scopes = (one: Analysed): readonly string[] =>
    (one.spec.exportTo ?? ['*']).map((scope: string) => (scope === '.' ? namespaceOf(one) : scope));
  const [managed, unmanaged] = [scopes(a), scopes(b)];
  return managed.includes('*') || unmanaged.includes('*') || managed.some((scope) => unmanaged.includes(scope));
}

/** Whether a host pattern, such as `*.example.com`, matches a host. */
export function hostTakes(pattern: string, host: string): boolean {
  return pattern === host || pattern === '*' || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));
}

/** Whether labels match a selector. */
export function selects(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
