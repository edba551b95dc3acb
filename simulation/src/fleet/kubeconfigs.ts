/** Kubeconfigs of the simulated API servers, as files, the form in which programs are configured. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const folder = mkdtempSync(join(tmpdir(), 'meshrelay-simulation-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const written = new Map<string, string>();

/** The path of a kubeconfig for the API server of this host name. */
export function kubeconfigOf(host: string): string {
  const known = written.get(host);
  if (known !== undefined) return known;
  const path = join(folder, `${host}.json`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': host,
    clusters: [{ name: host, cluster: { server: `https://${host}` } }],
    contexts: [{ name: host, context: { cluster: host, user: host } }],
    users: [{ name: host, user: {} }],
  };
  writeFileSync(path, JSON.stringify(config));
  written.set(host, path);
  return path;
}
