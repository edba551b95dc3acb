/** Implements `meshctl support-bundle`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import { errorMessage } from '@meshrelay/host';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { versionText } from '@meshrelay/telemetry/build-info';
import { PRINTED } from '../install/progress.ts';
import { checkInstallation } from '../online/check.ts';
import { connectTo } from '../online/connect.ts';
import { type ManagementOptions, managementOf, reported } from '../online/management.ts';
import { refuseUsedFolder, writeFolder } from '../output/folder.ts';
import { plain } from '../output/plain.ts';
import { type Collected, collect } from './collect.ts';
import { redactData, redactLines } from './redact.ts';

export interface SupportBundleOptions extends ManagementOptions {
  readonly out: string;
  /** Contexts of clusters with agents. */
  readonly agentContext: readonly string[];
  readonly logLines: number;
}

const README = `A support bundle of Meshrelay: the objects of Meshrelay, its pods with their logs, and what meshctl check finds.

Not in it: the data of Secrets and ConfigMaps, values of annotations and of variables except Meshrelay's own settings,
headers that policies add, and the internal objects of the programs. In texts, what looks like a credential is replaced by
[redacted]. Read it before you send it: names of Services, hosts, workloads and users are in it.
`;

/** @throws InputError if the management cluster cannot be reached, or the folder is in use */
export function supportBundle(options: SupportBundleOptions): Promise<void> {
  const { out, agentContext, namespace, logLines } = options;
  return reported(async () => {
    refuseUsedFolder(out);
    const files = new Map<string, unknown>([
      ['README.txt', README],
      ['meshctl.txt', versionText('meshctl', { api: VERSION, 'plugin contract': 1 })],
    ]);
    const problems: string[] = [];
    const take = async (connection: KubeConnection, folder: string): Promise<void> => {
      PRINTED.waiting(`collecting from context ${plain(connection.context)}`);
      const found = await collect({ connection, namespace, folder, logLines });
      for (const [path, content] of found.files) files.set(path, content);
      problems.push(...found.problems);
      PRINTED.step(`${count(found)} of context ${plain(connection.context)}`);
    };
    await using management = managementOf(options);
    await management.request({ what: 'read the version of the API server', method: 'GET', path: '/version' });
    await take(management, 'management');
    await checkInto(files, problems, management, namespace);
    for (const [index, context] of agentContext.entries()) {
      await using connection = agentConnection(options, context);
      await take(connection, `agent-${index + 1}-${context.replaceAll(/[^\w.-]/g, '_')}`);
    }
    if (problems.length > 0) files.set('problems.txt', `${problems.join('\n')}\n`);
    writeFolder(out, files, 'json');
    process.stdout.write(`${out} has everything; its README.txt says what was left out\n`);
    if (problems.length > 0)
      process.stderr.write(`${problems.length} files could not be collected; ${out}/problems.txt has the reasons\n`);
  });
}

function agentConnection(options: SupportBundleOptions, context: string): KubeConnection {
  const { mgmtKubeconfig, kubeconfig = mgmtKubeconfig, requestTimeout: timeout } = options;
  return connectTo({ kubeconfig, context, option: '--kubeconfig', timeout });
}

function count({ files }: Collected): string {
  const logs = [...files.keys()].filter((path) => path.endsWith('.log')).length;
  return `${files.size - logs} lists and ${logs} logs`;
}

async function checkInto(
  files: Map<string, unknown>,
  problems: string[],
  management: KubeConnection,
  namespace: string,
): Promise<void> {
  try {
    files.set('management/check.json', redactData(await checkInstallation(management, { namespace, now: new Date() })));
  } catch (error) {
    if (!isKubeError(error)) throw error;
    problems.push(redactLines(`management/check.json: ${errorMessage(error)}`));
  }
}
