/** `--cluster NAME=PATH`. */
import { CLUSTER_NAME_SYNTAX, isClusterName } from '@meshrelay/pki';
import { InputError } from '../problem.ts';

export interface ClusterArgument {
  readonly name: string;
  readonly path: string;
}

/**
 * @param option that has the values
 * @throws InputError for an invalid name, a missing path, a repeated cluster, or no cluster
 */
export function readClusterArguments(values: readonly string[], option: string): ClusterArgument[] {
  if (values.length === 0) throw new InputError(`no cluster was given; add at least one ${option} NAME=PATH`);
  const seen = new Set<string>();
  return values.map((value) => {
    const equals = value.indexOf('=');
    const name = value.slice(0, Math.max(equals, 0));
    const path = value.slice(equals + 1);
    if (equals < 1 || path === '')
      throw new InputError(`${option} ${value}: expected NAME=PATH, such as ${option} cluster-1=manifests/`);
    if (!isClusterName(name))
      throw new InputError(
        `${option} ${value}: "${name}" is not a cluster name; use the name of its KubernetesCluster, ${CLUSTER_NAME_SYNTAX}`,
      );
    if (seen.has(name))
      throw new InputError(`${option} ${value}: cluster ${name} is given twice; give all its files as one folder`);
    seen.add(name);
    return { name, path };
  });
}
