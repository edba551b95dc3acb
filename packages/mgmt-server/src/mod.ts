/** The Meshrelay management server. */
export { type ServerConfig, serverConfig } from './config/config.ts';
export { TOKENS_KEY, TOKENS_SECRET } from './relay/registrar.ts';
export { type ManagementServer, startManagementServer } from './server.ts';
