/**
 * Writes src/protobuf/gen/messages.ts: the protobuf field numbers of the built-in kinds, read from the Go types of the
 * Kubernetes API. Run it with the folders of two unpacked Go modules:
 *   go mod download -json k8s.io/api@v0.34.4 k8s.io/apimachinery@v0.34.4   (prints their "Dir")
 *   node packages/kube-sim/scripts/generate-protobuf-messages.ts API_DIR APIMACHINERY_DIR
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [apiDir, machineryDir] = process.argv.slice(2);
if (apiDir === undefined || machineryDir === undefined)
  throw new Error('usage: generate-protobuf-messages.ts API_DIR APIMACHINERY_DIR');

/** Packages by the name that the output and Go's import aliases give them. */
const PACKAGES: Readonly<Record<string, string>> = {
  'core/v1': join(apiDir, 'core/v1/types.go'),
  'apps/v1': join(apiDir, 'apps/v1/types.go'),
  'authentication.k8s.io/v1': join(apiDir, 'authentication/v1/types.go'),
  'authorization.k8s.io/v1': join(apiDir, 'authorization/v1/types.go'),
  'autoscaling/v1': join(apiDir, 'autoscaling/v1/types.go'),
  'batch/v1': join(apiDir, 'batch/v1/types.go'),
  'coordination.k8s.io/v1': join(apiDir, 'coordination/v1/types.go'),
  'discovery.k8s.io/v1': join(apiDir, 'discovery/v1/types.go'),
  'networking.k8s.io/v1': join(apiDir, 'networking/v1/types.go'),
  'policy/v1': join(apiDir, 'policy/v1/types.go'),
  'rbac.authorization.k8s.io/v1': join(apiDir, 'rbac/v1/types.go'),
  'meta/v1': join(machineryDir, 'pkg/apis/meta/v1/types.go'),
};
const ALIASES: Readonly<Record<string, string>> = {
  metav1: 'meta/v1',
  v1: 'core/v1',
  corev1: 'core/v1',
  api: 'core/v1',
};
/** The kinds of bodies; the types they refer to are included. */
const ROOTS = [
  ...[
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ].map((kind) => `core/v1.${kind}`),
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => `apps/v1.${kind}`),
  ...['SelfSubjectReview', 'TokenRequest', 'TokenReview'].map((kind) => `authentication.k8s.io/v1.${kind}`),
  ...['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'].map(
    (kind) => `authorization.k8s.io/v1.${kind}`,
  ),
  'autoscaling/v1.Scale',
  'batch/v1.CronJob',
  'batch/v1.Job',
  'coordination.k8s.io/v1.Lease',
  'discovery.k8s.io/v1.EndpointSlice',
  'networking.k8s.io/v1.Ingress',
  'networking.k8s.io/v1.NetworkPolicy',
  'policy/v1.PodDisruptionBudget',
  ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => `rbac.authorization.k8s.io/v1.${kind}`),
  'meta/v1.DeleteOptions',
];
/** Types whose JSON differs from that of their fields. */
const SPECIAL: Readonly<Record<string, string>> = {
  'meta/v1.Time': 'time',
  'meta/v1.MicroTime': 'microTime',
  'meta/v1.Duration': 'duration',
  'meta/v1.FieldsV1': 'raw',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intOrString',
  'runtime.RawExtension': 'raw',
  'types.UID': 'string',
  'types.NamespacedName': 'string',
};
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int',
  int64: 'int',
  int: 'int',
  uint32: 'int',
  byte: 'byte',
  float64: 'double',
};

interface GoField {
  readonly number: number;
  readonly json: string;
  readonly inline: boolean;
  readonly omitEmpty: boolean;
  readonly goType: string;
}

const structs = new Map<string, GoField[]>();
const named = new Map<string, string>();

for (const [name, path] of Object.entries(PACKAGES)) parsePackage(name, readFileSync(path, 'utf8'));

