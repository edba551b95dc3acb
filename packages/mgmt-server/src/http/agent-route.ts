/** `GET /api/v1/clusters/<name>/agent`: the agent's own view of its state, fetched on each request. */
import { key } from '@meshrelay/relay-core';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Hono } from 'hono';
import { type AgentLookupContext, agentCallerFor } from '../observe/lookup-agent.ts';

/** Milliseconds that an agent has to answer. */
const TIMEOUT_MS = 5_000;

export function addAgentRoute(app: Hono, context: AgentLookupContext): void {
  app.get('/api/v1/clusters/:name/agent', async (c) => {
    const name = c.req.param('name');
    if (!context.fleet.fleetState.clusters.has(key(name)))
      return c.json({ error: `cluster ${name} does not exist; see /api/v1/clusters` }, 404);
    const transport = agentCallerFor(context, name);
    if (!('caller' in transport)) return c.json({ error: transport.problem, connectedTo: transport.connectedTo }, 503);
    try {
      const options = { timeout: TIMEOUT_MS, signal: c.req.raw.signal };
      for await (const state of transport.caller.call('agent.state', {}, options)) return c.json(state);
      throw new RelayError('RELAY_E_PROTOCOL', `the agent of ${name} sent an empty answer`);
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      const { code, message, next } = error;
      return c.json({ error: message, code, next }, code === 'RELAY_E_TIMEOUT' ? 504 : 502);
    }
  });
}
