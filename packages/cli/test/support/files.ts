/** Input files for the program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A cluster with Istio and one service, with the minimum that discovery needs. */
export const CLUSTER = `apiVersion: apps/v1
kind: Deployment
metadata: { name: istiod, namespace: istio-system, labels: { app: istiod } }
spec: { template: { spec: { containers: [{ name: discovery, image: registry.example/istio/pilot:1.30.0 }] } } }
---
apiVersion: v1
kind: Service
metadata: { name: reviews, namespace: bookinfo }
spec: { selector: { app: reviews }, ports: [{ name: http, port: 9080 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: reviews-v1, namespace: bookinfo, labels: { app: reviews, version: v1 } }
spec: { containers: [{ name: app, image: app:1 }, { name: istio-proxy, image: registry.example/istio/proxyv2:1.30.0 }] }
`;

/** A TrafficPolicy of the management cluster. */
export function policy(name: string, rules: string): string {
  return `apiVersion: networking.meshrelay.dev/v1alpha1
kind: TrafficPolicy
metadata: { name: ${name}, namespace: meshrelay }
spec: { policy: ${rules} }
`;
}
