/** Name and version of this program, for its log, for other replicas and for its HTTP API. */
import manifest from '../package.json' with { type: 'json' };

export const PROGRAM: string = `meshrelay-mgmt-server/${manifest.version}`;
