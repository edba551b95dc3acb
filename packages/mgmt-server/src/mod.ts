/** The Meshrelay management server. */
export { type ServerConfig, serverConfig } from './config/config.ts';
export { type ManagementServer, startManagementServer } from './server.ts';
