/** `values.schema.json` of a chart: Helm validates values with it before it renders anything. */
import { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const map = { type: 'object', additionalProperties: text };
const anyObject = { type: 'object' };
const objects = { type: 'array', items: anyObject };
const names = { type: 'array', items: { type: 'string', minLength: 1 } };
const namedObjects = {
  type: 'array',
  items: closed({ namespace: { type: 'string', minLength: 1 }, name: { type: 'string', minLength: 1 } }, [
    'namespace',
    'name',
  ]),
};
const orByProfile = (type: string): JsonSchema => ({ type: [type, 'null'] });

function closed(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) };
}

/** What both charts have. */
const common: JsonSchema = {
  global: anyObject,
  profile: { enum: ['trial', 'production'] },
  replicas: { type: ['integer', 'null'], minimum: 1, maximum: 16 },
  image: closed({
    repository: text,
    tag: text,
    digest: text,
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
  }),
  imagePullSecrets: objects,
  plugins: {
    type: 'array',
    items: closed(
      { package: { type: 'string', minLength: 1 }, version: text, image: text, path: text, settings: anyObject },
      ['package'],
    ),
  },
  crds: closed({ enabled: flag }),
  admissionPolicy: closed({ enabled: flag }),
  serviceAccount: closed({ annotations: map }),
  resources: { type: ['object', 'null'] },
  podAnnotations: map,
  podLabels: map,
  nodeSelector: map,
  tolerations: objects,
  affinity: anyObject,
  priorityClassName: text,
  topologySpreadConstraints: { type: ['array', 'null'] },
  podDisruptionBudget: closed({ enabled: orByProfile('boolean') }),
  networkPolicy: closed({ enabled: flag, scrapers: objects }),
  extraEnv: objects,
  extraVolumes: objects,
  extraVolumeMounts: objects,
  podMonitor: closed({ enabled: flag, labels: map, interval: text }),
  prometheusRule: closed({ enabled: flag, labels: map }),
};

export function serverSchema(config: z.ZodType): JsonSchema {
  return schema({
    ...common,
    config: configSchema(config),
    service: closed({
      type: { enum: ['LoadBalancer', 'NodePort', 'ClusterIP'] },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      nodePort: { type: ['integer', 'null'], minimum: 1, maximum: 65_535 },
      annotations: map,
      loadBalancerClass: text,
      loadBalancerSourceRanges: names,
      externalTrafficPolicy: { enum: ['Cluster', 'Local'] },
    }),
    rights: closed({ meshNamespaces: names, patches: namedObjects }),
    redis: closed({ enabled: orByProfile('boolean'), image: text, resources: anyObject }),
    dashboard: closed({ enabled: flag, labels: map }),
  });
}

export function agentSchema(config: z.ZodType): JsonSchema {
  return schema({
    ...common,
    config: configSchema(config),
    autoscaling: closed({
      enabled: flag,
      minReplicas: { type: 'integer', minimum: 1, maximum: 16 },
      maxReplicas: { type: 'integer', minimum: 1, maximum: 16 },
      targetCPUUtilizationPercentage: { type: 'integer', minimum: 1, maximum: 100 },
    }),
    service: closed({ annotations: map }),
    rights: closed({
      meshNamespaces: names,
      patches: namedObjects,
      envoyNamespaces: names,
      pullSecrets: namedObjects,
      ownSecrets: names,
    }),
  });
}

function schema(properties: JsonSchema): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...closed(properties) };
}

/** Any field of the program's configuration. The program itself checks what a JSON schema cannot say. */
function configSchema(config: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' });
  const properties = (json.properties ?? {}) as Readonly<Record<string, { readonly required?: readonly string[] }>>;
  // The programs read a missing section as an empty one.
  const required = (json.required ?? []).filter((name) => (properties[name]?.required ?? []).length > 0);
  return { ...json, required };
}