function parsePackage(name: string, source: string): void {
  for (const [, type = '', body = ''] of source.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = [...body.matchAll(/^\t(?:(\w+)\s+)?([\w.*[\]]+)\s+`([^`]*)`/gm)].flatMap(
      ([, , goType = '', tags = '']) => {
        const number = /protobuf:"\w+,(\d+)/.exec(tags)?.[1];
        const json = /json:"([^"]*)"/.exec(tags)?.[1] ?? '';
        if (number === undefined) return [];
        const [jsonName = '', ...flags] = json.split(',');
        return [
          {
            number: Number(number),
            json: jsonName,
            inline: flags.includes('inline'),
            omitEmpty: flags.includes('omitempty'),
            goType,
          },
        ];
      },
    );
    structs.set(`${name}.${type}`, fields);
  }
  for (const [, type = '', base = ''] of source.matchAll(/^type (\w+) ([\w.*[\]]+)$/gm))
    named.set(`${name}.${type}`, base);
}

/** A field's type for the decoder: `[]x`, `{}x` for maps, a scalar, a special type or a message. */
function resolve(goType: string, packageName: string): string {
  if (goType.startsWith('*')) return resolve(goType.slice(1), packageName);
  if (goType === '[]byte') return 'bytes';
  if (goType.startsWith('[]')) return `[]${resolve(goType.slice(2), packageName)}`;
  const map = /^map\[[\w.]+\](.*)$/.exec(goType);
  if (map !== null) return `{}${resolve(map[1] ?? '', packageName)}`;
  const scalar = SCALARS[goType];
  if (scalar !== undefined) return scalar;
  const [alias, own] = goType.includes('.') ? (goType.split('.') as [string, string]) : [undefined, goType];
  const full = alias === undefined ? `${packageName}.${own}` : `${ALIASES[alias] ?? alias}.${own}`;
  const special = SPECIAL[full];
  if (special !== undefined) return special;
  const base = named.get(full);
  if (base !== undefined) {
    const resolved = resolve(base, full.slice(0, full.lastIndexOf('.')));
    // A named list is encoded as a message with one repeated field.
    return resolved.startsWith('[]') ? `list:${resolved.slice(2)}` : resolved;
  }
  if (!structs.has(full)) throw new Error(`${packageName}: no such type: ${goType}`);
  return full;
}

const messages = new Map<string, string[]>();
const queue = [...ROOTS];
for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
  if (messages.has(name)) continue;
  const fields = structs.get(name);
  if (fields === undefined) throw new Error(`no such type: ${name}`);
  const packageName = name.slice(0, name.lastIndexOf('.'));
  const lines = fields.map((field) => {
    const type = resolve(field.goType, packageName);
    const message = type.replace(/^(\[\]|\{\}|list:)+/, '');
    if (structs.has(message)) queue.push(message);
    const isPointer = field.goType.startsWith('*');
    const keep = isPointer || !field.omitEmpty ? 1 : 0;
    return `[${field.number}, '${field.inline ? '' : field.json}', '${type}', ${keep}]`;
  });
  messages.set(name, lines);
}

const text = [
  '/** Generated by scripts/generate-protobuf-messages.ts (see there for how); do not edit. */',
  '',
  '/** Number, JSON name (empty: inline), type, and whether an empty value is encoded. */',
  'export type MessageField = readonly [number: number, name: string, type: string, keepEmpty: 0 | 1];',
  '',
  '/** The fields of each message. */',
  'export const MESSAGES: Readonly<Record<string, readonly MessageField[]>> = {',
  ...[...messages]
    .sort()
    .map(([name, lines]) => `  '${name}': [\n${lines.map((line) => `    ${line},\n`).join('')}  ],`),
  '};',
  '',
].join('\n');
writeFileSync(join(import.meta.dirname, '../src/protobuf/gen/messages.ts'), text);
console.log(`${messages.size} messages`);
