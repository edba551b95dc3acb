/** The environment of a container, as a kubelet sets it. */
import { type Container, downwardField, type EnvironmentVariable, nameOf, type Pod } from './pod.ts';

export interface EnvironmentSources {
  readonly pod: Pod;
  readonly address: string;
  /** The variables of the image, each `NAME=VALUE`. */
  readonly image: readonly string[];
  /** The address of the Service `kubernetes`. */
  readonly apiService: string;
  /** The data of a ConfigMap or Secret in the pod's namespace. @throws Error if it is missing */
  read(kind: 'configmaps' | 'secrets', name: string): Promise<Readonly<Record<string, Buffer>>>;
}

/** @throws Error that names the pod, if a value is missing or of a kind that is not supported */
export async function environmentOf(
  container: Container,
  sources: EnvironmentSources,
): Promise<Readonly<Record<string, string>>> {
  const { pod, image, apiService } = sources;
  const variables: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/',
    HOSTNAME: pod.metadata.name,
    KUBERNETES_SERVICE_HOST: apiService,
    KUBERNETES_SERVICE_PORT: '443',
    KUBERNETES_SERVICE_PORT_HTTPS: '443',
  };
  for (const variable of image) {
    const [name = '', ...rest] = variable.split('=');
    variables[name] = rest.join('=');
  }
  for (const variable of container.env ?? []) variables[variable.name] = await resolved(variable, variables, sources);
  return variables;
}

/** Replaces `$(NAME)` by the variable; an unknown one stays as it is, and `$$` is a dollar sign. */
export function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (variables[name] ?? match),
  );
}

async function resolved(
  { name, value = '', valueFrom }: EnvironmentVariable,
  variables: Readonly<Record<string, string>>,
  { pod, address, read }: EnvironmentSources,
): Promise<string> {
  if (valueFrom === undefined) return expanded(value, variables);
  const { fieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined) return downwardField(pod, address, fieldRef.fieldPath);
  const reference = secretKeyRef ?? configMapKeyRef;
  if (reference === undefined)
    throw new Error(`pod ${nameOf(pod)}: the source of the variable ${name} is not supported`);
  const kind = secretKeyRef === undefined ? 'configmaps' : 'secrets';
  const found = (await read(kind, reference.name))[reference.key];
  if (found === undefined)
    throw new Error(
      `pod ${nameOf(pod)}: ${kind}/${reference.name} has no key ${reference.key} for the variable ${name}`,
    );
  return found.toString();
}
