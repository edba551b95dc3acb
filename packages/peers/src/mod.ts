/** Communication among replicas of one program: discovery, and authenticated streams between them. */
export { type FindPeersOptions, findPeers, MAX_PEERS, type Peer } from './find-peers.ts';
export { type FollowedKeys, followPeerKeys } from './follow-peer-keys.ts';
export { maintainPeerKeys } from './keep-peer-keys.ts';
export { callPeer, type PeerQuestion, peerConnections } from './peer-client.ts';
export { PeerDirectory, type PeerDirectoryOptions } from './peer-directory.ts';
export { PeerFailure } from './peer-failure.ts';
export type { PeerGroup } from './peer-group.ts';
export { PeerKeyring, type PeerKeyringOptions } from './peer-keyring.ts';
export { isDue, makePeerKeys, type PeerKeys, readPeerKeys } from './peer-keys.ts';
export { type PeerAnswers, PeerServer, type PeerServerOptions } from './peer-server.ts';
