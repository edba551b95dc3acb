/** Name of this program towards the server. */
import manifest from '../../package.json' with { type: 'json' };

export const PROGRAM: string = `meshrelay-agent/${manifest.version}`;
