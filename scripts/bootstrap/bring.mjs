// Tools that only some tests need, such as other versions of Node: fetched when first used.
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { binFolder, hasTool, installTool } from './tools.mjs';

/** The last Node of each major version that is maintained or was until recently. */
export const NODE_LINES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0', '26.10.0'];

/**
 * The folder of the tool's program, which is fetched if missing.
 * @param {string} root
 * @param {import('./tools.mjs').Tool} tool
 */
export async function bring(root, tool) {
  await withLock(join(root, '.cache', `${tool.name}.lock`), async () => {
    if (!hasTool(root, tool)) await installTool(root, tool);
  });
  return binFolder(root, tool);
}
