/** Kubeconfigs of replicas: each has its own user, and its own connection to its API server. */
import { parse, stringify } from 'yaml';

interface Kubeconfig {
  readonly clusters: ReadonlyArray<{ readonly cluster: { server: string } }>;
  readonly users: ReadonlyArray<{ user: { readonly token: string } }>;
}

/** The administrator's kubeconfig with another token and another port on loopback. */
export function kubeconfigOf(admin: string, token: string, port: number): string {
  const config = parse(admin) as Kubeconfig;
  for (const { cluster } of config.clusters) cluster.server = `https://127.0.0.1:${port}`;
  for (const each of config.users) each.user = { token };
  return stringify(config);
}
