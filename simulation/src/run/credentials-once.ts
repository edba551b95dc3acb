/** Creates the credentials in a separate process and prints them: the only step here that takes real time. */
import process from 'node:process';

await import('../libraries/install.ts');
const { makeCredentials } = await import('../fleet/credentials.ts');
process.stdout.write(JSON.stringify(await makeCredentials(4)), () => process.exit());
