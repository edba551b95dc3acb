/** Makes the credentials in a process of its own and prints them: the one thing here that takes real time. */
import process from 'node:process';

await import('../libraries/install.ts');
const { makeCredentials } = await import('../fleet/credentials.ts');
process.stdout.write(JSON.stringify(await makeCredentials(4)), () => process.exit());
