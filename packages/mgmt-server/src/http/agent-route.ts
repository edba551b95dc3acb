/** `GET /api/v1/clusters/<name>/agent`: how a cluster's agent sees itself, asked at this moment. */
import { key } from '@meshrelay/relay-core';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Hono } from 'hono';
import type { ApiContext } from './resources.ts';

export function addAgentRoute(app: Hono, { fleet, agents }: Pick<ApiContext, 'fleet' | 'agents'>): void {
  app.get('/api/v1/clusters/:name/agent', async (c) => {
    const name = c.req.param('name');
    if (!fleet.world.clusters.has(key(name))) return c.json({ error: `there is no cluster ${name}` }, 404);
    try {
      const state = await agents.stateOf(name, c.req.raw.signal);
      if (state !== undefined) return c.json(state);
      return c.json(
        { error: `the agent of ${name} is not connected to this replica; ask the one it is connected to` },
        503,
      );
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      const { code, message } = error;
      return c.json({ error: message, code }, code === 'RELAY_E_STALE' ? 504 : 502);
    }
  });
}
