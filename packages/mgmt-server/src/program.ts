/** What this program calls itself: in its log, to other replicas, and to who asks its HTTP API. */
import manifest from '../package.json' with { type: 'json' };

export const PROGRAM: string = `meshrelay-mgmt-server/${manifest.version}`;
