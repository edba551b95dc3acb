/** Collects what is needed to help with an installation. */
import { type KubeObject, kinds } from '@meshrelay/api';
import { errorMessage } from '@meshrelay/host';
import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { POD } from '@meshrelay/relay-core';
import { CRD } from '../online/kinds.ts';
import { containersOf, SUPPORT_KINDS } from './objects.ts';
import { redactData, redactLines, redactMeshrelay, redactMetadata } from './redact.ts';

export interface SupportSource {
  readonly connection: Pick<KubeConnection, 'objects' | 'request' | 'text'>;
  readonly namespace: string;
  /** The folder in the bundle. */
  readonly folder: string;
  /** Lines of each log. */
  readonly logLines: number;
}

export interface Collected {
  /** Texts of logs, and documents, by their path in the bundle. */
  readonly files: ReadonlyMap<string, unknown>;
  /** What could not be read, one line each. */
  readonly problems: readonly string[];
}

/** The bytes of one log at most: a log of long lines must not fill the disk. */
const MAX_LOG_BYTES = 5_000_000;

/** One cluster. Nothing that it cannot read ends the collection. */
export async function collect(source: SupportSource): Promise<Collected> {
  const { connection, namespace, folder } = source;
  const files = new Map<string, unknown>();
  const problems: string[] = [];
  const add = async (path: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      files.set(`${folder}/${path}`, await read());
    } catch (error) {
      problems.push(redactLines(`${folder}/${path}: ${errorMessage(error)}`));
    }
  };
  await add('version.json', async () => {
    const what = 'read the version of the API server';
    return redactData(await connection.request({ what, method: 'GET', path: '/version' }));
  });
  await add('crds.json', async () => (await connection.objects(CRD).list()).filter(isOwn).map(crdOf));
  for (const { kind, plural, internal } of kinds)
    await add(`meshrelay/${plural}.json`, async () => {
      const objects = await connection.objects(meshrelayKind(kind)).list();
      // What the programs write for themselves repeats the configuration of proxies.
      return objects.map((object) =>
        internal ? { metadata: redactMetadata(object.metadata) } : redactMeshrelay(object),
      );
    });
  for (const { kind, show } of SUPPORT_KINDS)
    await add(`namespace/${kind.plural}.json`, async () =>
      (await connection.objects(kind).list({ namespace })).map(show),
    );
  for (const { pod, container, previous } of await logsOf(source, problems))
    await add(`logs/${pod}.${container}${previous ? '.previous' : ''}.log`, async () =>
      redactLines(await readLog(source, { pod, container, previous })),
    );
  return { files, problems };
}

interface Log {
  readonly pod: string;
  readonly container: string;
  /** Of the run before the last restart. */
  readonly previous: boolean;
}

async function logsOf({ connection, namespace, folder }: SupportSource, problems: string[]): Promise<readonly Log[]> {
  let pods: readonly KubeObject[];
  try {
    pods = await connection.objects(POD).list({ namespace });
  } catch (error) {
    problems.push(redactLines(`${folder}/logs: ${errorMessage(error)}`));
    return [];
  }
  return pods.flatMap((pod) =>
    containersOf(pod).flatMap(({ name: container, restarted }) => {
      const log = { pod: pod.metadata.name, container };
      return [{ ...log, previous: false }, ...(restarted ? [{ ...log, previous: true }] : [])];
    }),
  );
}

function readLog(
  { connection, namespace, logLines }: SupportSource,
  { pod, container, previous }: Log,
): Promise<string> {
  const [space, name] = [namespace, pod].map(encodeURIComponent);
  return connection.text({
    what: `read the log of ${container} in Pod ${namespace}/${pod}`,
    method: 'GET',
    path: `/api/v1/namespaces/${space}/pods/${name}/log`,
    query: {
      container,
      tailLines: logLines,
      limitBytes: MAX_LOG_BYTES,
      timestamps: true,
      previous: previous ? true : undefined,
    },
  });
}

function isOwn({ metadata }: KubeObject): boolean {
  return metadata.name.endsWith('.meshrelay.dev');
}

function crdOf(object: KubeObject): object {
  const { metadata, spec, status } = object as KubeObject & {
    readonly spec: { readonly versions: ReadonlyArray<{ readonly name: string; readonly served: boolean }> };
    readonly status?: { readonly conditions?: unknown; readonly storedVersions?: unknown };
  };
  const versions = spec.versions.map(({ name, served }) => ({ name, served }));
  const { conditions, storedVersions } = status ?? {};
  return { metadata: redactMetadata(metadata), versions, storedVersions, conditions: redactData(conditions) };
}
